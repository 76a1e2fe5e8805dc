// The vertices of a queue as a list that all threads read: for operations that do not iterate over the queue.
#pragma once

#include "engines/schedule/context.hpp"

namespace pathfront {

// Takes the current entries of a queue out into buffers.frontier, writes their parents, and calls each(vertex).
template <class Context, class Each>
void take_frontier(const Instruction& it, Context& context, Each&& each) {
    auto& frontier = context.buffers.frontier;
    auto& thread = context.leader();
    frontier.clear();
    auto taken = context.queues[it.queues[0]].take();
    while (auto* chunk = taken.take_chunk()) {
        for_current(*chunk, context.state.query.dist, [&](const auto& entry) {
            if constexpr (requires { entry.parent; })
                if (context.state.query.parent)
                    context.state.query.parent[entry.vertex] = entry.parent;
            frontier.push_back({entry.dist, entry.vertex});
            each(entry.vertex);
            if (context.traces)
                thread.lowest = std::min(thread.lowest, entry.dist);
        });
        thread.pool.put(chunk);
    }
    thread.vertices += frontier.size();
}

} // namespace pathfront
