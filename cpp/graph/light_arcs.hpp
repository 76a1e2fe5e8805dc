// The light arcs of a graph as a graph of their own: of every vertex the arcs of weight at most `heaviest`, in order.
#pragma once

#include <cstdint>
#include <numeric>

#include "core/blocks.hpp"
#include "core/csr.hpp"
#include "core/packed_rows.hpp"

namespace pathfront {

// Fills offsets (n + 1), from which the caller allocates the arcs.
template <class W>
void count_light_arcs(const Csr<W>& graph, W heaviest, Offset* offsets, unsigned threads, Watch& watch) {
    for_vertices(threads, graph.n, row_block, watch, [&](unsigned, std::uint64_t v) {
        Offset count = 0;
        for (Offset arc = graph.offsets[v]; arc < graph.offsets[v + 1]; ++arc)
            count += graph.weights[arc] <= heaviest;
        offsets[v + 1] = count;
    });
    offsets[0] = 0;
    std::partial_sum(offsets, offsets + std::uint64_t{graph.n} + 1, offsets);
}

// Calls put(index, arc) for every light arc, with its index in the new rows. Before that, put() may be called for
// heavier arcs with the same index: a later call must overwrite an earlier one.
template <class W, class Index, class Put>
void put_light_arcs(const Csr<W>& graph, W heaviest, const Index* offsets, unsigned threads, Watch& watch, Put&& put) {
    for_vertices(threads, graph.n, row_block, watch, [&](unsigned, std::uint64_t v) {
        Index index = offsets[v];
        for (Offset arc = graph.offsets[v]; index < offsets[v + 1]; ++arc) { // other threads write beyond
            put(index, arc);
            index += graph.weights[arc] <= heaviest; // no branch: it could not be predicted
        }
    });
}

template <class W>
void copy_light_arcs(const Csr<W>& graph, W heaviest, const Offset* offsets, Vertex* heads, W* weights,
                     unsigned threads, Watch& watch) {
    put_light_arcs(graph, heaviest, offsets, threads, watch, [&](Offset index, Offset arc) {
        heads[index] = graph.heads[arc];
        weights[index] = graph.weights[arc];
    });
}

// The same into packed rows. A head and its weight must fit 32 bits together, and so must every offset.
template <class W>
void pack_light_arcs(const Csr<W>& graph, W heaviest, const std::uint32_t* offsets, std::uint32_t* arcs,
                     unsigned threads, Watch& watch) {
    const unsigned bits = bits_of_head(graph.n);
    put_light_arcs(graph, heaviest, offsets, threads, watch, [&](std::uint32_t index, Offset arc) {
        arcs[index] = graph.heads[arc] | static_cast<std::uint32_t>(graph.weights[arc]) << bits;
    });
}

} // namespace pathfront
