// Dead ends, the vertices beyond which a search need not continue: vertices without arcs, and vertices with one arc
// that is a loop or leads back to their only predecessor. They are a sixth of all vertices in road networks, more in
// social networks.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/csr.hpp"
#include "core/watch.hpp"

namespace pathfront {

namespace detail {

// Sets the bits of vertices with at most `most` arcs and returns their number.
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

// Clears the bits of vertices with a predecessor that is not the head of their one arc; returns their number.
template <class W>
std::uint64_t unmark_through_vertices(const Csr<W>& graph, std::uint64_t* words, Watch& watch) {
    std::uint64_t cleared = 0;
    for (Vertex u = 0; u < graph.n; ++u) {
        watch.tick(graph.offsets[u + 1] - graph.offsets[u] + 1);
        for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc) {
            const Vertex v = graph.heads[arc];
            const std::uint64_t bit = std::uint64_t{1} << v % 64;
            if (!(words[v / 64] & bit) || v == u || graph.offsets[v] == graph.offsets[v + 1])
                continue;
            const Vertex next = graph.heads[graph.offsets[v]];
            if (next != u && next != v) {
                words[v / 64] &= ~bit;
                ++cleared;
            }
        }
    }
    return cleared;
}

} // namespace detail

// Sets the bits of dead ends in `words`, 64 vertices a word, and returns their number. With fewer than `least`
// candidates the second step costs more than it saves: the bits are then those of the candidates.
template <class W>
std::uint64_t mark_dead_ends(const Csr<W>& graph, bool undirected, std::uint64_t least, std::uint64_t* words,
                             Watch& watch) {
    const std::uint64_t count = detail::mark_low_degrees(graph, 1, words);
    if (undirected || count < least)
        return count;
    return count - detail::unmark_through_vertices(graph, words, watch);
}

} // namespace pathfront
