// The vertices of a queue as a list that everybody may read: for operations that go over something else than the queue.
#pragma once

#include "engines/schedule/context.hpp"

namespace pathfront {

// Takes a queue out into buffers.front, without its dead, settles parents, and calls each(vertex).
template <class Context, class Each>
void take_frontier(const Instruction& it, Context& context, Each&& each) {
    auto& front = context.buffers.front;
    auto& thread = context.leader();
    front.clear();
    auto taken = context.queues[it.queues[0]].take();
    while (auto* chunk = taken.take_chunk()) {
        for (std::uint32_t i = 0; i < chunk->size; ++i) {
            const auto& entry = chunk->items[i];
            if (!is_alive(entry, context.state.query.dist))
                continue;
            if constexpr (requires { entry.parent; })
                if (context.state.query.parent)
                    context.state.query.parent[entry.vertex] = entry.parent;
            front.push_back({entry.dist, entry.vertex});
            each(entry.vertex);
            if (context.traces)
                thread.lowest = std::min(thread.lowest, entry.dist);
        }
        thread.pool.put(chunk);
    }
    thread.vertices += front.size();
}

} // namespace pathfront
