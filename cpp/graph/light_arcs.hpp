// The light arcs of a graph in rows of their own: of every vertex those that weigh at most `heaviest`, in their order.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/blocks.hpp"
#include "core/csr.hpp"
#include "core/packed_rows.hpp"

namespace pathfront {

inline constexpr std::int64_t light_block = 1 << 12;

// Fills offsets (n + 1), so that there is room to be made for the arcs.
template <class W>
void count_light_arcs(const Csr<W>& graph, W heaviest, Offset* offsets, unsigned threads, Watch& watch) {
    for_blocks(threads, graph.n, light_block, watch, [&](unsigned, std::int64_t begin, std::int64_t end) {
        for (std::int64_t v = begin; v < end; ++v) {
            Offset count = 0;
            for (Offset arc = graph.offsets[v]; arc < graph.offsets[v + 1]; ++arc)
                count += graph.weights[arc] <= heaviest;
            offsets[v + 1] = count;
        }
    });
    offsets[0] = 0;
    for (std::uint64_t v = 0; v < graph.n; ++v)
        offsets[v + 1] += offsets[v];
}

// Calls put(place, arc) for every light arc, with its place in the rows that `offsets` leave room for; and before that,
// with the same place, for others, of which nothing must remain.
template <class W, class Index, class Put>
void place_light_arcs(const Csr<W>& graph, W heaviest, const Index* offsets, unsigned threads, Watch& watch,
                      Put&& put) {
    for_blocks(threads, graph.n, light_block, watch, [&](unsigned, std::int64_t begin, std::int64_t end) {
        for (std::int64_t v = begin; v < end; ++v) {
            Index place = offsets[v];
            for (Offset arc = graph.offsets[v]; place < offsets[v + 1]; ++arc) { // no further: others write there
                put(place, arc);
                place += graph.weights[arc] <= heaviest; // no branch: nobody could guess
            }
        }
    });
}

template <class W>
void copy_light_arcs(const Csr<W>& graph, W heaviest, const Offset* offsets, Vertex* heads, W* weights,
                     unsigned threads, Watch& watch) {
    place_light_arcs(graph, heaviest, offsets, threads, watch, [&](Offset place, Offset arc) {
        heads[place] = graph.heads[arc];
        weights[place] = graph.weights[arc];
    });
}

// The same into packed rows, if neither a head and a weight nor an offset needs more than a word.
template <class W>
void pack_light_arcs(const Csr<W>& graph, W heaviest, const std::uint32_t* offsets, std::uint32_t* arcs,
                     unsigned threads, Watch& watch) {
    const unsigned bits = bits_of_head(graph.n);
    place_light_arcs(graph, heaviest, offsets, threads, watch, [&](std::uint32_t place, Offset arc) {
        arcs[place] = graph.heads[arc] | static_cast<std::uint32_t>(graph.weights[arc]) << bits;
    });
}

} // namespace pathfront
