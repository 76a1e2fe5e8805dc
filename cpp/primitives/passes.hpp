// Going through a queue: dropping its dead, splitting it, finding its lowest.
#pragma once

#include "device/hands.hpp"
#include "primitives/relax.hpp"

namespace pathfront {

// Calls take(entry) for the living of a chunk.
template <class Chunk, class D, class Take>
void for_living(const Chunk& chunk, const D* dist, Take&& take) {
    for (std::uint32_t i = 0; i < chunk.size; ++i) {
        if (i + fetch_vertex_ahead < chunk.size)
            fetch(dist + chunk.items[i + fetch_vertex_ahead].vertex);
        if (dist[chunk.items[i].vertex] == chunk.items[i].dist)
            take(chunk.items[i]);
    }
}

template <class Hands>
void keep_living(const Instruction& it, Hands& hands) {
    hands.pass(it, worth_passing_together, [&](auto, auto& me, const auto& way, const auto& chunk, unsigned) {
        for_living(chunk, hands.board.query.dist, [&](const auto& entry) { way.bags[0]->push(entry, me.pool); });
    });
}

template <class Hands>
void split(const Instruction& it, Hands& hands) {
    hands.pass(it, worth_passing_together, [&](auto, auto& me, const auto& way, const auto& chunk, unsigned) {
        for (std::uint32_t i = 0; i < chunk.size; ++i)
            way(chunk.items[i].dist).push(chunk.items[i], me.pool);
    });
}

// The sum of two distances, at most the largest.
template <class D>
D up_by(D base, D step) {
    if constexpr (std::is_floating_point_v<D>)
        return std::min(base + step, largest_distance<D>);
    else
        return base > largest_distance<D> - step ? largest_distance<D> : static_cast<D>(base + step);
}

// The lowest distance of a queue, or of distance and lightest out-arc; a vertex without out-arcs has no such sum.
template <class Hands>
auto lowest(const Instruction& it, Hands& hands) {
    const auto& board = hands.board;
    using D = std::remove_cvref_t<decltype(*board.query.dist)>;
    for (auto& member : hands.members())
        member->lowest = unreached<D>;
    const auto* const lightest = it.number != 0 ? board.lightest_out : nullptr;
    hands.pass(it, worth_passing_together, [&](auto, auto& me, const auto& way, const auto& chunk, unsigned) {
        D low = me.lowest;
        for_living(chunk, board.query.dist, [&](const auto& entry) {
            way.bags[0]->push(entry, me.pool);
            D sum = entry.dist;
            if (lightest) {
                const auto light = lightest[entry.vertex];
                sum = light == unreached<std::remove_cvref_t<decltype(light)>> ? unreached<D>
                                                                               : up_by(sum, static_cast<D>(light));
            }
            low = std::min(low, sum);
        });
        me.lowest = low;
    });
    D low = unreached<D>;
    for (auto& member : hands.members())
        low = std::min(low, std::exchange(member->lowest, unreached<D>));
    return low;
}

} // namespace pathfront
