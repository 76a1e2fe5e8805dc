// Reading a tree of shortest paths: the path to a vertex, and the arcs that the tree is made of.
//
// A tree is an array of parents. It does not determine which of several parallel arcs leads to a vertex; a shortest
// path uses the lightest, of several equally light ones the first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/blocks.hpp"
#include "core/csr.hpp"

namespace pathfront {

// The vertices from the root down to `target`; empty when the parents do not lead to a root.
inline std::vector<Vertex> path_from_root(const Vertex* parent, Vertex n, Vertex target) {
    std::vector<Vertex> path;
    for (Vertex v = target; v != no_vertex; v = parent[v]) {
        if (v >= n || path.size() == n)
            return {};
        path.push_back(v);
    }
    std::reverse(path.begin(), path.end());
    return path;
}

// Sets root[v] to the root that the parents of v lead to. The caller sets root[v] = v for roots and no_vertex for all
// other vertices; no_vertex remains where the parents do not lead to a root.
inline void find_roots(const Vertex* parent, Vertex n, Vertex* root, Watch& watch) {
    std::vector<Vertex> walk;
    for (Vertex start = 0; start < n; ++start) {
        Vertex v = start;
        for (; root[v] == no_vertex && parent[v] < n && walk.size() < n; v = parent[v])
            walk.push_back(v);
        watch.tick(static_cast<std::int64_t>(walk.size()) + 1);
        for (; !walk.empty(); walk.pop_back())
            root[walk.back()] = root[v];
    }
}

// Whether arc a is preferred to arc b, a parallel one that comes before it: only if it is lighter.
template <class W>
bool lighter([[maybe_unused]] const Csr<W>& graph, [[maybe_unused]] Offset a, [[maybe_unused]] Offset b) {
    if constexpr (std::is_same_v<W, Hop>)
        return false;
    else
        return graph.weights[a] < graph.weights[b];
}

// The arc of each step path[i]->path[i + 1], -1 where there is none. The vertices of a path differ, so each row is read
// once.
template <class W>
void path_arcs(const Csr<W>& graph, const Vertex* path, std::int64_t steps, Offset* arcs) {
    for (std::int64_t i = 0; i < steps; ++i) {
        Offset found = -1;
        for (Offset arc = graph.offsets[path[i]]; arc < graph.offsets[path[i] + 1]; ++arc)
            if (graph.heads[arc] == path[i + 1] && (found < 0 || lighter(graph, arc, found)))
                found = arc;
        arcs[i] = found;
    }
}

// Sets arcs[v] to the arc parent[v]->v, for every v that has a parent; the caller sets all to -1. All these arcs are in
// the row of parent[v], so that only one thread writes arcs[v].
template <class W>
void tree_arcs(const Csr<W>& graph, const Vertex* parent, Offset* arcs, unsigned threads, Watch& watch) {
    for_arcs(graph, threads, watch, [&](std::uint64_t u, std::uint64_t v, Offset arc) {
        if (parent[v] == u && (arcs[v] < 0 || lighter(graph, arc, arcs[v])))
            arcs[v] = arc;
    });
}

} // namespace pathfront
