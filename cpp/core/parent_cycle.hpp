// Cycles among parents: how a negative cycle shows.
#pragma once

#include <vector>

#include "core/csr.hpp"

namespace pathfront {

// A vertex on a cycle of the parents, or no_vertex when they are a forest.
inline Vertex find_parent_cycle(const Vertex* parent, Vertex n) {
    std::vector<Vertex> walk(n, no_vertex); // by which start a vertex was first walked over
    for (Vertex start = 0; start < n; ++start)
        for (Vertex v = start; v != no_vertex && walk[v] != start; v = parent[v]) {
            if (walk[v] != no_vertex)
                break; // an earlier walk went on from here and found nothing
            walk[v] = start;
            if (parent[v] != no_vertex && walk[parent[v]] == start)
                return v;
        }
    return no_vertex;
}

} // namespace pathfront
