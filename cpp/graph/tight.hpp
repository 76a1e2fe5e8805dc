// The tight arcs of a solved search, by head: all arcs u->v with dist[u] + weight == dist[v].
//
// Every shortest path is made of tight arcs. Where all weights are positive they form an acyclic graph, whose paths
// from the source are the shortest paths; tight arcs of weight zero may close cycles, loops among them.
//
// Two passes over the arcs, one that counts and one that fills. Threads that fill the same row leave its arcs in any
// order, so rows are sorted: the result does not depend on the threads. Arcs of one row ascend exactly when their tails
// do, which is why both can be sorted apart.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/blocks.hpp"
#include "core/csr.hpp"
#include "core/distance.hpp"

namespace pathfront {

// The tight arcs into v have the indices [offsets[v], offsets[v + 1]), in the order of their positions.
struct TightRows {
    std::vector<Offset> offsets;
    std::vector<Vertex> tails;
    std::vector<Offset> arcs;
};

namespace detail {

// Calls take(u, v, arc) for every tight arc, in parallel.
template <class W, class D, class Take>
void for_tight_arcs(const Csr<W>& graph, const D* dist, unsigned threads, Watch& watch, Take&& take) {
    for_arcs(graph, threads, watch, [&](std::uint64_t u, std::uint64_t v, Offset arc) {
        D sum;
        if (dist[u] != unreached<D> && add_checked(dist[u], graph.weight(arc), sum) && sum == dist[v])
            take(static_cast<Vertex>(u), v, arc);
    });
}

// counter++, also where other threads do the same.
inline Offset take_next(Offset& counter, bool shared) {
    return shared ? std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed) : counter++;
}

// Keeps the first arc of each tail in each row.
inline void drop_parallel_arcs(TightRows& rows, Watch& watch) {
    Offset kept = 0, begin = 0;
    for (std::size_t v = 0; v + 1 < rows.offsets.size(); ++v) {
        const Offset end = rows.offsets[v + 1];
        for (Offset i = begin; i < end; ++i)
            if (i == begin || rows.tails[i] != rows.tails[i - 1]) {
                rows.tails[kept] = rows.tails[i];
                rows.arcs[kept++] = rows.arcs[i];
            }
        rows.offsets[v + 1] = kept;
        watch.tick(end - begin + 1);
        begin = end;
    }
    rows.tails.resize(static_cast<std::size_t>(kept));
    rows.arcs.resize(static_cast<std::size_t>(kept));
}

} // namespace detail

// If `unique`, of parallel tight arcs only the first is listed.
template <class W, class D>
TightRows find_tight_arcs(const Csr<W>& graph, const D* dist, bool unique, unsigned threads, Watch& watch) {
    TightRows rows;
    rows.offsets.resize(std::size_t{graph.n} + 1);
    Offset* const ends = rows.offsets.data() + 1; // while rows are filled: the next free index of each
    const bool shared = threads > 1;
    detail::for_tight_arcs(graph, dist, threads, watch,
                           [&](Vertex, std::uint64_t v, Offset) { detail::take_next(ends[v], shared); });
    const Offset count = std::accumulate(ends, ends + graph.n, Offset{0});
    std::exclusive_scan(ends, ends + graph.n, ends, Offset{0});
    rows.tails.resize(static_cast<std::size_t>(count));
    rows.arcs.resize(static_cast<std::size_t>(count));
    detail::for_tight_arcs(graph, dist, threads, watch, [&](Vertex u, std::uint64_t v, Offset arc) {
        const Offset at = detail::take_next(ends[v], shared);
        rows.tails[at] = u;
        rows.arcs[at] = arc;
    });
    std::atomic<bool> parallel = false;
    for_vertices(threads, graph.n, row_block, watch, [&](unsigned, std::uint64_t v) {
        const Offset begin = rows.offsets[v], end = rows.offsets[v + 1];
        if (end - begin < 2)
            return;
        Vertex* const tails = rows.tails.data();
        std::sort(tails + begin, tails + end);
        std::sort(rows.arcs.data() + begin, rows.arcs.data() + end);
        if (unique && std::adjacent_find(tails + begin, tails + end) != tails + end)
            parallel.store(true, std::memory_order_relaxed);
    });
    if (parallel)
        detail::drop_parallel_arcs(rows, watch);
    return rows;
}

} // namespace pathfront
