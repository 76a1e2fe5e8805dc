// The one-pass bound, a lower bound for the time of a search: every arc of the reached vertices is relaxed once, in the
// order of their final distances, which a search does not know beforehand. No queue, no wasted work, memory prefetched:
// no serial method that relaxes every arc can do less.
//
// Two forms. The plain one writes a distance if it is an improvement. The other one always writes the smaller of both,
// which spares the processor a branch prediction for every arc: about twice as fast on roads, and out of reach for a
// search, which has to know which vertices it has improved.
#pragma once

#include "relax/relax.hpp"

namespace pathfront {

// `order` holds the reached vertices by distance; dist is overwritten.
template <bool always_write, class W, class D>
void one_pass(const Csr<W>& graph, const Vertex* order, std::int64_t count, D* dist) {
    std::fill_n(dist, graph.n, unreached<D>);
    if (count > 0)
        dist[order[0]] = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        if (i + ahead_vertex < count) {
            prefetch(dist + order[i + ahead_vertex]);
            prefetch(graph.offsets + order[i + ahead_vertex]);
        }
        if (i + ahead_arcs < count)
            prefetch_arcs(graph, order[i + ahead_arcs]);
        const Vertex u = order[i];
        const D here = dist[u];
        for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc) {
            const D sum = add(here, graph.weight(arc));
            D& there = dist[graph.heads[arc]];
            if constexpr (always_write)
                there = sum < there ? sum : there;
            else if (sum < there)
                there = sum;
        }
    }
}

} // namespace pathfront
