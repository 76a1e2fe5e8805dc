// Relaxing all arcs of the graph: a thread_state takes a run of consecutive arcs, and one that changed something says
// so.
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
template <bool shared, class W, class D, class ThreadState>
void relax_run(const SearchState<W, D>& state, ThreadState& thread, Offset from, Offset to) {
    const Csr<W>& graph = state.graph;
    const Offset* const last = graph.offsets + graph.n + 1;
    auto u = static_cast<Vertex>(std::upper_bound(graph.offsets, last, from) - graph.offsets - 1);
    for (Offset arc = from; arc < to; ++u) {
        const Offset end = std::min(to, graph.offsets[u + 1]);
        const D here = load<shared>(state.query.dist + u);
        if (here == unreached<D>)
            arc = end;
        for (const bool careful = state.careful(here); arc < end; ++arc) {
            D sum;
            if (!careful)
                sum = add(here, graph.weight(arc));
            else if (!add_checked(here, graph.weight(arc), sum)) {
                thread.overflow = true;
                continue;
            }
            if (sum < load<shared>(state.query.dist + graph.heads[arc]) && sum <= state.query.cutoff)
                thread.changed |= improve_with_parent<shared>(state.query, graph.heads[arc], sum, u);
        }
    }
    thread.edges += static_cast<std::uint64_t>(to - from);
}

// All arcs; true if any distance fell.
template <class Context>
bool relax_edges(const Instruction& it, Context& context) {
    const Offset m = context.state.graph.m();
    const Offset run = std::max<Offset>(4096, m / (64 * context.threads));
    Blocks runs(m, run);
    context.run(m >= context.thresholds.sweeping, it, it.queues.size(),
                [&](auto shared, auto& thread, const auto&, unsigned id) {
                    for (std::int64_t from, to; runs.next(from, to);) {
                        relax_run<shared.value>(context.state, thread, from, to);
                        if (!context.pause(id, to - from))
                            return;
                    }
                });
    bool changed = false;
    for (auto& thread_state : context.thread_states())
        changed |= std::exchange(thread_state->changed, false);
    return changed;
}

} // namespace pathfront
