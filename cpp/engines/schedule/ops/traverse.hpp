// The arcs of a queue, shared by one of three strategies (Davidson et al. 2014, section IV.B). What are blocks of
// threads and warps there are threads here:
// - cooperative blocks: fixed numbers of vertices, handed out to whoever asks next;
// - CTA, warp, scan: the same, but the arcs of a hub are shared by all;
// - load-balanced: shares of equally many arcs, wherever the vertices begin and end.
#pragma once

#include "engines/schedule/context.hpp"
#include "engines/schedule/ops/relax.hpp"

namespace pathfront {

inline constexpr Offset hub_arcs = 1 << 14; // a vertex that is worth sharing by itself
inline constexpr Offset arcs_in_a_share = 1 << 15;

template <class W, class D, bool keeps_parents>
class Traverse {
  public:
    using Hands = pathfront::Hands<W, D, keeps_parents>;
    using Chunk = typename Hands::Chunk;
    using Me = typename Hands::Me;
    using Way = typename Hands::Way;
    using Relaxing = Relax<W, D, keeps_parents>;

    Traverse(const Instruction& it, Hands& hands) : it_(it), hands_(hands) {}

    // Relaxes the queue; hubs may be set aside in the members' lists.
    void relax() {
        const auto traversal = static_cast<Traversal>(it_.number);
        if (hands_.team && traversal == Traversal::load_balanced && hands_.together(it_, hands_.worth.relaxing))
            return relax_equal_shares();
        const bool shares_hubs = hands_.threads > 1 && traversal != Traversal::cooperative_blocks;
        const Offset hub = shares_hubs ? hub_arcs : no_limit;
        hands_.pass(it_, hands_.worth.relaxing, [&](auto shared, Me& me, const Way& way, Chunk& chunk, unsigned id) {
            Relaxing relaxing(hands_.board, me, way);
            relaxing.template take<shared.value>(chunk);
            note_window(me, chunk);
            relaxing.template relax<shared.value>(chunk, hub, no_limit,
                                                  [&](Offset arcs) { return hands_.pause(id, arcs); });
            relaxing.template apply<shared.value>();
        });
    }

    // Relaxes the hubs that were set aside.
    void relax_hubs() {
        std::vector<Front<D>>& hubs = hands_.leader().hubs;
        for (std::size_t i = 1; i < hands_.members().size(); ++i) {
            auto& more = hands_.members()[i]->hubs;
            hubs.insert(hubs.end(), more.begin(), more.end());
            more.clear();
        }
        for (const Front<D>& hub : hubs)
            relax_hub(hub);
        hubs.clear();
    }

  private:
    // A chunk is relaxed by whoever takes it, but only so many arcs of it; the rest is cut into equal pieces for all.
    void relax_equal_shares() {
        hands_.list(hands_.queues[it_.queues[0]].take());
        std::atomic<std::size_t> next{0};
        hands_.run(true, it_, 1, [&](auto, Me& me, const Way& way, unsigned id) {
            Relaxing relaxing(hands_.board, me, way);
            const auto& chunks = hands_.buffers.chunks;
            for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < chunks.size();)
                if (!relax_share(relaxing, me, id, *chunks[i]))
                    break;
            relaxing.template apply<true>();
        });
        relax_rest();
    }

    bool relax_share(Relaxing& relaxing, Me& me, unsigned id, Chunk& chunk) {
        const Offset* const offsets = hands_.board.graph.offsets;
        relaxing.template take<true>(chunk);
        note_window(me, chunk);
        const std::uint32_t done = relaxing.template relax<true>(chunk, no_limit, arcs_in_a_share,
                                                                 [&](Offset arcs) { return hands_.pause(id, arcs); });
        if (done == chunk.size) {
            me.pool.put(&chunk);
        } else {
            chunk.size -= done;
            std::copy_n(chunk.items + done, chunk.size, chunk.items);
            Offset arcs = 0;
            for (std::uint32_t k = 0; k < chunk.size; ++k) {
                const Offset degree = offsets[chunk.items[k].vertex + 1] - offsets[chunk.items[k].vertex];
                arcs += degree;
                me.vertices += degree == 0; // in nobody's piece
            }
            me.rest.push_back({&chunk, 0, arcs});
        }
        return hands_.pause(id, Chunk::capacity);
    }

    void relax_rest() {
        auto& pieces = hands_.buffers.pieces;
        pieces.clear();
        for (auto& member : hands_.members())
            for (const auto& rest : member->rest)
                for (Offset from = rest.from; from < rest.to; from += arcs_in_a_share)
                    pieces.push_back({rest.chunk, from, std::min(from + arcs_in_a_share, rest.to)});
        std::atomic<std::size_t> next{0};
        if (!pieces.empty())
            hands_.run(true, it_, 1, [&](auto, Me& me, const Way& way, unsigned id) {
                Relaxing relaxing(hands_.board, me, way);
                for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < pieces.size();)
                    if (!relax_some(relaxing, me, id, *pieces[i].chunk, pieces[i].from, pieces[i].to))
                        break;
                relaxing.template apply<true>();
            });
        for (auto& member : hands_.members()) {
            for (const auto& rest : member->rest)
                member->pool.put(rest.chunk);
            member->rest.clear();
        }
    }

    // Relaxes the arcs [from, to) of a chunk's vertices, counted through.
    bool relax_some(Relaxing& relaxing, Me& me, unsigned id, const Chunk& chunk, Offset from, Offset to) {
        const Offset* const offsets = hands_.board.graph.offsets;
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
            if (load<true>(hands_.board.query.dist + u) != here)
                continue;
            me.vertices += begin == 0;
            if (!relaxing.template find<true>(u, here, first + begin, first + end,
                                              [&](Offset arcs) { return hands_.pause(id, arcs); }))
                return false;
        }
        return hands_.pause(id, to - from);
    }

    void relax_hub(const Front<D>& hub) {
        const Offset from = hands_.board.graph.offsets[hub.vertex], to = hands_.board.graph.offsets[hub.vertex + 1];
        Blocks pieces(to - from, 4 * arcs_in_a_piece);
        hands_.run(true, it_, 1, [&](auto shared, Me& me, const Way& way, unsigned id) {
            Relaxing relaxing(hands_.board, me, way);
            const auto pause = [&](Offset arcs) { return hands_.pause(id, arcs); };
            for (std::int64_t begin, end; pieces.next(begin, end);)
                if (!relaxing.template find<shared.value>(hub.vertex, hub.dist, from + begin, from + end, pause) ||
                    !pause(arcs_in_a_piece))
                    break;
            relaxing.template apply<shared.value>();
        });
    }

    void note_window(Me& me, const Chunk& chunk) const {
        if (hands_.traces)
            for (std::uint32_t i = 0; i < chunk.size; ++i)
                me.lowest = std::min(me.lowest, chunk.items[i].dist);
    }

    const Instruction& it_;
    Hands& hands_;
};

} // namespace pathfront
