// Relaxing all arcs of the graph: each thread takes runs of consecutive arcs, and notes whether a distance fell. Or the
// lists of all reached vertices: each thread takes vertices, with all of their arcs.
//
// Sums are of the distances `tails`: the present ones, or those from before the pass.
#pragma once

#include "engines/schedule/context.hpp"

namespace pathfront {

inline constexpr Vertex lists_at_once = 1024; // that a thread takes

// Relaxes the arcs [arc, end) of a vertex.
template <bool shared, class W, class D, class ThreadState>
[[gnu::always_inline]] inline void relax_list(const SearchState<W, D>& state, ThreadState& thread, Vertex u, D here,
                                              Offset arc, Offset end) {
    constexpr Writers writers = shared ? Writers::all : Writers::one;
    const Csr<W> graph = state.graph;
    D* const dist = state.query.dist;
    Vertex* const parent = state.query.parent;
    const D cutoff = state.query.cutoff;
    for (const bool checked = state.checks(here); arc < end; ++arc) {
        D sum;
        if (!checked)
            sum = add(here, graph.weight(arc));
        else if (!add_checked(here, graph.weight(arc), sum)) {
            thread.overflow = true;
            continue;
        }
        const Vertex v = graph.heads[arc];
        if (sum >= load<writers>(dist + v) || sum > cutoff)
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

// Relaxes the arcs [from, to).
template <bool shared, class W, class D, class ThreadState>
[[gnu::noinline]] void relax_run(const SearchState<W, D>& state, ThreadState& thread, const D* tails, Offset from,
                                 Offset to) {
    const Csr<W>& graph = state.graph;
    Vertex u = graph.tail(from);
    for (Offset arc = from; arc < to; ++u) {
        const Offset end = std::min(to, graph.offsets[u + 1]);
        const D here = load<shared ? Writers::all : Writers::one>(tails + u);
        if (here != unreached<D>)
            relax_list<shared>(state, thread, u, here, arc, end);
        arc = end;
    }
    thread.edges += static_cast<std::uint64_t>(to - from);
}

// Relaxes the arcs of the reached ones among the vertices [from, to), and marks these, if there are marks.
template <bool shared, class W, class D, class ThreadState>
[[gnu::noinline]] void relax_lists(const SearchState<W, D>& state, ThreadState& thread, const D* tails,
                                   std::uint8_t* marks, Vertex from, Vertex to) {
    const Csr<W>& graph = state.graph;
    for (Vertex u = from; u < to; ++u) {
        const D here = load<shared ? Writers::all : Writers::one>(tails + u);
        if (marks)
            marks[u] = here != unreached<D>;
        if (here == unreached<D>)
            continue;
        relax_list<shared>(state, thread, u, here, graph.offsets[u], graph.offsets[u + 1]);
        thread.edges += static_cast<std::uint64_t>(graph.offsets[u + 1] - graph.offsets[u]);
        ++thread.vertices;
    }
}

// The distances whose sums a pass offers.
template <class Context>
auto tails_of(const Instruction& it, Context& context) {
    const auto* const dist = context.state.query.dist;
    if (it.number != synchronous)
        return dist;
    context.buffers.frontier_dist.assign(dist, dist + context.state.graph.n);
    return std::as_const(context.buffers.frontier_dist).data();
}

// Relaxes all arcs, or the lists of all reached vertices; true if any distance fell.
template <class Context>
bool relax_all(const Instruction& it, Context& context) {
    const auto* const tails = tails_of(it, context);
    const Offset m = context.state.graph.m(), run = std::max<Offset>(4096, m / (64 * context.threads));
    const bool parallel = m >= context.thresholds.sweeping, by_vertex = it.op == Op::relax_vertices;
    std::uint8_t* const marks = context.buffers.state.empty() ? nullptr : context.buffers.state.data();
    context.for_blocks(parallel, it, it.queues.size(), by_vertex ? context.state.graph.n : m,
                       by_vertex ? lists_at_once : run,
                       [&](auto shared, auto& thread, const auto&, unsigned, Offset from, Offset to) {
                           const std::uint64_t edges = thread.edges;
                           if (by_vertex)
                               relax_lists<shared.value>(context.state, thread, tails, marks, static_cast<Vertex>(from),
                                                         static_cast<Vertex>(to));
                           else
                               relax_run<shared.value>(context.state, thread, tails, from, to);
                           return static_cast<std::int64_t>(thread.edges - edges) + 1;
                       });
    bool changed = false;
    for (auto& thread : context.thread_states())
        changed |= std::exchange(thread->changed, false);
    return changed;
}

} // namespace pathfront
