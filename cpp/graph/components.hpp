// Connected components: which vertices reach each other, in any direction (weak) or both ways (strong).
//
// Weak components: union-find over the arcs, the smaller root becomes the parent, and every step towards a root halves
// the path behind it. Strong components: Tarjan's depth-first search in the form of Pearce (2016), with an explicit
// stack and one number per vertex, which is the order of its visit first and its component's later. Both are serial,
// read every arc once and can be interrupted; scipy's need indices of 32 bits and a copy of the arcs.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "core/csr.hpp"
#include "core/prefetch.hpp"
#include "core/watch.hpp"

namespace pathfront {

// Writes the number of each vertex's weak component, in the order of their first vertices; returns how many there are.
inline Vertex weak_components(const Csr<Hop>& graph, Vertex* component, Watch& watch) {
    constexpr Offset ahead = 16;
    Vertex* const up = component; // towards the smallest vertex of the component, which is its root
    for (Vertex v = 0; v < graph.n; ++v)
        up[v] = v;
    auto root_of = [&](Vertex v) {
        while (up[v] != v)
            v = up[v] = up[up[v]];
        return v;
    };
    const Offset m = graph.m();
    for (Vertex u = 0; u < graph.n; ++u) {
        Vertex root = root_of(u);
        const Offset from = graph.offsets[u], to = graph.offsets[u + 1];
        for (Offset arc = from; arc < to; ++arc) {
            if (arc + ahead < m)
                prefetch(up + graph.heads[arc + ahead]);
            const Vertex other = root_of(graph.heads[arc]);
            const Vertex least = std::min(root, other);
            up[std::max(root, other)] = least;
            root = least;
        }
        watch.tick(to - from + 1);
    }
    Vertex count = 0;
    for (Vertex v = 0; v < graph.n; ++v) // roots come before the others, which are numbered like the vertex above
        component[v] = up[v] == v ? count++ : component[up[v]];
    return count;
}

// Writes the number of each vertex's strong component, in reverse topological order: no arc leads to a component of a
// higher number. Returns how many there are.
inline Vertex strong_components(const Csr<Hop>& graph, Vertex* component, Watch& watch) {
    struct Call {
        Vertex vertex, visit; // its number in the order of visits
        Offset arc;           // the next to follow
    };
    // Visits count up from 1, components down from the largest number; together they are at most n, so they never meet,
    // and a vertex whose component is known is greater than all others.
    Vertex* const low = component;
    Vertex visits = 0, last = no_vertex;
    std::vector<Call> calls;
    std::vector<Vertex> open; // left, but of a component whose first vertex is still being visited
    std::fill(low, low + graph.n, Vertex{0});
    auto visit = [&](Vertex v) {
        low[v] = ++visits;
        calls.push_back({v, visits, graph.offsets[v]});
    };
    auto leave = [&](const Call& call) {
        if (low[call.vertex] != call.visit) {
            open.push_back(call.vertex);
            return;
        }
        --visits;
        for (; !open.empty() && low[open.back()] >= call.visit; open.pop_back(), --visits)
            low[open.back()] = last;
        low[call.vertex] = last--;
    };
    for (Vertex start = 0; start < graph.n; ++start) {
        if (low[start] == 0)
            visit(start);
        while (!calls.empty()) {
            Call& call = calls.back();
            const Vertex u = call.vertex;
            const Offset end = graph.offsets[u + 1];
            Vertex least = low[u], next = no_vertex;
            for (; call.arc < end; ++call.arc) {
                const Vertex v = graph.heads[call.arc];
                if (low[v] == 0) { // the arc is read again when v has been left
                    next = v;
                    break;
                }
                least = std::min(least, low[v]);
            }
            low[u] = least;
            if (next != no_vertex) {
                visit(next);
                continue;
            }
            const Call done = call;
            calls.pop_back();
            leave(done);
            watch.tick(end - graph.offsets[u] + 1);
        }
    }
    for (Vertex v = 0; v < graph.n; ++v)
        component[v] = no_vertex - low[v];
    return no_vertex - last;
}

} // namespace pathfront
