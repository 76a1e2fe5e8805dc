// Passes over a queue: dropping its stale entries, splitting it, finding its lowest distance.
#pragma once

#include "engines/schedule/context.hpp"
#include "engines/schedule/ops/relax.hpp"

namespace pathfront {

// Keeps the current entries of a chunk and calls visit(entry, current) for all of its entries. There is no branch that
// is hard to predict.
template <class Chunk, class D, class Visit>
void keep_current_entries(Chunk& chunk, D* dist, Visit&& visit) {
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < chunk.size; ++i) {
        if (i + ahead_vertex < chunk.size)
            prefetch(dist + chunk.items[i + ahead_vertex].vertex);
        const auto entry = chunk.items[i];
        const bool current = is_current(entry, dist);
        visit(entry, current);
        chunk.items[kept] = entry;
        kept += current;
    }
    chunk.size = kept;
}

template <class Context>
void drop_stale_entries(const Instruction& it, Context& context) {
    context.pass(it, context.thresholds.passing, [&](auto, auto&, const auto& routes, auto& chunk, unsigned) -> auto& {
        keep_current_entries(chunk, context.state.query.dist, [](const auto&, bool) {});
        return *routes.bags[0];
    });
}

// Moves entries within limits to other queues. Entries beyond all limits stay in their chunk.
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
D saturating_sum(D base, D step) {
    if constexpr (std::is_floating_point_v<D>)
        return std::min(base + step, largest_distance<D>);
    else
        return base > largest_distance<D> - step ? largest_distance<D> : static_cast<D>(base + step);
}

// The same with a weight; `unreached` means that there is none.
template <class D, class W>
D sum_with_weight(D base, W weight) {
    return weight == unreached<W> ? unreached<D> : saturating_sum(base, static_cast<D>(weight));
}

// The lowest distance of a queue, or of distance and lightest out-arc; a vertex without out-arcs has no such sum.
template <class Context>
auto lowest(const Instruction& it, Context& context) {
    const auto& state = context.state;
    using D = std::remove_cvref_t<decltype(*state.query.dist)>;
    for (auto& thread : context.thread_states())
        thread->lowest = unreached<D>;
    const auto* const lightest = it.number != 0 ? state.lightest_out : nullptr;
    context.pass(it, context.thresholds.passing,
                 [&](auto, auto& thread, const auto& routes, auto& chunk, unsigned) -> auto& {
                     D low = thread.lowest;
                     if (!lightest)
                         keep_current_entries(chunk, state.query.dist, [&](const auto& entry, bool current) {
                             low = current ? std::min(low, entry.dist) : low;
                         });
                     else
                         keep_current_entries(chunk, state.query.dist, [&](const auto& entry, bool current) {
                             const D sum = sum_with_weight(entry.dist, lightest[entry.vertex]);
                             low = current ? std::min(low, sum) : low;
                         });
                     thread.lowest = low;
                     return *routes.bags[0];
                 });
    D low = unreached<D>;
    for (auto& thread : context.thread_states())
        low = std::min(low, std::exchange(thread->lowest, unreached<D>));
    return low;
}

} // namespace pathfront
