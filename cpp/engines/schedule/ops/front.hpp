// The vertices of a queue as a list that everybody may read: for operations that go over something else than the queue.
#pragma once

#include "engines/schedule/context.hpp"

namespace pathfront {

// Takes a queue out into buffers.front, without its dead, settles parents, and calls each(vertex).
template <class Hands, class Each>
void take_front(const Instruction& it, Hands& hands, Each&& each) {
    auto& front = hands.buffers.front;
    auto& me = hands.leader();
    front.clear();
    auto taken = hands.queues[it.queues[0]].take();
    while (auto* chunk = taken.take_chunk()) {
        for (std::uint32_t i = 0; i < chunk->size; ++i) {
            const auto& entry = chunk->items[i];
            if (!is_alive(entry, hands.board.query.dist))
                continue;
            if constexpr (requires { entry.parent; })
                if (hands.board.query.parent)
                    hands.board.query.parent[entry.vertex] = entry.parent;
            front.push_back({entry.dist, entry.vertex});
            each(entry.vertex);
            if (hands.traces)
                me.lowest = std::min(me.lowest, entry.dist);
        }
        me.pool.put(chunk);
    }
    me.vertices += front.size();
}

} // namespace pathfront
