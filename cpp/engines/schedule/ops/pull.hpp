// Pulling: every vertex that is not settled looks among its in-arcs for the vertices that have just been.
//
// A vertex is written by one thread_state only, so nothing is atomic. Where the front is small most vertices would look
// in vain: then those that it has arcs to are found first, and only they look.
#pragma once

#include "engines/schedule/ops/dense.hpp"
#include "engines/schedule/ops/frontier.hpp"

namespace pathfront {

enum : std::uint8_t { open_vertex, front_vertex, settled_vertex, called_vertex };

template <class W, class D, bool keeps_parents>
class Pull {
  public:
    using Context = pathfront::Context<W, D, keeps_parents>;
    using ThreadState = typename Context::ThreadState;

    Pull(const Instruction& it, Context& context)
        : it_(it), context_(context), matrix_(context.state.dense_in.rows), state_(context.buffers.state.data()) {}

    // Takes the front out of its queue and returns how many vertices it has; they are settled afterwards.
    std::uint64_t operator()() {
        take_frontier(it_, context_, [&](Vertex v) { state_[v] = front_vertex; });
        const auto& front = context_.buffers.front;
        const Csr<W>& graph = context_.state.graph;
        Offset arcs = 0;
        for (const FrontierVertex<D>& entry : front)
            arcs += graph.offsets[entry.vertex + 1] - graph.offsets[entry.vertex];
        if (!matrix_ && arcs < static_cast<Offset>(graph.n) / 4)
            call_heads();
        else if (!matrix_)
            look_all([&](ThreadState& thread, const auto& routes, Vertex v) { look(thread, routes, v); });
        else
            look_at_rows();
        for (const FrontierVertex<D>& entry : front)
            state_[entry.vertex] = settled_vertex;
        return front.size();
    }

  private:
    template <class Look>
    void look_all(Look&& look_at) {
        Blocks blocks(context_.state.graph.n, matrix_ ? 64 : 1024);
        context_.run(matrix_ || context_.state.graph.n >= context_.thresholds.sweeping, it_, 1,
                     [&](auto, ThreadState& thread, const auto& routes, unsigned id) {
                         for (std::int64_t from, to; blocks.next(from, to);) {
                             const std::uint64_t edges = thread.edges;
                             for (auto v = static_cast<Vertex>(from); v < to; ++v)
                                 if (state_[v] == open_vertex)
                                     look_at(thread, routes, v);
                             if (!context_.pause(id, static_cast<std::int64_t>(thread.edges - edges) + to - from))
                                 return;
                         }
                     });
    }

    void look_at_rows() {
        auto& dist = context_.buffers.frontier_dist;
        dist.assign(context_.state.graph.n, unreached<D>);
        bool careful = false;
        for (const FrontierVertex<D>& entry : context_.buffers.front) {
            dist[entry.vertex] = entry.dist;
            careful |= context_.state.careful(entry.dist);
        }
        look_all([&](ThreadState& thread, const auto& routes, Vertex v) {
            pull_row(context_.state, thread, routes, dist.data(), careful, v);
        });
    }

    // Lets only those look that the front has arcs to.
    void call_heads() {
        const Csr<W>& graph = context_.state.graph;
        auto& called = context_.buffers.called;
        called.clear();
        for (const FrontierVertex<D>& entry : context_.buffers.front)
            for (Offset arc = graph.offsets[entry.vertex]; arc < graph.offsets[entry.vertex + 1]; ++arc)
                if (state_[graph.heads[arc]] == open_vertex) {
                    state_[graph.heads[arc]] = called_vertex;
                    called.push_back(graph.heads[arc]);
                }
        context_.run(false, it_, 1, [&](auto, ThreadState& thread, const auto& routes, unsigned id) {
            for (Vertex v : called) {
                const std::uint64_t edges = thread.edges;
                state_[v] = open_vertex;
                look(thread, routes, v);
                context_.pause(id, static_cast<std::int64_t>(thread.edges - edges) + 1);
            }
        });
    }

    template <class Routes>
    void look(ThreadState& thread, const Routes& routes, Vertex v) {
        const SearchState<W, D>& state = context_.state;
        const Csr<W>& arcs = state.in_arcs;
        D best = state.query.dist[v];
        Vertex parent = no_vertex;
        for (Offset arc = arcs.offsets[v]; arc < arcs.offsets[v + 1]; ++arc) {
            const Vertex u = arcs.heads[arc];
            if (state_[u] != front_vertex)
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
