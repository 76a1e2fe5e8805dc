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
    using Routes = typename Context::Routes;

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
            pull_all();
        else
            pull_rows();
        for (const FrontierVertex<D>& entry : frontier)
            state_[entry.vertex] = settled_vertex;
        return frontier.size();
    }

  private:
    // Calls pull_one(thread, routes, i) for every i below `count`.
    template <class PullOne>
    void pull_each(bool parallel, std::int64_t count, std::int64_t block, PullOne&& pull_one) {
        context_.for_blocks(parallel, it_, 1, count, block,
                            [&](auto, ThreadState& thread, const Routes& routes, unsigned, Offset from, Offset to) {
                                const std::uint64_t edges = thread.edges;
                                for (std::int64_t i = from; i < to; ++i)
                                    pull_one(thread, routes, i);
                                return static_cast<std::int64_t>(thread.edges - edges) + to - from;
                            });
    }

    void pull_all() {
        const std::int64_t n = context_.state.graph.n;
        pull_each(n >= context_.thresholds.sweeping, n, 1024, [&](ThreadState& thread, const Routes& routes, Offset v) {
            if (state_[v] == open_vertex)
                pull(thread, routes, static_cast<Vertex>(v));
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
        pull_each(false, std::ssize(candidates), 64, [&](ThreadState& thread, const Routes& routes, Offset i) {
            const Vertex v = candidates[static_cast<std::size_t>(i)];
            state_[v] = open_vertex;
            pull(thread, routes, v);
        });
    }

    void pull(ThreadState& thread, const Routes& routes, Vertex v) {
        const Csr<W>& arcs = context_.state.in_arcs;
        const D* const dist = context_.state.query.dist;
        pull_lowest(thread, routes, v, [&](const D&, auto&& offer) {
            for (Offset arc = arcs.offsets[v]; arc < arcs.offsets[v + 1]; ++arc)
                if (const Vertex u = arcs.heads[arc]; state_[u] == frontier_vertex)
                    offer(u, dist[u], arcs.weight(arc));
            thread.edges += static_cast<std::uint64_t>(arcs.offsets[v + 1] - arcs.offsets[v]);
        });
    }

    // Scans the rows of a matrix.
    void pull_rows() {
        const std::int64_t n = context_.state.graph.n;
        auto& dist = context_.buffers.frontier_dist;
        dist.assign(context_.state.graph.n, unreached<D>);
        bool checked = false;
        for (const FrontierVertex<D>& entry : context_.buffers.frontier) {
            dist[entry.vertex] = entry.dist;
            checked |= context_.state.checks(entry.dist);
        }
        pull_each(true, n, 64, [&](ThreadState& thread, const Routes& routes, Offset v) {
            if (state_[v] != open_vertex)
                return;
            const auto* const row = context_.state.dense_in.rows + v * n;
            pull_lowest(thread, routes, static_cast<Vertex>(v), [&](const D& best, auto&& offer) {
                for_edges<vectors::Pulling>(row, dist.data(), best, checked, 0, n, [&](std::int64_t u) {
                    if (const D there = dist[static_cast<std::size_t>(u)]; there != unreached<D>)
                        offer(static_cast<Vertex>(u), there, row[u]);
                });
            });
            thread.edges += static_cast<std::uint64_t>(n);
        });
    }

    // Lowers the distance of v to the lowest sum along its in-arcs. `scan(best, offer)` calls offer(u, dist, weight)
    // for the arcs u->v from the frontier; `best` is the lowest sum so far.
    template <class Scan>
    void pull_lowest(ThreadState& thread, const Routes& routes, Vertex v, Scan&& scan) {
        const Query<D>& query = context_.state.query;
        D best = query.dist[v];
        Vertex parent = no_vertex;
        scan(best, [&](Vertex u, D dist, auto weight) {
            D sum;
            if (!add_checked(dist, weight, sum)) {
                thread.overflow = true;
            } else if (sum < best && sum <= query.cutoff) {
                best = sum;
                parent = u;
            }
        });
        if (parent == no_vertex)
            return;
        query.dist[v] = best;
        routes(best).push({best, v, parent}, thread.pool);
    }

    const Instruction& it_;
    Context& context_;
    const bool matrix_;
    std::uint8_t* const state_;
};

} // namespace pathfront
