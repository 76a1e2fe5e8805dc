// The checks that a graph's arrays must pass before a routine may rely on them, in one pass at memory speed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "core/blocks.hpp"
#include "core/csr.hpp"

namespace pathfront {

inline constexpr std::int64_t check_block = 1 << 16;
inline constexpr std::int64_t not_found = -1;

namespace detail {

inline std::int64_t earlier(std::int64_t a, std::int64_t b) {
    return static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b) ? a : b; // not_found is the largest unsigned
}

// The first i in [begin, end) for which is_bad(i) holds, or not_found. A loop without an exit first: it can be
// vectorized.
template <class IsBad>
std::int64_t first_bad_in(std::int64_t begin, std::int64_t end, IsBad&& is_bad) {
    bool any = false;
    for (std::int64_t i = begin; i < end; ++i)
        any |= is_bad(i);
    for (std::int64_t i = begin; any && i < end; ++i)
        if (is_bad(i))
            return i;
    return not_found;
}

// The first i in [0, count) for which is_bad(i) holds, or not_found.
template <class IsBad>
std::int64_t first_bad(std::int64_t count, unsigned threads, Watch& watch, IsBad&& is_bad) {
    return reduce_blocks(
        threads, count, check_block, watch, not_found,
        [&](std::int64_t begin, std::int64_t end) { return first_bad_in(begin, end, is_bad); }, earlier);
}

} // namespace detail

// The first index at which the offsets are invalid (offsets[0] != 0, decreasing, or not ending at m), or not_found.
inline std::int64_t first_bad_offset(const Offset* offsets, std::uint64_t n, std::int64_t m, unsigned threads,
                                     Watch& watch) {
    if (offsets[0] != 0)
        return 0;
    const std::int64_t falls = detail::first_bad(static_cast<std::int64_t>(n), threads, watch,
                                                 [&](std::int64_t v) { return offsets[v + 1] < offsets[v]; });
    if (falls != not_found)
        return falls + 1;
    return offsets[n] != m ? static_cast<std::int64_t>(n) : not_found;
}

// The first arc whose head is not a vertex, or not_found.
inline std::int64_t first_bad_head(const Vertex* heads, std::int64_t m, std::uint64_t n, unsigned threads,
                                   Watch& watch) {
    const auto limit = static_cast<Vertex>(std::min<std::uint64_t>(n, no_vertex)); // compares of 32 bits
    return detail::first_bad(m, threads, watch, [&](std::int64_t i) { return heads[i] >= limit; });
}

// A summary of the weights of a graph. Positions are arcs, or not_found.
template <class W>
struct WeightSummary {
    W lightest = 0, heaviest = 0;
    double sum = 0;
    std::int64_t first_negative = not_found;
    std::int64_t first_not_finite = not_found;
};

template <class W>
WeightSummary<W> summarise_weights(const W* weights, std::int64_t m, unsigned threads, Watch& watch) {
    if (m == 0)
        return {};
    // The sum is taken per block and added up in block order, so that it does not depend on the thread count.
    std::vector<double> sums(static_cast<std::size_t>((m + check_block - 1) / check_block));
    const WeightSummary<W> none{std::numeric_limits<W>::max(), std::numeric_limits<W>::lowest()};
    auto of_block = [&](std::int64_t begin, std::int64_t end) {
        W low = none.lightest, high = none.heaviest;
        double sum = 0;
        bool finite = true;
        for (std::int64_t i = begin; i < end; ++i) {
            const W w = weights[i];
            low = w < low ? w : low;
            high = w > high ? w : high;
            if constexpr (std::is_floating_point_v<W>)
                finite &= std::fabs(w) <= std::numeric_limits<W>::max(); // false for NaN too
            sum += static_cast<double>(w);
        }
        sums[static_cast<std::size_t>(begin / check_block)] = sum;
        WeightSummary<W> part{low, high};
        if (!finite)
            part.first_not_finite = detail::first_bad_in(
                begin, end, [&](std::int64_t i) { return !std::isfinite(static_cast<double>(weights[i])); });
        if constexpr (std::is_signed_v<W>)
            if (low < 0)
                part.first_negative = detail::first_bad_in(begin, end, [&](std::int64_t i) { return weights[i] < 0; });
        return part;
    };
    auto combine = [](const WeightSummary<W>& a, const WeightSummary<W>& b) {
        return WeightSummary<W>{std::min(a.lightest, b.lightest), std::max(a.heaviest, b.heaviest), 0,
                                detail::earlier(a.first_negative, b.first_negative),
                                detail::earlier(a.first_not_finite, b.first_not_finite)};
    };
    WeightSummary<W> all = reduce_blocks(threads, m, check_block, watch, none, of_block, combine);
    all.sum = std::accumulate(sums.begin(), sums.end(), 0.0);
    return all;
}

// The first arc with the same tail and head as an earlier one, or not_found. One mark per vertex, in one pass: far
// cheaper than sorting the rows.
inline std::int64_t first_parallel_arc(const Csr<Hop>& graph, Watch& watch) {
    std::vector<Vertex> last_tail(graph.n, no_vertex);
    for (Vertex u = 0; u < graph.n; ++u) {
        for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc) {
            Vertex& last = last_tail[graph.heads[arc]];
            if (last == u)
                return arc;
            last = u;
        }
        watch.tick(graph.offsets[u + 1] - graph.offsets[u] + 1);
    }
    return not_found;
}

// The largest out-degree.
inline Offset largest_degree(const Offset* offsets, std::uint64_t n, unsigned threads, Watch& watch) {
    auto of_block = [&](std::int64_t begin, std::int64_t end) {
        Offset largest = 0;
        for (std::int64_t v = begin; v < end; ++v)
            largest = std::max(largest, offsets[v + 1] - offsets[v]);
        return largest;
    };
    return reduce_blocks(threads, static_cast<std::int64_t>(n), check_block, watch, Offset{0}, of_block,
                         [](Offset a, Offset b) { return std::max(a, b); });
}

} // namespace pathfront
