// Whether every arc has an opposite of the same weight, in one pass and without extra memory.
//
// The arcs and their opposites are the same multiset exactly when the sums of their hashes agree, but for a probability
// of 2^-64. The key is drawn anew in each process, so that no file can be made to collide.
#pragma once

#include <functional>
#include <random>

#include "core/blocks.hpp"
#include "core/csr.hpp"
#include "core/distance.hpp"
#include "core/hash.hpp"

namespace pathfront {

inline std::uint64_t secret_key() {
    static const std::uint64_t key = [] {
        std::random_device device;
        return std::uint64_t{device()} << 32 | device();
    }();
    return key;
}

template <class W>
bool looks_symmetric(const Csr<W>& graph, unsigned threads, Watch& watch) {
    // An arc's hash mixes a random linear function of its tail, head and weight, which is cheaper than mixing each.
    const std::uint64_t key = secret_key(), of_tail = mix(key) | 1, of_head = mix(of_tail) | 1;
    const std::uint64_t of_weight = mix(of_head) | 1;
    auto sum_of_block = [&](std::int64_t begin, std::int64_t end) {
        std::uint64_t sum = 0;
        for (auto u = static_cast<std::uint64_t>(begin); u < static_cast<std::uint64_t>(end); ++u)
            for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc) {
                const std::uint64_t v = graph.heads[arc];
                std::uint64_t weight = key;
                if constexpr (std::is_floating_point_v<W>)
                    weight += of_weight * to_key(graph.weight(arc) + W{0}); // -0.0 is zero
                else if constexpr (!std::is_same_v<W, Hop>)
                    weight += of_weight * static_cast<std::uint64_t>(graph.weight(arc));
                sum += mix(weight + of_tail * u + of_head * v) - mix(weight + of_tail * v + of_head * u);
            }
        return sum;
    };
    return reduce_blocks(threads, graph.n, row_block, watch, std::uint64_t{0}, sum_of_block, std::plus<>()) == 0;
}

} // namespace pathfront
