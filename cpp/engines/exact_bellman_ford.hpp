// Bellman-Ford in exact arithmetic: sums are never rounded, only the distances in the end, each once.
//
// Rounded sums are no basis for negative weights: around a cycle of length 0, or a little above, rounding may lower a
// distance again and again, so that there is no shortest distance, parents close a cycle, or a negative one seems to
// exist. Exact distances are lowered only around a cycle that is negative.
//
// It decides for all methods what fits no machine integer; as a method it would be slow.
#pragma once

#include <vector>

#include "core/exact_csr.hpp"
#include "engines/bellman_ford.hpp"

namespace pathfront {

template <class W, int words>
double traced_distance(const ExactCsr<W, words>& graph, const FixedPoint<words>& dist) {
    return to_float<double>(dist, graph.unit);
}

// Sources and parents are those of the query; it has no cutoff and no targets. `overflow` is set if a distance is
// beyond the range of D.
template <class W, class D>
Outcome<D> exact_bellman_ford(const Csr<W>& graph, const Query<D>& query, unsigned threads, Watch& watch) {
    return with_exact_weights(graph, threads, watch, [&]<int words>(const ExactCsr<W, words>& exact) {
        using Number = FixedPoint<words>;
        std::vector<Number> dist(graph.n);
        const Outcome<Number> found = bellman_ford_passes(exact,
                                                          Query<Number>{.source = query.source,
                                                                        .others = query.others,
                                                                        .other_count = query.other_count,
                                                                        .dist = dist.data(),
                                                                        .parent = query.parent,
                                                                        .trace = query.trace},
                                                          watch);
        Outcome<D> out{.iterations = found.iterations,
                       .vertices_processed = found.vertices_processed,
                       .edges_relaxed = found.edges_relaxed,
                       .on_cycle = found.on_cycle};
        for (Vertex v = 0; v < graph.n; ++v)
            if (dist[v] == unreached<Number>)
                query.dist[v] = unreached<D>;
            else if (!to_distance(dist[v], exact.unit, query.dist[v]))
                out.overflow = true;
        return out;
    });
}

} // namespace pathfront
