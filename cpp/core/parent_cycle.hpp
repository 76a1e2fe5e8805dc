// Cycles among parents, which prove a negative cycle.
#pragma once

#include <vector>

#include "core/csr.hpp"

namespace pathfront {

// A vertex on a cycle of the parents, or no_vertex when they are a forest.
inline Vertex find_parent_cycle(const Vertex* parent, Vertex n) {
    std::vector<Vertex> walk(n, no_vertex); // the start of the first walk over a vertex
    for (Vertex start = 0; start < n; ++start)
        for (Vertex v = start; v != no_vertex && walk[v] != start; v = parent[v]) {
            if (walk[v] != no_vertex)
                break; // an earlier walk continued from here and found no cycle
            walk[v] = start;
            if (parent[v] != no_vertex && walk[parent[v]] == start)
                return v;
        }
    return no_vertex;
}

} // namespace pathfront
