// Whether every arc has its opposite, of the same weight, in one pass and without any memory.
//
// The arcs and their opposites are the same bag exactly when sums of hashes over both agree, but for a chance of 2^-64;
// the key is drawn anew in each process, so that no file can be made to deceive it.
#pragma once

#include <bit>
#include <random>
#include <vector>

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
    constexpr std::int64_t block = 1 << 12;
    const std::uint64_t key = secret_key();
    std::vector<std::uint64_t> sums(threads, 0);
    for_blocks(threads, graph.n, block, watch, [&](unsigned id, std::int64_t begin, std::int64_t end) {
        std::uint64_t sum = 0;
        for (auto u = static_cast<std::uint64_t>(begin); u < static_cast<std::uint64_t>(end); ++u)
            for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc) {
                const std::uint64_t v = graph.heads[arc];
                std::uint64_t salt = key;
                if constexpr (std::is_floating_point_v<W>)
                    salt ^= mix(to_key(graph.weight(arc) + W{0})); // -0.0 is zero
                else if constexpr (!std::is_same_v<W, Hop>)
                    salt ^= mix(static_cast<std::uint64_t>(graph.weight(arc)));
                sum += mix(salt ^ mix(u << 32 | v)) - mix(salt ^ mix(v << 32 | u));
            }
        sums[id] += sum;
    });
    std::uint64_t all = 0;
    for (const std::uint64_t sum : sums)
        all += sum;
    return all == 0;
}

} // namespace pathfront
