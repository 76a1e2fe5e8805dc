// Vertices from which a search need not go on: those without arcs, and those with one that leads back to the only
// vertex from which one can have come, or is a loop. In road networks they are a sixth of all vertices, in social ones
// more.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/csr.hpp"

namespace pathfront {

namespace detail {

// Sets the bits of vertices with at most so many arcs.
template <class W>
std::uint64_t mark_low_degrees(const Csr<W>& graph, Offset most, std::uint64_t* words) {
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

// Takes back the bits of vertices that can be reached from elsewhere than where their one arc leads.
template <class W>
std::uint64_t unmark_thoroughfares(const Csr<W>& graph, std::uint64_t* words) {
    std::uint64_t taken_back = 0;
    for (Vertex u = 0; u < graph.n; ++u)
        for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc) {
            const Vertex v = graph.heads[arc];
            const std::uint64_t bit = std::uint64_t{1} << v % 64;
            if (!(words[v / 64] & bit) || v == u || graph.offsets[v] == graph.offsets[v + 1])
                continue;
            const Vertex next = graph.heads[graph.offsets[v]];
            if (next != u && next != v) {
                words[v / 64] &= ~bit;
                ++taken_back;
            }
        }
    return taken_back;
}

} // namespace detail

// Sets a vertex's bit in `words`, one for each 64 vertices, if it is a dead end. Returns how many are; fewer than
// `least` are not worth finding all of them.
template <class W>
std::uint64_t mark_dead_ends(const Csr<W>& graph, bool undirected, std::uint64_t least, std::uint64_t* words) {
    const std::uint64_t count = detail::mark_low_degrees(graph, 1, words);
    if (undirected || count < least)
        return count;
    return count - detail::unmark_thoroughfares(graph, words);
}

} // namespace pathfront
