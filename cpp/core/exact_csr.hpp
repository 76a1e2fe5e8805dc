// A graph whose weights are fixed-point numbers, so that sums of them are exact: see `engines/exact_bellman_ford.hpp`.
//
// All finite floating-point numbers are multiples of a power of two. The lowest bit of any weight is the unit, and the
// distance from it to the highest bit decides how many words a sum needs: two for most graphs, 34 for weights from the
// smallest number of 64 bits to the largest.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/blocks.hpp"
#include "core/csr.hpp"
#include "core/fixed_point.hpp"

namespace pathfront {

// A weight is magnitude * 2^exponent, or its opposite.
struct WeightParts {
    std::uint64_t magnitude;
    int exponent;
    bool negative;
};

template <class W>
WeightParts parts_of(W weight) {
    if constexpr (std::is_floating_point_v<W>) {
        const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(weight));
        const int exponent = static_cast<int>(bits >> 52 & 0x7FF);
        const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
        return {exponent == 0 ? fraction : fraction | std::uint64_t{1} << 52, std::max(exponent, 1) - 1075,
                bits >> 63 != 0};
    } else {
        const auto bits = static_cast<std::uint64_t>(weight);
        return {weight < 0 ? -bits : bits, 0, weight < 0};
    }
}

// The parts of a weight that is a multiple of 2^unit, with an exponent that is not below.
template <class W>
WeightParts parts_of(W weight, int unit) {
    WeightParts parts = parts_of(weight);
    if (parts.exponent < unit) // the lowest bits are zeros
        parts = {parts.magnitude == 0 ? 0 : parts.magnitude >> (unit - parts.exponent), unit, parts.negative};
    return parts;
}

// All weights are sums of the powers of two from 2^low to 2^(high - 1); with integers `low` is 0.
struct WeightRange {
    int low = std::numeric_limits<int>::max(), high = std::numeric_limits<int>::min();

    int bits() const { return high < low ? 0 : high - low; }
};

template <class W>
WeightRange weight_range(const W* weights, std::int64_t m, unsigned threads, Watch& watch) {
    auto of_block = [&](std::int64_t begin, std::int64_t end) {
        WeightRange part;
        for (std::int64_t i = begin; i < end; ++i) {
            const WeightParts parts = parts_of(weights[i]);
            if (parts.magnitude == 0)
                continue;
            const int zeros = std::is_integral_v<W> ? 0 : std::countr_zero(parts.magnitude);
            part.low = std::min(part.low, parts.exponent + zeros);
            part.high = std::max(part.high, parts.exponent + static_cast<int>(std::bit_width(parts.magnitude)));
        }
        return part;
    };
    const WeightRange found = reduce_blocks(threads, m, 1 << 16, watch, WeightRange{}, of_block,
                                            [](const WeightRange& a, const WeightRange& b) {
                                                return WeightRange{std::min(a.low, b.low), std::max(a.high, b.high)};
                                            });
    return found.high < found.low ? WeightRange{0, 0} : found;
}

// Writes weights as multiples of 2^unit, which must fit 63 bits.
template <class W>
void scale_weights(const W* weights, std::int64_t m, int unit, std::int64_t* out, unsigned threads, Watch& watch) {
    for_blocks(threads, m, 1 << 16, watch, [&](unsigned, std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            const WeightParts parts = parts_of(weights[i], unit);
            const auto size =
                parts.magnitude == 0 ? 0 : static_cast<std::int64_t>(parts.magnitude << (parts.exponent - unit));
            out[i] = parts.negative ? -size : size;
        }
    });
}

template <class W, int count>
struct ExactCsr {
    static constexpr int words = count;
    using Number = FixedPoint<words>;

    Vertex n;
    const Offset* offsets;
    const Vertex* heads;
    const W* weights;
    int unit; // its exponent

    Number weight(Offset arc) const {
        const WeightParts parts = parts_of(weights[arc], unit);
        if (parts.magnitude == 0)
            return Number{};
        return Number::of(parts.magnitude, parts.negative, static_cast<unsigned>(parts.exponent - unit));
    }
};

// Calls f with the graph as an ExactCsr of enough words for the length of any walk of n^2 arcs: before Bellman-Ford has
// found a negative cycle, n passes may each have followed n arcs of it.
template <class W, class F>
auto with_exact_weights(const Csr<W>& graph, unsigned threads, Watch& watch, F&& f) {
    const WeightRange range = weight_range(graph.weights, graph.m(), threads, watch);
    const int needed = range.bits() + 2 * static_cast<int>(std::bit_width(graph.n)) + 2;
    const auto exactly = [&]<int words>() {
        return f(ExactCsr<W, words>{graph.n, graph.offsets, graph.heads, graph.weights, range.low});
    };
    if (needed <= 2 * 64)
        return exactly.template operator()<2>();
    if constexpr (std::is_same_v<W, double>)
        if (needed > 6 * 64)
            return exactly.template operator()<34>();
    return exactly.template operator()<6>(); // integers need at most 130 bits, 32-bit floats 343
}

} // namespace pathfront
