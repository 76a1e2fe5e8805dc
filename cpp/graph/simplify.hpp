// A simple graph from any graph: rows sorted by head, no loops, only the lightest of parallel arcs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/blocks.hpp"
#include "core/csr.hpp"
#include "graph/tree.hpp"

namespace pathfront {

inline constexpr std::int64_t simplify_block = 1 << 10; // vertices: small, because degrees may be skewed

inline constexpr Offset long_row = 256; // arcs: from here on a radix sort is faster than a comparison sort

// Sorts a long row by a least-significant-digit radix sort. `spare` grows to the row's size.
inline void radix_sort(Vertex* row, Offset size, std::vector<Vertex>& spare) {
    constexpr unsigned digit_bits = 11, digits = 1 << digit_bits;
    const Vertex largest = *std::max_element(row, row + size);
    spare.resize(std::max(spare.size(), static_cast<std::size_t>(size)));
    Vertex *from = row, *to = spare.data();
    for (unsigned shift = 0; shift < 32 && largest >> shift != 0; shift += digit_bits) {
        Offset starts[digits + 1] = {};
        for (Offset i = 0; i < size; ++i)
            ++starts[(from[i] >> shift & (digits - 1)) + 1];
        std::partial_sum(starts, starts + digits + 1, starts);
        for (Offset i = 0; i < size; ++i)
            to[starts[from[i] >> shift & (digits - 1)]++] = from[i];
        std::swap(from, to);
    }
    if (from != row)
        std::copy_n(from, size, row);
}

// Sorts and simplifies the rows in place and writes the new length of each to lengths[v].
template <class W>
void simplify_rows(const Offset* offsets, Vertex n, Vertex* heads, W* weights, Offset* lengths, unsigned threads,
                   Watch& watch) {
    for_blocks(threads, n, simplify_block, watch, [&](unsigned, std::int64_t begin, std::int64_t end) {
        std::vector<std::pair<Vertex, W>> row;
        std::vector<Vertex> spare;
        for (std::int64_t v = begin; v < end; ++v) {
            const Offset from = offsets[v], to = offsets[v + 1];
            Offset kept = from;
            if constexpr (std::is_same_v<W, Hop>) {
                if (to - from < long_row)
                    std::sort(heads + from, heads + to);
                else
                    radix_sort(heads + from, to - from, spare);
                for (Offset i = from; i < to; ++i)
                    if (heads[i] != v && (kept == from || heads[kept - 1] != heads[i]))
                        heads[kept++] = heads[i];
            } else {
                row.clear();
                for (Offset i = from; i < to; ++i)
                    row.emplace_back(heads[i], weights[i]);
                std::sort(row.begin(), row.end());
                for (const auto& [head, weight] : row)
                    if (head != v && (kept == from || heads[kept - 1] != head)) {
                        heads[kept] = head;
                        weights[kept++] = weight;
                    }
            }
            lengths[v] = kept - from;
        }
    });
}

// Copies the simplified rows without the gaps between them. `packed` are the new offsets.
template <class T>
void pack_rows(const Offset* offsets, const Offset* packed, Vertex n, const T* from, T* to, unsigned threads,
               Watch& watch) {
    for_vertices(threads, n, simplify_block, watch, [&](unsigned, std::uint64_t v) {
        std::copy_n(from + offsets[v], packed[v + 1] - packed[v], to + packed[v]);
    });
}

// Sets arcs[i] to the arc of `graph` that arc i of the simplified graph is: the first of the lightest. The caller sets
// all to -1. Rows of the simplified graph are sorted, and each is written by one thread.
template <class W>
void kept_arcs(const Csr<W>& graph, const Offset* offsets, const Vertex* heads, Offset* arcs, unsigned threads,
               Watch& watch) {
    for_arcs(graph, threads, watch, [&](std::uint64_t u, std::uint64_t v, Offset arc) {
        const Vertex *begin = heads + offsets[u], *end = heads + offsets[u + 1];
        const Vertex* at = std::lower_bound(begin, end, static_cast<Vertex>(v));
        if (at == end || *at != v)
            return; // a loop
        Offset& kept = arcs[at - heads];
        if (kept < 0 || lighter(graph, arc, kept))
            kept = arc;
    });
}

} // namespace pathfront
