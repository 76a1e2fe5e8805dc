// Going through a queue: dropping its dead, splitting it, finding its lowest.
#pragma once

#include "engines/schedule/context.hpp"
#include "engines/schedule/ops/relax.hpp"

namespace pathfront {

// Calls take(entry) for the living of a chunk.
template <class Chunk, class D, class Take>
void for_living(const Chunk& chunk, D* dist, Take&& take) {
    for (std::uint32_t i = 0; i < chunk.size; ++i) {
        if (i + fetch_vertex_ahead < chunk.size)
            prefetch(dist + chunk.items[i + fetch_vertex_ahead].vertex);
        if (is_alive(chunk.items[i], dist))
            take(chunk.items[i]);
    }
}

// Keeps the living of a chunk and calls look(entry, alive) for all of its entries. There is no branch that is hard to
// guess.
template <class Chunk, class D, class Look>
void drop_dead(Chunk& chunk, D* dist, Look&& look) {
    std::uint32_t living = 0;
    for (std::uint32_t i = 0; i < chunk.size; ++i) {
        if (i + fetch_vertex_ahead < chunk.size)
            prefetch(dist + chunk.items[i + fetch_vertex_ahead].vertex);
        const auto entry = chunk.items[i];
        const bool alive = is_alive(entry, dist);
        look(entry, alive);
        chunk.items[living] = entry;
        living += alive;
    }
    chunk.size = living;
}

template <class Context>
void keep_living(const Instruction& it, Context& context) {
    context.pass(it, context.thresholds.passing, [&](auto, auto&, const auto& routes, auto& chunk, unsigned) -> auto& {
        drop_dead(chunk, context.state.query.dist, [](const auto&, bool) {});
        return *routes.bags[0];
    });
}

// What is beyond all limits stays in its chunk.
template <class Context>
void split(const Instruction& it, Context& context) {
    context.pass(it, context.thresholds.passing,
                 [&](auto, auto& thread, const auto& routes, auto& chunk, unsigned) -> auto& {
                     const auto last = routes.limits[routes.limit_count - 1];
                     std::uint32_t stay = 0;
                     for (std::uint32_t i = 0; i < chunk.size; ++i) {
                         const auto entry = chunk.items[i];
                         chunk.items[stay] = entry;
                         if (entry.dist <= last)
                             routes(entry.dist).push(entry, thread.pool);
                         else
                             ++stay;
                     }
                     chunk.size = stay;
                     return *routes.bags[routes.limit_count];
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

// The same with a weight, of which the largest means that there is none.
template <class D, class W>
D sum_with(D base, W weight) {
    return weight == unreached<W> ? unreached<D> : up_by(base, static_cast<D>(weight));
}

// The lowest distance of a queue, or of distance and lightest out-arc; a vertex without out-arcs has no such sum.
template <class Context>
auto lowest(const Instruction& it, Context& context) {
    const auto& state = context.state;
    using D = std::remove_cvref_t<decltype(*state.query.dist)>;
    for (auto& thread_state : context.thread_states())
        thread_state->lowest = unreached<D>;
    const auto* const lightest = it.number != 0 ? state.lightest_out : nullptr;
    context.pass(
        it, context.thresholds.passing, [&](auto, auto& thread, const auto& routes, auto& chunk, unsigned) -> auto& {
            D low = thread.lowest;
            if (!lightest)
                drop_dead(chunk, state.query.dist,
                          [&](const auto& entry, bool alive) { low = alive ? std::min(low, entry.dist) : low; });
            else
                drop_dead(chunk, state.query.dist, [&](const auto& entry, bool alive) {
                    const D sum = sum_with(entry.dist, lightest[entry.vertex]);
                    low = alive ? std::min(low, sum) : low;
                });
            thread.lowest = low;
            return *routes.bags[0];
        });
    D low = unreached<D>;
    for (auto& thread_state : context.thread_states())
        low = std::min(low, std::exchange(thread_state->lowest, unreached<D>));
    return low;
}

} // namespace pathfront
