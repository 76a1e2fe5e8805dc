// Pulling: every vertex that is not settled scans its in-arcs for frontier vertices.
//
// Each vertex is written by one thread only, so nothing is atomic. Where the frontier is small most vertices would scan
// in vain: then the heads of its arcs are listed first, and only these candidates scan.
#pragma once

#include "engines/schedule/ops/dense.hpp"
#include "engines/schedule/ops/frontier.hpp"

namespace pathfront {

enum : std::uint8_t { open_vertex, frontier_vertex, settled_vertex, candidate_vertex };

template <class W, class D, Parents parents>
class Pull {
  public:
    using Context = pathfront::Context<W, D, parents>;
    using ThreadState = typename Context::ThreadState;

    Pull(const Instruction& it, Context& context)
        : it_(it), context_(context), matrix_(context.state.dense_in.rows), state_(context.buffers.state.data()) {}

    // Takes the frontier out of its queue and returns its size; its vertices are settled afterwards.
    std::uint64_t operator()() {
        take_frontier(it_, context_, [&](Vertex v) { state_[v] = frontier_vertex; });
        const auto& frontier = context_.buffers.frontier;
        const Csr<W>& graph = context_.state.graph;
        Offset arcs = 0;
        for (const FrontierVertex<D>& entry : frontier)
            arcs += graph.offsets[entry.vertex + 1] - graph.offsets[entry.vertex];
        if (!matrix_ && arcs < static_cast<Offset>(graph.n) / 4)
            pull_candidates();
        else if (!matrix_)
            pull_all([&](ThreadState& thread, const auto& routes, Vertex v) { pull(thread, routes, v); });
        else
            pull_rows();
        for (const FrontierVertex<D>& entry : frontier)
            state_[entry.vertex] = settled_vertex;
        return frontier.size();
    }

  private:
    template <class PullOne>
    void pull_all(PullOne&& pull_one) {
        Blocks blocks(context_.state.graph.n, matrix_ ? 64 : 1024);
        context_.run(matrix_ || context_.state.graph.n >= context_.thresholds.sweeping, it_, 1,
                     [&](auto, ThreadState& thread, const auto& routes, unsigned id) {
                         for (std::int64_t from, to; blocks.next(from, to);) {
                             const std::uint64_t edges = thread.edges;
                             for (auto v = static_cast<Vertex>(from); v < to; ++v)
                                 if (state_[v] == open_vertex)
                                     pull_one(thread, routes, v);
                             if (!context_.pause(id, static_cast<std::int64_t>(thread.edges - edges) + to - from))
                                 return;
                         }
                     });
    }

    void pull_rows() {
        auto& dist = context_.buffers.frontier_dist;
        dist.assign(context_.state.graph.n, unreached<D>);
        bool checked = false;
        for (const FrontierVertex<D>& entry : context_.buffers.frontier) {
            dist[entry.vertex] = entry.dist;
            checked |= context_.state.checks(entry.dist);
        }
        pull_all([&](ThreadState& thread, const auto& routes, Vertex v) {
            pull_row(context_.state, thread, routes, dist.data(), checked, v);
        });
    }

    // Only the heads of the frontier's arcs scan.
    void pull_candidates() {
        const Csr<W>& graph = context_.state.graph;
        auto& candidates = context_.buffers.candidates;
        candidates.clear();
        for (const FrontierVertex<D>& entry : context_.buffers.frontier)
            for (Offset arc = graph.offsets[entry.vertex]; arc < graph.offsets[entry.vertex + 1]; ++arc)
                if (state_[graph.heads[arc]] == open_vertex) {
                    state_[graph.heads[arc]] = candidate_vertex;
                    candidates.push_back(graph.heads[arc]);
                }
        context_.run(false, it_, 1, [&](auto, ThreadState& thread, const auto& routes, unsigned id) {
            for (Vertex v : candidates) {
                const std::uint64_t edges = thread.edges;
                state_[v] = open_vertex;
                pull(thread, routes, v);
                context_.pause(id, static_cast<std::int64_t>(thread.edges - edges) + 1);
            }
        });
    }

    template <class Routes>
    void pull(ThreadState& thread, const Routes& routes, Vertex v) {
        const SearchState<W, D>& state = context_.state;
        const Csr<W>& arcs = state.in_arcs;
        D best = state.query.dist[v];
        Vertex parent = no_vertex;
        for (Offset arc = arcs.offsets[v]; arc < arcs.offsets[v + 1]; ++arc) {
            const Vertex u = arcs.heads[arc];
            if (state_[u] != frontier_vertex)
                continue;
            D sum;
            if (!add_checked(state.query.dist[u], arcs.weight(arc), sum)) {
                thread.overflow = true;
            } else if (sum < best && sum <= state.query.cutoff) {
                best = sum;
                parent = u;
            }
        }
        thread.edges += static_cast<std::uint64_t>(arcs.offsets[v + 1] - arcs.offsets[v]);
        if (parent == no_vertex)
            return;
        state.query.dist[v] = best;
        routes(best).push({best, v, parent}, thread.pool);
    }

    const Instruction& it_;
    Context& context_;
    const bool matrix_;
    std::uint8_t* const state_;
};

} // namespace pathfront
