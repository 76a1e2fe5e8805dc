// Queues in order of distance, for methods that sort and merge (Davidson et al. 2014, the alternative to buckets).
#pragma once

#include "engines/schedule/context.hpp"

namespace pathfront {

inline constexpr auto nearer = [](const auto& a, const auto& b) { return a.dist < b.dist; };

// Sorts a queue: each thread sorts a share, then the leader merges the shares.
template <class Context>
void sort(const Instruction& it, Context& context) {
    auto& queue = context.queues[it.queues[0]];
    auto& entries = context.buffers.entries;
    auto& pool = context.leader().pool;
    entries.clear();
    while (auto* chunk = queue.take_chunk()) {
        entries.insert(entries.end(), chunk->items, chunk->items + chunk->size);
        pool.put(chunk);
    }
    const std::size_t shares =
        context.fork_join && entries.size() >= context.thresholds.passing ? context.fork_join->size() : 1;
    const auto at = [&](std::size_t share) {
        return entries.begin() + static_cast<std::ptrdiff_t>(entries.size() * share / shares);
    };
    context.run(shares > 1, it, it.queues.size(),
                [&](auto, auto&, const auto&, unsigned id) { std::sort(at(id), at(id + 1), nearer); });
    for (std::size_t share = 1; share < shares; ++share)
        std::inplace_merge(entries.begin(), at(share), at(share + 1), nearer);
    for (const auto& entry : entries)
        queue.push(entry, pool);
    context.poll(0, static_cast<std::int64_t>(entries.size()));
}

// Merges the first queue into the second; both are sorted.
template <class Context>
void merge(const Instruction& it, Context& context) {
    auto& pool = context.leader().pool;
    auto fresh = context.queues[it.queues[0]].take(), old = context.queues[it.queues[1]].take();
    auto& into = context.queues[it.queues[1]];
    auto *a = fresh.take_chunk(), *b = old.take_chunk();
    std::uint32_t i = 0, k = 0;
    while (a || b) {
        const bool first = !b || (a && a->items[i].dist < b->items[k].dist);
        into.push(first ? a->items[i++] : b->items[k++], pool);
        if (first && i == a->size) {
            pool.put(std::exchange(a, fresh.take_chunk()));
            i = 0;
        } else if (!first && k == b->size) {
            pool.put(std::exchange(b, old.take_chunk()));
            k = 0;
        }
    }
    context.poll(0, static_cast<std::int64_t>(into.size()));
}

// Moves the entries of a sorted queue up to a limit to another queue.
template <class Context>
void split_sorted(const Instruction& it, Context& context) {
    auto& queue = context.queues[it.queues[0]];
    auto& into = context.queues[it.queues[1]];
    const auto limit = context.scalars[it.scalars[0]];
    auto& pool = context.leader().pool;
    while (auto* chunk = queue.take_chunk()) {
        std::uint32_t near = 0;
        for (; near < chunk->size && chunk->items[near].dist <= limit; ++near)
            into.push(chunk->items[near], pool);
        if (near == chunk->size) {
            pool.put(chunk);
            continue;
        }
        chunk->size -= near;
        std::copy_n(chunk->items + near, chunk->size, chunk->items);
        queue.put_back(chunk);
        return;
    }
}

} // namespace pathfront
