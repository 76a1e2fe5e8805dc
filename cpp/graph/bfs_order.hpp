// The order in which a breadth-first search with one queue finds the vertices: those of a row in the row's order. If
// arcs may be taken in both directions, a vertex's row of the reversed graph follows that of the graph.
//
// The queue says early which memory will be needed, so all of it is prefetched: where a row begins, then the row, then
// the predecessors of its first heads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/csr.hpp"
#include "core/prefetch.hpp"
#include "core/watch.hpp"

namespace pathfront {

// How many vertices ahead in the queue, each far enough for the one before it to have arrived.
inline constexpr std::int64_t order_ahead_offsets = 24, order_ahead_heads = 16, order_ahead_parents = 8;
inline constexpr Offset order_prefetched_arcs = 8; // of a row

// Writes the vertices found, at most n, to `order` and their predecessors to `parent`, whose entries the caller has
// made negative; returns their number.
inline std::int64_t bfs_order(const Csr<Hop>& graph, const Csr<Hop>* reversed, Vertex source, std::int32_t* order,
                              std::int32_t* parent, Watch& watch) {
    std::int64_t found = 0;
    order[found++] = static_cast<std::int32_t>(source);
    const std::int32_t none = parent[source];
    parent[source] = static_cast<std::int32_t>(source); // until the end: it is found
    auto fetch = [&](const Csr<Hop>& rows, std::int64_t i) {
        if (i + order_ahead_offsets < found)
            prefetch(rows.offsets + order[i + order_ahead_offsets]);
        if (i + order_ahead_heads < found)
            prefetch(rows.heads + rows.offsets[order[i + order_ahead_heads]]);
        if (i + order_ahead_parents < found) {
            const std::int32_t u = order[i + order_ahead_parents];
            const Offset from = rows.offsets[u], to = std::min(rows.offsets[u + 1], from + order_prefetched_arcs);
            for (Offset arc = from; arc < to; ++arc)
                prefetch(parent + rows.heads[arc]);
        }
    };
    auto scan = [&](const Csr<Hop>& rows, std::int64_t i) {
        fetch(rows, i);
        const std::int32_t u = order[i];
        for (Offset arc = rows.offsets[u]; arc < rows.offsets[u + 1]; ++arc) {
            const Vertex v = rows.heads[arc];
            if (parent[v] < 0) {
                parent[v] = u;
                order[found++] = static_cast<std::int32_t>(v);
            }
        }
        watch.tick(rows.offsets[u + 1] - rows.offsets[u] + 1);
    };
    for (std::int64_t i = 0; i < found; ++i) {
        scan(graph, i);
        if (reversed)
            scan(*reversed, i);
    }
    parent[source] = none;
    return found;
}

} // namespace pathfront
