// Bellman-Ford, serial: passes over the list of arcs until nothing changes, at most n - 1 of them.
//
// Takes negative weights. A negative cycle shows in the parents: they stop being a tree and close a cycle. They are
// checked for one after pass 1, 2, 4, 8, ... at O(n) each, so that a cycle in a large graph is found long before pass
// n; from pass n on, when only a negative cycle can still lower a distance, after every pass.
#pragma once

#include "core/parent_cycle.hpp"
#include "core/search.hpp"

namespace pathfront {

// A distance as a number for traces.
template <class W, class D>
double traced_distance(const Csr<W>&, D dist) {
    return static_cast<double>(dist);
}

// A pass as a row of a trace: `row` has what it did. Every vertex waits for every pass, none for a later one; there are
// no queues that could hold stale entries, and which distances are final is known only when a pass changes none.
template <class Graph, class D>
void trace_pass(const Graph& graph, const Query<D>& query, bool changed, TraceRow row) {
    row.near = graph.n;
    row.far = row.discarded = 0;
    row.labelled = static_cast<std::uint64_t>(
        std::count_if(query.dist, query.dist + graph.n, [](const D& dist) { return !(dist == unreached<D>); }));
    row.final = changed ? 0 : row.labelled;
    query.trace->push_back(row);
}

// The passes. `overflow` is set if any sum left the range of D.
template <class Graph, class D>
Outcome<D> bellman_ford_passes(const Graph& graph, const Query<D>& query, Watch& watch) {
    Outcome<D> out;
    D* const dist = query.dist;
    Vertex* const parent = query.parent;
    clear_answers(query, 0, graph.n);
    for_sources(query, [&](Vertex v) { dist[v] = D{0}; });

    std::uint64_t next_check = 1;
    for (bool changed = true; changed;) {
        changed = false;
        TraceRow row{};
        for (Vertex u = 0; u < graph.n; ++u) {
            if (dist[u] == unreached<D>)
                continue;
            const Offset from = graph.offsets[u], to = graph.offsets[u + 1];
            const D start = dist[u]; // a negative loop lowers dist[u] in mid-row; the next pass sees it
            for (Offset arc = from; arc < to; ++arc) {
                const Vertex v = graph.heads[arc];
                D sum;
                if (!add_checked(start, graph.weight(arc), sum)) {
                    out.overflow = true;
                } else if (sum < dist[v] && sum <= query.cutoff) {
                    dist[v] = sum;
                    parent[v] = u;
                    changed = true;
                }
            }
            const double at = traced_distance(graph, start);
            row.low = row.frontier == 0 || at < row.low ? at : row.low;
            row.high = row.frontier == 0 || at > row.high ? at : row.high;
            ++row.frontier;
            row.edges_relaxed += static_cast<std::uint64_t>(to - from);
            watch.tick(to - from + 1);
        }
        ++out.iterations;
        out.vertices_processed += row.frontier;
        out.edges_relaxed += row.edges_relaxed;
        if (query.trace)
            trace_pass(graph, query, changed, row);
        watch.tick(graph.n); // reading the vertices that are not reached takes time, too
        if (changed && (out.iterations == next_check || out.iterations >= graph.n)) {
            next_check = 2 * out.iterations;
            out.on_cycle = find_parent_cycle(parent, graph.n);
            if (out.on_cycle != no_vertex)
                break;
        }
    }
    return out;
}

template <class W, class D>
Outcome<D> bellman_ford(const Csr<W>& graph, const Query<D>& query, Watch& watch) {
    const Outcome<D> out = bellman_ford_passes(graph, query, watch);
    return out.on_cycle != no_vertex ? out : finish(graph, query, out, all_targets_reached(query));
}

} // namespace pathfront
