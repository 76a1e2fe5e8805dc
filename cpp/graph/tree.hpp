// Reading a tree of shortest paths: the path to a vertex, and the arcs that the tree is made of.
//
// A tree is an array of parents, which do not say by which of several parallel arcs a vertex was reached; a shortest
// path takes the lightest.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/blocks.hpp"
#include "core/csr.hpp"

namespace pathfront {

inline constexpr std::int64_t tree_block = 1 << 12; // vertices

// The vertices from the root down to `target`; empty when the parents lead to no root.
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

// The root that the parents of each vertex lead to. `root` comes with the roots in their own places and no_vertex in
// all others, which it keeps where there is no way up to a root.
inline void find_roots(const Vertex* parent, Vertex n, Vertex* root) {
    std::vector<Vertex> walk;
    for (Vertex start = 0; start < n; ++start) {
        Vertex v = start;
        for (; root[v] == no_vertex && parent[v] < n && walk.size() < n; v = parent[v])
            walk.push_back(v);
        for (; !walk.empty(); walk.pop_back())
            root[walk.back()] = root[v];
    }
}

// The lightest weight of each arc path[i]->path[i + 1]. The vertices of a path differ, so each row is read once.
template <class W>
void path_weights(const Csr<W>& graph, const Vertex* path, std::int64_t arcs, W* weights) {
    for (std::int64_t i = 0; i < arcs; ++i) {
        bool found = false;
        for (Offset arc = graph.offsets[path[i]]; arc < graph.offsets[path[i] + 1]; ++arc)
            if (graph.heads[arc] == path[i + 1] && (!found || graph.weights[arc] < weights[i])) {
                weights[i] = graph.weights[arc];
                found = true;
            }
    }
}

// The lightest weight of the arc parent[v]->v to weights[v], for every v that has a parent. All arcs that may lead to
// weights[v] are in the row of parent[v], so that only one thread ever writes there.
template <class W>
void tree_weights(const Csr<W>& graph, const Vertex* parent, W* weights, unsigned threads, Watch& watch) {
    std::vector<std::uint8_t> found(graph.n);
    for_blocks(threads, graph.n, tree_block, watch, [&](unsigned, std::int64_t begin, std::int64_t end) {
        for (auto u = static_cast<Vertex>(begin); u < end; ++u)
            for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc) {
                const Vertex v = graph.heads[arc];
                if (parent[v] == u && (!found[v] || graph.weights[arc] < weights[v])) {
                    weights[v] = graph.weights[arc];
                    found[v] = 1;
                }
            }
    });
}

} // namespace pathfront
