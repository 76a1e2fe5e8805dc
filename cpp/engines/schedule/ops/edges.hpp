// Relaxing all arcs of the graph: a member takes a run of consecutive arcs, and one that changed something says so.
#pragma once

#include <thread>

#include "engines/schedule/context.hpp"

namespace pathfront {

// Writes a distance and its parent if that is still an improvement. Two words cannot be swapped at once: the parent's
// is taken away while both are written.
template <bool shared, class D>
bool improve_with_parent(const Query<D>& query, Vertex v, D sum, Vertex u) {
    constexpr Vertex locked = no_vertex - 1;
    std::atomic_ref<D> place(query.dist[v]);
    if (sum >= place.load(std::memory_order_relaxed))
        return false;
    if (!query.parent) {
        D now = place.load(std::memory_order_relaxed);
        while (sum < now)
            if (place.compare_exchange_weak(now, sum, std::memory_order_relaxed))
                return true;
        return false;
    }
    std::atomic_ref<Vertex> parent(query.parent[v]);
    if constexpr (!shared) {
        place.store(sum, std::memory_order_relaxed);
        parent.store(u, std::memory_order_relaxed);
        return true;
    }
    Vertex before;
    // acquire: what the last holder wrote to the distance is seen
    for (int tries = 1; (before = parent.exchange(locked, std::memory_order_acquire)) == locked; ++tries)
        if (tries % 64 == 0)
            std::this_thread::yield(); // the holder may wait for this core
    const bool better = sum < place.load(std::memory_order_relaxed);
    if (better)
        place.store(sum, std::memory_order_relaxed);
    parent.store(better ? u : before, std::memory_order_release);
    return better;
}

// The arcs [from, to), whose tails are found from the first on.
template <bool shared, class W, class D, class Me>
void relax_run(const Board<W, D>& board, Me& me, Offset from, Offset to) {
    const Csr<W>& graph = board.graph;
    const Offset* const last = graph.offsets + graph.n + 1;
    auto u = static_cast<Vertex>(std::upper_bound(graph.offsets, last, from) - graph.offsets - 1);
    for (Offset arc = from; arc < to; ++u) {
        const Offset end = std::min(to, graph.offsets[u + 1]);
        const D here = load<shared>(board.query.dist + u);
        if (here == unreached<D>)
            arc = end;
        for (const bool careful = board.careful(here); arc < end; ++arc) {
            D sum;
            if (!careful)
                sum = add(here, graph.weight(arc));
            else if (!add_checked(here, graph.weight(arc), sum)) {
                me.overflow = true;
                continue;
            }
            if (sum < load<shared>(board.query.dist + graph.heads[arc]) && sum <= board.query.cutoff)
                me.changed |= improve_with_parent<shared>(board.query, graph.heads[arc], sum, u);
        }
    }
    me.edges += static_cast<std::uint64_t>(to - from);
}

// All arcs; true if any distance fell.
template <class Hands>
bool relax_edges(const Instruction& it, Hands& hands) {
    const Offset m = hands.board.graph.m();
    const Offset run = std::max<Offset>(4096, m / (64 * hands.threads));
    Blocks runs(m, run);
    hands.run(m >= hands.worth.sweeping, it, it.queues.size(), [&](auto shared, auto& me, const auto&, unsigned id) {
        for (std::int64_t from, to; runs.next(from, to);) {
            relax_run<shared.value>(hands.board, me, from, to);
            if (!hands.pause(id, to - from))
                return;
        }
    });
    bool changed = false;
    for (auto& member : hands.members())
        changed |= std::exchange(member->changed, false);
    return changed;
}

} // namespace pathfront
