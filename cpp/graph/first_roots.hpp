// Which of several equally near roots a vertex belongs to: the one of the lowest rank.
//
// A search from several sources gives each vertex the root that its parents happen to lead to. Where another shortest
// path leads from a root of lower rank, the vertex and what lies behind it change over to that one. This makes the
// roots depend on the graph alone, whatever the method and the number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "core/blocks.hpp"
#include "core/csr.hpp"
#include "core/distance.hpp"

namespace pathfront {

// rank[v] is the rank of the root that the parents of v lead to, no_vertex where there is none; both are changed. The
// parents remain a forest: one is written only together with a lower rank, and no vertex has a lower rank than its
// parent, so the new parent of v is none of its descendants.
template <class W, class D>
void prefer_first_roots(const Csr<W>& graph, const D* dist, Vertex* parent, Vertex* rank, unsigned threads,
                        Watch& watch) {
    struct Change {
        Vertex rank, head, tail;
    };
    const auto is_tight = [&](Vertex u, Vertex v, Offset arc) {
        D sum;
        return add_checked(dist[u], graph.weight(arc), sum) && sum == dist[v];
    };
    std::vector<std::vector<Change>> found(threads);
    for_vertices(threads, graph.n, row_block, watch, [&](unsigned id, Vertex u) {
        if (rank[u] == no_vertex)
            return;
        for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc)
            if (const Vertex v = graph.heads[arc]; rank[u] < rank[v] && is_tight(u, v, arc))
                found[id].push_back({rank[u], v, u});
    });

    std::vector<Change> changes;
    for (auto& part : found)
        changes.insert(changes.end(), part.begin(), part.end());
    // The lowest rank first: then each vertex changes only once.
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return std::tie(a.rank, a.head, a.tail) < std::tie(b.rank, b.head, b.tail);
    });
    std::vector<Vertex> walk;
    const auto change = [&](Vertex v, Vertex tail, Vertex to) {
        rank[v] = to;
        parent[v] = tail;
        walk.push_back(v);
    };
    for (const Change& each : changes) {
        if (each.rank < rank[each.head])
            change(each.head, each.tail, each.rank);
        while (!walk.empty()) {
            const Vertex u = walk.back();
            walk.pop_back();
            for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc)
                if (const Vertex v = graph.heads[arc]; rank[u] < rank[v] && is_tight(u, v, arc))
                    change(v, u, rank[u]);
            watch.tick(graph.offsets[u + 1] - graph.offsets[u] + 1);
        }
    }
}

} // namespace pathfront
