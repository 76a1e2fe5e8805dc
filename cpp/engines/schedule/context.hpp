// What an operation works with: the search, the queues, and however many hands there are. Alone, the leader puts
// entries straight into the queues; together, every member fills bags of its own, which are then gathered.
#pragma once

#include <algorithm>
#include <vector>

#include "core/blocks.hpp"
#include "engines/schedule/buffers.hpp"
#include "engines/schedule/team.hpp"

namespace pathfront {

// From how many on a thing is done together; fewer are done before the others are awake.
struct Worth {
    std::uint64_t relaxing = 768;  // entries of a queue
    std::uint64_t passing = 8192;  // entries that are only looked at
    std::int64_t sweeping = 16384; // vertices or arcs of the graph

    // What suits a graph: where vertices have few arcs, more of them have to be in a queue. On roads and grids two
    // threads that shared queues of 768 entries were 5 to 10% slower than one.
    static Worth on(std::uint64_t vertices, std::uint64_t arcs) {
        constexpr std::uint64_t enough_arcs = 8192;
        Worth worth;
        worth.relaxing = std::max(worth.relaxing, enough_arcs * vertices / std::max<std::uint64_t>(arcs, 1));
        return worth;
    }
};

template <class W, class D, bool keeps_parents>
class Hands {
  public:
    using Item = Waiting<D, keeps_parents>;
    using Chunk = pathfront::Chunk<Item>;
    using Me = Member<D, Item>;
    using Way = Routes<Item, D>;

    Hands(const Board<W, D>& b, Buffers<D, Item>& f, unsigned t, Worth o, Watch& w)
        : board(b), buffers(f), queues(f.queues), scalars(f.scalars), threads(t), worth(o), watch_(w) {}

    Me& leader() { return *buffers.members[0]; }
    std::vector<std::unique_ptr<Me>>& members() { return buffers.members; }

    // Whether an instruction's queue is long enough to be shared.
    bool together(const Instruction& it, std::uint64_t enough) const {
        return threads > 1 && queues[it.queues[0]].size() >= enough;
    }

    // Runs work(shared, me, way, id) by the team, or by the leader alone. `taken` is how many of the instruction's
    // queues are not destinations.
    template <class Work>
    void run(bool together, const Instruction& it, std::size_t taken, Work&& work) {
        if (!team || !together)
            return work(std::false_type{}, leader(), ways(it, taken, nullptr), 0u);
        team->share([&](unsigned id) {
            Me& me = *buffers.members[id];
            work(std::true_type{}, me, ways(it, taken, &me), id);
        });
        for (auto& member : buffers.members)
            for (std::size_t i = taken; i < it.queues.size(); ++i)
                queues[it.queues[i]].append(member->out[i - taken].take());
    }

    // Takes a queue out and calls each(shared, me, way, chunk, id) for its chunks, in order if alone.
    // If `each` returns a bag, that takes over what it leaves of the chunk.
    template <class Each>
    void pass(const Instruction& it, std::uint64_t enough, Each&& each) {
        Bag<Item> taken = queues[it.queues[0]].take();
        const bool shared = taken.size() >= enough;
        if (team && shared)
            list(taken);
        std::atomic<std::size_t> next{0};
        run(shared, it, 1, [&](auto is_shared, Me& me, const Way& way, unsigned id) {
            for (Chunk* chunk; (chunk = next_chunk<is_shared.value>(taken, next));) {
                const std::uint32_t size = chunk->size;
                if constexpr (std::is_void_v<decltype(each(is_shared, me, way, *chunk, id))>) {
                    each(is_shared, me, way, *chunk, id);
                    me.pool.put(chunk);
                } else {
                    each(is_shared, me, way, *chunk, id).adopt(chunk, me.pool);
                }
                if (!pause(id, size))
                    return;
            }
        });
    }

    void list(const Bag<Item>& taken) {
        buffers.chunks.clear();
        for (Chunk* chunk = taken.first(); chunk; chunk = chunk->next)
            buffers.chunks.push_back(chunk);
    }

    // Between pieces of work: false when it is to be left. Only the leader is interrupted; the others follow.
    bool pause(unsigned id, std::int64_t work) {
        if (id == 0) {
            try {
                watch_.tick(work);
            } catch (...) {
                stop_.store(true, std::memory_order_relaxed);
                throw;
            }
        }
        return !stop_.load(std::memory_order_relaxed);
    }

    const Board<W, D>& board;
    Buffers<D, Item>& buffers;
    std::vector<Bag<Item>>& queues;
    std::vector<D>& scalars;
    unsigned threads;
    Worth worth;
    Team* team = nullptr;
    bool traces = false;

  private:
    template <bool shared>
    Chunk* next_chunk(Bag<Item>& taken, std::atomic<std::size_t>& next) {
        if constexpr (!shared)
            return taken.take_chunk();
        const std::size_t i = next.fetch_add(1, std::memory_order_relaxed);
        return i < buffers.chunks.size() ? buffers.chunks[i] : nullptr;
    }

    Way ways(const Instruction& it, std::size_t taken, Me* me) {
        Way way;
        for (std::size_t i = taken; i < it.queues.size(); ++i)
            way.bags[i - taken] = me ? &me->out[i - taken] : &queues[it.queues[i]];
        way.limit_count = it.queues.size() > taken ? static_cast<unsigned>(it.queues.size() - taken) - 1 : 0;
        for (unsigned i = 0; i < way.limit_count; ++i)
            way.limits[i] = scalars[it.scalars[i]];
        return way;
    }

    Watch& watch_;
    std::atomic<bool> stop_{false};
};

} // namespace pathfront
