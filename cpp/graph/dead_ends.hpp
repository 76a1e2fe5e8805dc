// Vertices from which a search need not go on: those without arcs, and in an undirected graph those with one, which
// leads back to where one came from, or is a loop. In road networks they are a sixth of all vertices, in social ones
// more.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/csr.hpp"

namespace pathfront {

// Sets a vertex's bit in `words`, one for each 64 vertices, if it is a dead end. Returns how many are.
template <class W>
std::uint64_t mark_dead_ends(const Csr<W>& graph, bool undirected, std::uint64_t* words) {
    const Offset most = undirected ? 1 : 0;
    std::uint64_t count = 0;
    for (std::uint64_t first = 0; first < graph.n; first += 64) {
        const std::uint64_t end = std::min<std::uint64_t>(first + 64, graph.n);
        std::uint64_t word = 0;
        for (std::uint64_t v = first; v < end; ++v)
            word |= std::uint64_t{graph.offsets[v + 1] - graph.offsets[v] <= most} << (v - first);
        words[first / 64] = word;
        count += static_cast<std::uint64_t>(std::popcount(word));
    }
    return count;
}

} // namespace pathfront
