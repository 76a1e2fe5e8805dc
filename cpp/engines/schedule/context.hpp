// The context of an operation: the search, the queues and the threads. In a serial operation the leader pushes entries
// straight into the queues. In a parallel one every thread fills bags of its own, which are appended at the end.
#pragma once

#include <algorithm>
#include <vector>

#include "core/blocks.hpp"
#include "engines/schedule/buffers.hpp"
#include "engines/schedule/fork_join.hpp"

namespace pathfront {

// The sizes from which an operation is parallel; a smaller one is done before the other threads are awake.
struct ParallelThresholds {
    std::uint64_t relaxing = 768;  // entries of a queue
    std::uint64_t passing = 8192;  // entries that are only read
    std::int64_t sweeping = 16384; // vertices or arcs of the graph

    // The thresholds for a graph: where vertices have few arcs, a queue has to hold more of them. On roads and grids
    // two threads that shared queues of 768 entries were 5 to 10% slower than one.
    static ParallelThresholds on(std::uint64_t vertices, std::uint64_t arcs) {
        constexpr std::uint64_t enough_arcs = 8192;
        ParallelThresholds thresholds;
        thresholds.relaxing = std::max(thresholds.relaxing, enough_arcs * vertices / std::max<std::uint64_t>(arcs, 1));
        return thresholds;
    }
};

template <class W, class D, Parents parents>
class Context {
  public:
    using Item = Entry<D, parents>;
    using Chunk = pathfront::Chunk<Item>;
    using ThreadState = pathfront::ThreadState<D, Item>;
    using Routes = pathfront::Routes<Item, D>;

    Context(const SearchState<W, D>& search_state, Buffers<D, Item>& search_buffers, unsigned thread_count,
            ParallelThresholds from, Watch& watch)
        : state(search_state), buffers(search_buffers), queues(buffers.queues), scalars(buffers.scalars),
          threads(thread_count), thresholds(from), watch_(watch) {}

    ThreadState& leader() { return *buffers.thread_states[0]; }
    std::vector<std::unique_ptr<ThreadState>>& thread_states() { return buffers.thread_states; }

    // Whether an instruction's queue is long enough for a parallel operation.
    bool in_parallel(const Instruction& it, std::uint64_t enough) const {
        return threads > 1 && queues[it.queues[0]].size() >= enough;
    }

    // Runs work(shared, thread, routes, id) on all threads, or on the leader alone. The first `taken` of the
    // instruction's queues are not destinations.
    template <class Work>
    void run(bool parallel, const Instruction& it, std::size_t taken, Work&& work) {
        if (!fork_join || !parallel)
            return work(std::false_type{}, leader(), routes_of(it, taken, nullptr), 0u);
        fork_join->share([&](unsigned id) {
            ThreadState& thread = *buffers.thread_states[id];
            work(std::true_type{}, thread, routes_of(it, taken, &thread), id);
        });
        for (auto& thread : buffers.thread_states)
            for (std::size_t i = taken; i < it.queues.size(); ++i)
                queues[it.queues[i]].append(thread->out[i - taken].take());
    }

    // Calls each(shared, thread, routes, id, begin, end) for blocks of [0, total), in parallel or by the leader alone.
    // `each` returns the amount of its work.
    template <class Each>
    void for_blocks(bool parallel, const Instruction& it, std::size_t taken, std::int64_t total, std::int64_t block,
                    Each&& each) {
        Blocks blocks(total, block);
        run(parallel, it, taken, [&](auto shared, ThreadState& thread, const Routes& routes, unsigned id) {
            for (std::int64_t begin, end; blocks.next(begin, end);)
                if (!poll(id, each(shared, thread, routes, id, begin, end)))
                    return;
        });
    }

    // Takes a queue out and calls each(shared, thread, routes, chunk, id) for its chunks, in their order if serial.
    // If `each` returns a bag, what is left of the chunk is appended to it.
    template <class Each>
    void pass(const Instruction& it, std::uint64_t enough, Each&& each) {
        Bag<Item> taken = queues[it.queues[0]].take();
        const bool shared = taken.size() >= enough;
        if (fork_join && shared)
            list(taken);
        std::atomic<std::size_t> next{0};
        run(shared, it, 1, [&](auto is_shared, ThreadState& thread, const Routes& routes, unsigned id) {
            for (Chunk* chunk; (chunk = next_chunk<is_shared.value>(taken, next));) {
                const std::uint32_t size = chunk->size;
                if constexpr (std::is_void_v<decltype(each(is_shared, thread, routes, *chunk, id))>) {
                    each(is_shared, thread, routes, *chunk, id);
                    thread.pool.put(chunk);
                } else {
                    each(is_shared, thread, routes, *chunk, id).adopt(chunk, thread.pool);
                }
                if (!poll(id, size))
                    return;
            }
        });
    }

    void list(const Bag<Item>& taken) {
        buffers.chunks.clear();
        for (Chunk* chunk = taken.first(); chunk; chunk = chunk->next)
            buffers.chunks.push_back(chunk);
    }

    // Called between pieces of work: the leader polls the watch, which may interrupt it; the other threads read
    // `stop_`. False when the search is to stop.
    bool poll(unsigned id, std::int64_t work) {
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

    const SearchState<W, D>& state;
    Buffers<D, Item>& buffers;
    std::vector<Bag<Item>>& queues;
    std::vector<D>& scalars;
    unsigned threads;
    ParallelThresholds thresholds;
    ForkJoin* fork_join = nullptr;
    bool traces = false;

  private:
    template <bool shared>
    Chunk* next_chunk(Bag<Item>& taken, std::atomic<std::size_t>& next) {
        if constexpr (!shared)
            return taken.take_chunk();
        const std::size_t i = next.fetch_add(1, std::memory_order_relaxed);
        return i < buffers.chunks.size() ? buffers.chunks[i] : nullptr;
    }

    Routes routes_of(const Instruction& it, std::size_t taken, ThreadState* thread) {
        Routes routes;
        for (std::size_t i = taken; i < it.queues.size(); ++i)
            routes.bags[i - taken] = thread ? &thread->out[i - taken] : &queues[it.queues[i]];
        routes.limit_count = it.queues.size() > taken ? static_cast<unsigned>(it.queues.size() - taken) - 1 : 0;
        for (unsigned i = 0; i < routes.limit_count; ++i)
            routes.limits[i] = scalars[it.scalars[i]];
        return routes;
    }

    Watch& watch_;
    std::atomic<bool> stop_{false};
};

} // namespace pathfront
