// Properties of a graph's arcs, estimated from a sample.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/csr.hpp"

namespace pathfront {

inline constexpr Offset sampled_arcs = 1024; // arcs whose tails are the sample
inline constexpr Offset most_of_row = 64;    // arcs read of each sampled tail

// The typical weight of a vertex's lightest arc: the mean over the tails of evenly spaced arcs, so that a vertex counts
// by its degree, without the heaviest twentieth.
template <class W>
double lightest_of_vertex(const Csr<W>& graph) {
    const Offset m = graph.m(), count = std::min(m, sampled_arcs);
    std::vector<double> lightest;
    for (Offset i = 0; i < count; ++i) {
        const Offset arc = m / count * i + m % count * i / count; // m * i / count without overflow
        const Vertex tail = graph.tail(arc);
        const Offset from = graph.offsets[tail], to = std::min(graph.offsets[tail + 1], from + most_of_row);
        auto least = graph.weight(from);
        for (Offset other = from + 1; other < to; ++other)
            least = std::min(least, graph.weight(other));
        lightest.push_back(static_cast<double>(least));
    }
    std::sort(lightest.begin(), lightest.end());
    lightest.resize((lightest.size() * 19 + 19) / 20);
    double mean = 0;
    for (const double weight : lightest)
        mean += weight / static_cast<double>(lightest.size());
    return mean;
}

inline constexpr unsigned blocks_per_thread = 8;   // with fewer, one thread too often owns most of a level
inline constexpr unsigned least_block_bits = 15;   // with smaller blocks, one thread is as fast as two, or faster
inline constexpr double most_leaving = 0.05;       // the largest share of arcs that may leave their block
inline constexpr double arcs_beyond_a_path = 2.25; // arcs per vertex: a graph with fewer is close to a path
inline constexpr Vertex sampled_vertices = 256;    // tails in the sample of share_leaving
inline constexpr Offset arcs_of_vertex = 8;        // arcs read of each of them

// The share of sampled arcs whose head is not in the same block of 2^bits vertices as the tail.
template <class W>
double share_leaving(const Csr<W>& graph, unsigned bits) {
    const Vertex step = std::max<Vertex>(graph.n / sampled_vertices, 1) | 1; // odd: samples all columns of a grid
    std::int64_t arcs = 0, leaving = 0;
    for (std::uint64_t u = step / 2; u < graph.n; u += step) {
        const Offset from = graph.offsets[u], to = std::min(graph.offsets[u + 1], from + arcs_of_vertex);
        arcs += to - from;
        for (Offset arc = from; arc < to; ++arc)
            leaving += (graph.heads[arc] ^ u) >> bits != 0;
    }
    return arcs == 0 ? 0.0 : static_cast<double>(leaving) / static_cast<double>(arcs);
}

// The size of the blocks of vertices for an owner-computes search, as a power of two. 0 if no size suits: the graph is
// too small, or nearly a path, which has no parallelism, or the numbers of neighbours are too far apart.
template <class W>
unsigned choose_block_bits(const Csr<W>& graph, unsigned threads) {
    const Vertex size = graph.n / (blocks_per_thread * threads);
    if (size >> least_block_bits == 0 || graph.m() < graph.n * arcs_beyond_a_path)
        return 0;
    const auto bits = static_cast<unsigned>(std::bit_width(size)) - 1;
    return share_leaving(graph, bits) <= most_leaving ? bits : 0;
}

} // namespace pathfront
