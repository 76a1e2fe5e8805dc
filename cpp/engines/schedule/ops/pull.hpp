// Pulling: every vertex that is not settled looks among its in-arcs for the vertices that have just been.
//
// A vertex is written by one member only, so nothing is atomic. Where the front is small most vertices would look in
// vain: then those that it has arcs to are found first, and only they look.
#pragma once

#include "engines/schedule/ops/dense.hpp"
#include "engines/schedule/ops/front.hpp"

namespace pathfront {

enum : std::uint8_t { open_vertex, front_vertex, settled_vertex, called_vertex };

template <class W, class D, bool keeps_parents>
class Pull {
  public:
    using Hands = pathfront::Hands<W, D, keeps_parents>;
    using Me = typename Hands::Me;

    Pull(const Instruction& it, Hands& hands)
        : it_(it), hands_(hands), matrix_(hands.board.dense_in.rows), state_(hands.buffers.state.data()) {}

    // Takes the front out of its queue and returns how many vertices it has; they are settled afterwards.
    std::uint64_t operator()() {
        take_front(it_, hands_, [&](Vertex v) { state_[v] = front_vertex; });
        const auto& front = hands_.buffers.front;
        const Csr<W>& graph = hands_.board.graph;
        Offset arcs = 0;
        for (const Front<D>& entry : front)
            arcs += graph.offsets[entry.vertex + 1] - graph.offsets[entry.vertex];
        if (!matrix_ && arcs < static_cast<Offset>(graph.n) / 4)
            call_heads();
        else if (!matrix_)
            look_all([&](Me& me, const auto& way, Vertex v) { look(me, way, v); });
        else
            look_at_rows();
        for (const Front<D>& entry : front)
            state_[entry.vertex] = settled_vertex;
        return front.size();
    }

  private:
    template <class Look>
    void look_all(Look&& look_at) {
        Blocks blocks(hands_.board.graph.n, matrix_ ? 64 : 1024);
        hands_.run(matrix_ || hands_.board.graph.n >= hands_.worth.sweeping, it_, 1,
                   [&](auto, Me& me, const auto& way, unsigned id) {
                       for (std::int64_t from, to; blocks.next(from, to);) {
                           const std::uint64_t edges = me.edges;
                           for (auto v = static_cast<Vertex>(from); v < to; ++v)
                               if (state_[v] == open_vertex)
                                   look_at(me, way, v);
                           if (!hands_.pause(id, static_cast<std::int64_t>(me.edges - edges) + to - from))
                               return;
                       }
                   });
    }

    void look_at_rows() {
        auto& dist = hands_.buffers.front_dist;
        dist.assign(hands_.board.graph.n, unreached<D>);
        bool careful = false;
        for (const Front<D>& entry : hands_.buffers.front) {
            dist[entry.vertex] = entry.dist;
            careful |= hands_.board.careful(entry.dist);
        }
        look_all([&](Me& me, const auto& way, Vertex v) { pull_row(hands_.board, me, way, dist.data(), careful, v); });
    }

    // Lets only those look that the front has arcs to.
    void call_heads() {
        const Csr<W>& graph = hands_.board.graph;
        auto& called = hands_.buffers.called;
        called.clear();
        for (const Front<D>& entry : hands_.buffers.front)
            for (Offset arc = graph.offsets[entry.vertex]; arc < graph.offsets[entry.vertex + 1]; ++arc)
                if (state_[graph.heads[arc]] == open_vertex) {
                    state_[graph.heads[arc]] = called_vertex;
                    called.push_back(graph.heads[arc]);
                }
        hands_.run(false, it_, 1, [&](auto, Me& me, const auto& way, unsigned id) {
            for (Vertex v : called) {
                const std::uint64_t edges = me.edges;
                state_[v] = open_vertex;
                look(me, way, v);
                hands_.pause(id, static_cast<std::int64_t>(me.edges - edges) + 1);
            }
        });
    }

    template <class Way>
    void look(Me& me, const Way& way, Vertex v) {
        const Board<W, D>& board = hands_.board;
        const Csr<W>& arcs = board.in_arcs;
        D best = board.query.dist[v];
        Vertex parent = no_vertex;
        for (Offset arc = arcs.offsets[v]; arc < arcs.offsets[v + 1]; ++arc) {
            const Vertex u = arcs.heads[arc];
            if (state_[u] != front_vertex)
                continue;
            D sum;
            if (!add_checked(board.query.dist[u], arcs.weight(arc), sum)) {
                me.overflow = true;
            } else if (sum < best && sum <= board.query.cutoff) {
                best = sum;
                parent = u;
            }
        }
        me.edges += static_cast<std::uint64_t>(arcs.offsets[v + 1] - arcs.offsets[v]);
        if (parent == no_vertex)
            return;
        board.query.dist[v] = best;
        way(best).push({best, v, parent}, me.pool);
    }

    const Instruction& it_;
    Hands& hands_;
    const bool matrix_;
    std::uint8_t* const state_;
};

} // namespace pathfront
