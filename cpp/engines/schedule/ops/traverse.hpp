// The arcs of a queue, shared by one of three strategies (Davidson et al. 2014, section IV.B). What are blocks of
// threads and warps there are threads here:
// - cooperative blocks: fixed numbers of vertices, handed out to whoever asks next;
// - CTA, warp, scan: the same, but the arcs of a hub are shared by all;
// - load-balanced: shares of equally many arcs, wherever the vertices begin and end.
#pragma once

#include "engines/schedule/context.hpp"
#include "engines/schedule/ops/relax.hpp"

namespace pathfront {

inline constexpr Offset hub_arcs = 1 << 14; // a vertex that is thresholds sharing by itself
inline constexpr Offset arcs_in_a_share = 1 << 15;

template <class W, class D, bool keeps_parents>
class Traverse {
  public:
    using Context = pathfront::Context<W, D, keeps_parents>;
    using Chunk = typename Context::Chunk;
    using ThreadState = typename Context::ThreadState;
    using Routes = typename Context::Routes;
    using Relaxing = Relax<W, D, keeps_parents>;

    Traverse(const Instruction& it, Context& context) : it_(it), context_(context) {}

    // Relaxes the queue; hubs may be set aside in the thread_states' lists.
    void relax() {
        const auto traversal = static_cast<Traversal>(it_.number);
        if (context_.fork_join && traversal == Traversal::load_balanced &&
            context_.together(it_, context_.thresholds.relaxing))
            return relax_equal_shares();
        const bool shares_hubs = context_.threads > 1 && traversal != Traversal::cooperative_blocks;
        const Offset hub = shares_hubs ? hub_arcs : no_limit;
        context_.pass(it_, context_.thresholds.relaxing,
                      [&](auto shared, ThreadState& thread, const Routes& routes, Chunk& chunk, unsigned id) {
                          Relaxing relaxing(context_.state, thread, routes);
                          relaxing.template take<shared.value>(chunk);
                          note_window(thread, chunk);
                          relaxing.template relax<shared.value>(chunk, hub, no_limit,
                                                                [&](Offset arcs) { return context_.pause(id, arcs); });
                          relaxing.template apply<shared.value>();
                      });
    }

    // Relaxes the hubs that were set aside.
    void relax_hubs() {
        std::vector<FrontierVertex<D>>& hubs = context_.leader().hubs;
        for (std::size_t i = 1; i < context_.thread_states().size(); ++i) {
            auto& more = context_.thread_states()[i]->hubs;
            hubs.insert(hubs.end(), more.begin(), more.end());
            more.clear();
        }
        for (const FrontierVertex<D>& hub : hubs)
            relax_hub(hub);
        hubs.clear();
    }

  private:
    // A chunk is relaxed by whoever takes it, but only so many arcs of it; the rest is cut into equal pieces for all.
    void relax_equal_shares() {
        context_.list(context_.queues[it_.queues[0]].take());
        std::atomic<std::size_t> next{0};
        context_.run(true, it_, 1, [&](auto, ThreadState& thread, const Routes& routes, unsigned id) {
            Relaxing relaxing(context_.state, thread, routes);
            const auto& chunks = context_.buffers.chunks;
            for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < chunks.size();)
                if (!relax_share(relaxing, thread, id, *chunks[i]))
                    break;
            relaxing.template apply<true>();
        });
        relax_rest();
    }

    bool relax_share(Relaxing& relaxing, ThreadState& thread, unsigned id, Chunk& chunk) {
        const Offset* const offsets = context_.state.graph.offsets;
        relaxing.template take<true>(chunk);
        note_window(thread, chunk);
        const std::uint32_t done = relaxing.template relax<true>(chunk, no_limit, arcs_in_a_share,
                                                                 [&](Offset arcs) { return context_.pause(id, arcs); });
        if (done == chunk.size) {
            thread.pool.put(&chunk);
        } else {
            chunk.size -= done;
            std::copy_n(chunk.items + done, chunk.size, chunk.items);
            Offset arcs = 0;
            for (std::uint32_t k = 0; k < chunk.size; ++k) {
                const Offset degree = offsets[chunk.items[k].vertex + 1] - offsets[chunk.items[k].vertex];
                arcs += degree;
                thread.vertices += degree == 0; // in nobody's piece
            }
            thread.rest.push_back({&chunk, 0, arcs});
        }
        return context_.pause(id, Chunk::capacity);
    }

    void relax_rest() {
        auto& pieces = context_.buffers.pieces;
        pieces.clear();
        for (auto& thread_state : context_.thread_states())
            for (const auto& rest : thread_state->rest)
                for (Offset from = rest.from; from < rest.to; from += arcs_in_a_share)
                    pieces.push_back({rest.chunk, from, std::min(from + arcs_in_a_share, rest.to)});
        std::atomic<std::size_t> next{0};
        if (!pieces.empty())
            context_.run(true, it_, 1, [&](auto, ThreadState& thread, const Routes& routes, unsigned id) {
                Relaxing relaxing(context_.state, thread, routes);
                for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < pieces.size();)
                    if (!relax_some(relaxing, thread, id, *pieces[i].chunk, pieces[i].from, pieces[i].to))
                        break;
                relaxing.template apply<true>();
            });
        for (auto& thread_state : context_.thread_states()) {
            for (const auto& rest : thread_state->rest)
                thread_state->pool.put(rest.chunk);
            thread_state->rest.clear();
        }
    }

    // Relaxes the arcs [from, to) of a chunk's vertices, counted through.
    bool relax_some(Relaxing& relaxing, ThreadState& thread, unsigned id, const Chunk& chunk, Offset from, Offset to) {
        const Offset* const offsets = context_.state.graph.offsets;
        Offset at = 0; // where the vertex's arcs begin
        for (std::uint32_t k = 0; k < chunk.size && at < to; ++k) {
            const auto [here, u] = std::pair(chunk.items[k].dist, chunk.items[k].vertex);
            const Offset first = offsets[u], degree = offsets[u + 1] - first;
            const Offset begin = std::max(from - at, Offset{0}), end = std::min(to - at, degree);
            at += degree;
            if (begin >= end)
                continue;
            if (k + fetch_vertex_ahead < chunk.size)
                relaxing.fetch_vertex(chunk.items[k + fetch_vertex_ahead].vertex);
            if (k + fetch_arcs_ahead < chunk.size)
                relaxing.fetch_arcs(chunk.items[k + fetch_arcs_ahead].vertex);
            if (load<true>(context_.state.query.dist + u) != here)
                continue;
            thread.vertices += begin == 0;
            if (!relaxing.template find<true>(u, here, first + begin, first + end,
                                              [&](Offset arcs) { return context_.pause(id, arcs); }))
                return false;
        }
        return context_.pause(id, to - from);
    }

    void relax_hub(const FrontierVertex<D>& hub) {
        const Offset from = context_.state.graph.offsets[hub.vertex], to = context_.state.graph.offsets[hub.vertex + 1];
        Blocks pieces(to - from, 4 * arcs_in_a_piece);
        context_.run(true, it_, 1, [&](auto shared, ThreadState& thread, const Routes& routes, unsigned id) {
            Relaxing relaxing(context_.state, thread, routes);
            const auto pause = [&](Offset arcs) { return context_.pause(id, arcs); };
            for (std::int64_t begin, end; pieces.next(begin, end);)
                if (!relaxing.template find<shared.value>(hub.vertex, hub.dist, from + begin, from + end, pause) ||
                    !pause(arcs_in_a_piece))
                    break;
            relaxing.template apply<shared.value>();
        });
    }

    void note_window(ThreadState& thread, const Chunk& chunk) const {
        if (context_.traces)
            for (std::uint32_t i = 0; i < chunk.size; ++i)
                thread.lowest = std::min(thread.lowest, chunk.items[i].dist);
    }

    const Instruction& it_;
    Context& context_;
};

} // namespace pathfront
