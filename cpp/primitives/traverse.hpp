// The arcs of a queue, shared by one of three strategies (Davidson et al. 2014, section IV.B). What are blocks of
// threads and warps there are threads here:
// - cooperative blocks: fixed numbers of vertices, handed out to whoever asks next;
// - CTA, warp, scan: the same, but the arcs of a hub are shared by all;
// - load-balanced: shares of equally many arcs, wherever the vertices begin and end.
#pragma once

#include "device/hands.hpp"
#include "primitives/relax.hpp"

namespace pathfront {

inline constexpr Offset hub_arcs = 1 << 14;     // a vertex that is worth sharing by itself
inline constexpr unsigned parts_per_member = 4; // of a queue's arcs, so that nobody waits long
inline constexpr Offset least_part = 2048;

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
        const Offset hub = shares_hubs ? hub_arcs : std::numeric_limits<Offset>::max();
        hands_.pass(it_, hands_.worth.relaxing, [&](auto shared, Me& me, const Way& way, Chunk& chunk, unsigned id) {
            Relaxing relaxing(hands_.board, me, way);
            relaxing.template take<shared.value>(chunk);
            note_window(me, chunk);
            relaxing.template relax<shared.value>(chunk, hub, [&](Offset arcs) { return hands_.pause(id, arcs); });
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
    void relax_equal_shares() {
        const Bag<typename Hands::Item> taken = hands_.queues[it_.queues[0]].take();
        hands_.list(taken);
        auto& before = hands_.buffers.arcs_before;
        before.assign(hands_.buffers.chunks.size() + 1, 0);
        std::atomic<std::size_t> next{0}, next_part{0};
        hands_.run(true, it_, 1, [&](auto, Me& me, const Way& way, unsigned) { count_arcs(me, way, next); });
        for (std::size_t i = 0; i + 1 < before.size(); ++i)
            before[i + 1] += before[i];
        const Offset total = before.back();
        const Offset parts = std::clamp<Offset>(total / least_part, 1, parts_per_member * hands_.team->size());
        hands_.run(true, it_, 1, [&](auto, Me& me, const Way& way, unsigned id) {
            Relaxing relaxing(hands_.board, me, way);
            for (Offset part; (part = static_cast<Offset>(next_part++)) < parts;)
                if (!relax_part(relaxing, me, id, total * part / parts, total * (part + 1) / parts))
                    break;
            relaxing.template apply<true>();
        });
        for (Chunk* chunk : hands_.buffers.chunks)
            hands_.leader().pool.put(chunk);
    }

    // Drops the dead of chunks and counts the arcs of the others.
    void count_arcs(Me& me, const Way& way, std::atomic<std::size_t>& next) {
        Relaxing relaxing(hands_.board, me, way);
        const Offset* const offsets = hands_.board.graph.offsets;
        for (std::size_t i; (i = next++) < hands_.buffers.chunks.size();) {
            Chunk& chunk = *hands_.buffers.chunks[i];
            relaxing.template take<false>(chunk); // nobody lowers distances now
            note_window(me, chunk);
            Offset arcs = 0;
            for (std::uint32_t k = 0; k < chunk.size; ++k) {
                const Offset degree = offsets[chunk.items[k].vertex + 1] - offsets[chunk.items[k].vertex];
                arcs += degree;
                me.vertices += degree == 0; // in nobody's share
            }
            hands_.buffers.arcs_before[i + 1] = arcs;
        }
    }

    // Relaxes the arcs [from, to) of the listed chunks' vertices, counted through.
    bool relax_part(Relaxing& relaxing, Me& me, unsigned id, Offset from, Offset to) {
        const auto& before = hands_.buffers.arcs_before;
        const auto found = std::upper_bound(before.begin(), before.end(), from);
        for (auto i = static_cast<std::size_t>(found - before.begin()) - 1; before[i] < to; ++i)
            if (!relax_some(relaxing, me, id, *hands_.buffers.chunks[i], from - before[i], to - before[i]) ||
                !hands_.pause(id, Chunk::capacity))
                return false;
        return true;
    }

    // The same within one chunk.
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
        return true;
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
