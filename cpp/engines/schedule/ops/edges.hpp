// Relaxing all arcs of the graph: each thread takes runs of consecutive arcs, and notes whether a distance fell.
#pragma once

#include "engines/schedule/context.hpp"

namespace pathfront {

// Relaxes the arcs [from, to).
template <bool shared, class W, class D, class ThreadState>
void relax_run(const SearchState<W, D>& state, ThreadState& thread, Offset from, Offset to) {
    constexpr Writers writers = shared ? Writers::all : Writers::one;
    const Csr<W>& graph = state.graph;
    D* const dist = state.query.dist;
    Vertex* const parent = state.query.parent;
    Vertex u = graph.tail(from);
    for (Offset arc = from; arc < to; ++u) {
        const Offset end = std::min(to, graph.offsets[u + 1]);
        const D here = load<writers>(dist + u);
        if (here == unreached<D>)
            arc = end;
        for (const bool checked = state.checks(here); arc < end; ++arc) {
            D sum;
            if (!checked)
                sum = add(here, graph.weight(arc));
            else if (!add_checked(here, graph.weight(arc), sum)) {
                thread.overflow = true;
                continue;
            }
            const Vertex v = graph.heads[arc];
            if (sum >= load<writers>(dist + v) || sum > state.query.cutoff)
                continue;
            D before;
            if (shared && parent) {
                thread.changed |= lower_with_parent(dist + v, parent + v, sum, u, before);
            } else if (shared) {
                thread.changed |= lower(dist + v, sum, before);
            } else {
                dist[v] = sum;
                if (parent)
                    parent[v] = u;
                thread.changed = true;
            }
        }
    }
    thread.edges += static_cast<std::uint64_t>(to - from);
}

// Relaxes all arcs; true if any distance fell.
template <class Context>
bool relax_edges(const Instruction& it, Context& context) {
    const Offset m = context.state.graph.m();
    const Offset run = std::max<Offset>(4096, m / (64 * context.threads));
    context.for_blocks(m >= context.thresholds.sweeping, it, it.queues.size(), m, run,
                       [&](auto shared, auto& thread, const auto&, unsigned, Offset from, Offset to) {
                           relax_run<shared.value>(context.state, thread, from, to);
                           return to - from;
                       });
    bool changed = false;
    for (auto& thread : context.thread_states())
        changed |= std::exchange(thread->changed, false);
    return changed;
}

} // namespace pathfront
