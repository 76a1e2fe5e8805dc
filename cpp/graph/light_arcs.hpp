// The light arcs of a graph as a graph of its own: of every vertex those that weigh at most `heaviest`, in their order.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/blocks.hpp"
#include "core/csr.hpp"

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

// Fills the rows that `offsets` leave room for.
template <class W>
void copy_light_arcs(const Csr<W>& graph, W heaviest, const Offset* offsets, Vertex* heads, W* weights,
                     unsigned threads, Watch& watch) {
    for_blocks(threads, graph.n, light_block, watch, [&](unsigned, std::int64_t begin, std::int64_t end) {
        for (std::int64_t v = begin; v < end; ++v) {
            Offset place = offsets[v];
            for (Offset arc = graph.offsets[v]; place < offsets[v + 1]; ++arc) { // no further: others write there
                heads[place] = graph.heads[arc];
                weights[place] = graph.weights[arc];
                place += graph.weights[arc] <= heaviest; // no branch: nobody could guess
            }
        }
    });
}

} // namespace pathfront
