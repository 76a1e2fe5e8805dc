// The order in which Dijkstra's method settles vertices, recovered from their distances.
//
// With a heap that takes equal distances first in, first out, vertices are settled by distance, and those of one
// distance in the order in which a tight arc first reached them. So vertices are sorted into groups of equal distance,
// and each group is filled while the vertices before are scanned: whoever is reached first stands first. An arc of
// weight 0 appends to the group that is being scanned. The cost is a sort and one pass over the arcs, whatever found
// the distances, and on however many threads. Weights must not be negative.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/csr.hpp"
#include "core/distance.hpp"
#include "core/prefetch.hpp"
#include "core/watch.hpp"

namespace pathfront {

template <class D>
struct Reached {
    KeyOf<D> key;
    Vertex vertex;
};

// Sorts by key, from the lowest digit; digits that are the same in all keys are skipped. The sort is stable.
template <class D>
void sort_by_key(std::vector<Reached<D>>& entries, Watch& watch) {
    constexpr int bits = 11;
    constexpr std::size_t values = std::size_t{1} << bits;
    KeyOf<D> any = 0, all = ~KeyOf<D>{0};
    for (const Reached<D>& entry : entries) {
        any |= entry.key;
        all &= entry.key;
    }
    std::vector<Reached<D>> other(entries.size());
    for (int shift = 0; shift < static_cast<int>(8 * sizeof(KeyOf<D>)); shift += bits) {
        if ((((any ^ all) >> shift) & (values - 1)) == 0)
            continue;
        std::array<std::size_t, values> start{};
        for (const Reached<D>& entry : entries)
            ++start[(entry.key >> shift) & (values - 1)];
        watch.tick(static_cast<std::int64_t>(entries.size()));
        std::size_t before = 0;
        for (std::size_t& count : start)
            before += std::exchange(count, before);
        for (const Reached<D>& entry : entries)
            other[start[(entry.key >> shift) & (values - 1)]++] = entry;
        entries.swap(other);
        watch.tick(static_cast<std::int64_t>(entries.size()));
    }
}

// Requests what the scan of vertices soon to come reads: the offsets of one, the arcs of one that comes sooner.
template <class W>
void prefetch_row(const Csr<W>& graph, const Vertex* order, std::int64_t i, std::int64_t count) {
    constexpr std::int64_t offsets_ahead = 32, arcs_ahead = 16;
    if (i + offsets_ahead >= count)
        return;
    if (const Vertex u = order[i + offsets_ahead]; u != no_vertex)
        prefetch(graph.offsets + u);
    if (const Vertex u = order[i + arcs_ahead]; u != no_vertex) {
        prefetch(graph.heads + graph.offsets[u]);
        if constexpr (!std::is_same_v<W, Hop>)
            prefetch(graph.weights + graph.offsets[u]);
    }
}

// Fills order with the reached vertices, and parent[v] with the first tight predecessor of each (no_vertex: a source,
// or unreached). Returns their number, or -1 if these are not the distances from these sources.
template <class W, class D>
std::int64_t settle(const Csr<W>& graph, const D* dist, const Vertex* sources, std::int64_t source_count, Vertex* order,
                    Vertex* parent, Watch& watch) {
    std::vector<Reached<D>> reached;
    for (Vertex v = 0; v < graph.n; ++v)
        if (dist[v] != unreached<D>)
            reached.push_back({to_key(dist[v]), v});
    sort_by_key(reached, watch);
    const std::int64_t count = static_cast<std::int64_t>(reached.size());
    std::vector<Vertex> group(graph.n, no_vertex);  // where the group of a vertex starts in `order`; then no_vertex
    std::vector<Vertex> filled(reached.size() + 1); // by start of the group: how far it is filled
    for (std::int64_t i = 0, start = 0; i < count; ++i) {
        if (reached[i].key != reached[start].key)
            start = i;
        group[reached[i].vertex] = static_cast<Vertex>(start);
        filled[i] = static_cast<Vertex>(i);
        watch.tick(1);
    }
    std::fill_n(order, count, no_vertex);
    std::fill_n(parent, graph.n, no_vertex);
    const auto reach = [&](Vertex v) { order[filled[std::exchange(group[v], no_vertex)]++] = v; };
    for (std::int64_t i = 0; i < source_count; ++i)
        if (group[sources[i]] != no_vertex)
            reach(sources[i]);
    for (std::int64_t i = 0; i < count; ++i) {
        const Vertex u = order[i];
        if (u == no_vertex)
            return -1;
        prefetch_row(graph, order, i, count);
        watch.tick(graph.offsets[u + 1] - graph.offsets[u] + 1);
        for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc) {
            const Vertex v = graph.heads[arc];
            D sum;
            if (group[v] != no_vertex && add_checked(dist[u], graph.weight(arc), sum) && sum == dist[v]) {
                parent[v] = u;
                reach(v);
            }
        }
    }
    return count;
}

// Calls found(u, v) for every tight arc u->v, vertices u in the given order, the arcs of each in theirs.
template <class W, class D, class F>
void for_tight_arcs(const Csr<W>& graph, const D* dist, const Vertex* order, std::int64_t count, Watch& watch, F&& f) {
    for (std::int64_t i = 0; i < count; ++i) {
        const Vertex u = order[i];
        watch.tick(graph.offsets[u + 1] - graph.offsets[u] + 1);
        for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc) {
            D sum;
            if (add_checked(dist[u], graph.weight(arc), sum) && sum == dist[graph.heads[arc]])
                f(u, graph.heads[arc]);
        }
    }
}

} // namespace pathfront
