// A worker: relaxes its assigned items and pushes improved vertices into the buckets. It never reads a bucket.
//
// Pushes are aggregated per bucket, as by a warp of a GPU: one reservation and one counter update for many items. All
// items are pushed before the assignment is completed, so a thread that sees the completion sees the items.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <vector>

#include "engines/adds/assignment.hpp"
#include "relax/relax.hpp"

namespace pathfront::adds {

using Clock = std::chrono::steady_clock;

// A worker's counts so far. Written by the worker after each assignment, read by the manager at any time; relaxed,
// since each count is used by itself.
struct Counts {
    std::atomic<std::uint64_t> vertices{0}, edges{0}, assignments{0}, pushed{0}, clipped{0}, moved{0}, clipped_again{0},
        discarded{0};
};

template <class W, class D, Parents parents, bool shared>
class Worker : public RelaxCore<W, D, parents, Worker<W, D, parents, shared>> {
  public:
    using Base = RelaxCore<W, D, parents, Worker>;
    using typename Base::Item;
    using Queue = WorkQueue<D, Item>;

    static constexpr std::uint32_t batch = 32; // items of one bucket per push

    Worker(const Task<W, D>& task, Queue& queue, Coordination& coordination, bool manages)
        : Base(task), flag(queue.window()), queue_(queue), coordination_(coordination), manages_(manages),
          window_(queue.window()), counts_(queue.size()), touched_(queue.size() / 64 + 1),
          collected_(std::size_t{queue.size()} * batch) {}

    // Carries out an assignment. `between()` is called every few items and between the parts of a hub; after a stop the
    // remaining items are dropped, and nothing is completed.
    template <class Between>
    void work(const Assignment<D, Item>& assignment, Between&& between) {
        const auto began = Clock::now();
        Range<Item> range = assignment.range;
        const std::uint64_t before = this->vertices_processed;
        std::uint32_t moved = 0;
        window_ = assignment.window;
        limit_ = assignment.limit;
        if (limit_ != unreached<D>)
            drop_beyond(range);
        if (assignment.last_level != assignment.any_level)
            moved = resort(range, assignment.last_level);
        this->template relax_chunk<shared ? Writers::all : Writers::one>(
            this->task_.graph, range,
            [&](std::uint32_t next) {
                between();
                if (coordination_.stopped())
                    range.size = next;
            },
            [&](Vertex, D, Offset arc, Offset& to) {
                between();
                if (coordination_.stopped())
                    to = arc;
            });
        push_collected();
        busy += Clock::now() - began;
        published.vertices.store(this->vertices_processed, std::memory_order_relaxed);
        published.edges.store(this->edges_relaxed, std::memory_order_relaxed);
        published.pushed.store(pushed, std::memory_order_relaxed);
        published.clipped.store(clipped, std::memory_order_relaxed);
        const std::uint64_t discarded = range.count - moved - (this->vertices_processed - before);
        published.discarded.store(published.discarded.load(std::memory_order_relaxed) + discarded,
                                  std::memory_order_relaxed);
        published.assignments.store(published.assignments.load(std::memory_order_relaxed) + 1,
                                    std::memory_order_relaxed);
        if (!coordination_.stopped())
            queue_[range.bucket].template complete<shared>(range);
    }

    // Collects an improved vertex; RelaxCore calls this.
    void push(D sum, Vertex v, Vertex u, bool keep) {
        if (!keep || sum > limit_)
            return;
        collect(window_.bucket_of(sum, clipped), Item(sum, v, u));
    }

    void push_collected() {
        for (std::uint32_t i = 0; i < touched_.size(); ++i)
            for (; touched_[i] != 0; touched_[i] &= touched_[i] - 1)
                push_bucket(64 * i + static_cast<std::uint32_t>(std::countr_zero(touched_[i])));
    }

    AssignmentFlag<D, Item> flag;
    alignas(128) Counts published;
    std::uint64_t clipped = 0, pushed = 0;
    Clock::duration busy{0};

  private:
    // Collects an item for a bucket; pushes a full batch.
    [[gnu::always_inline]] void collect(std::uint32_t bucket, const Item& item) {
        std::uint32_t& count = counts_[bucket];
        touched_[bucket / 64] |= std::uint64_t{1} << bucket % 64;
        collected_[std::size_t{bucket} * batch + count] = item;
        if (++count == batch) {
            push_bucket(bucket);
            if constexpr (shared)
                if (!manages_)
                    coordination_.wake(); // other workers may be idle
        }
    }

    void push_bucket(std::uint32_t bucket) {
        const std::uint32_t count = counts_[bucket];
        if (count == 0)
            return; // pushed when the batch was full
        counts_[bucket] = 0;
        pushed += count;
        unsigned turn = 0;
        const auto request = [&] {
            queue_.want(bucket);
            coordination_.request_block();
        };
        queue_[bucket].template push<shared>(&collected_[std::size_t{bucket} * batch], count, request, [&] {
            if (manages_) {
                queue_.want(bucket);
                queue_.provide();
                return true;
            }
            if (turn % 64 == 0)
                request();
            return coordination_.await_block(turn++);
        });
    }

    // Drops the items beyond the limit.
    void drop_beyond(Range<Item>& range) const {
        Item* const end =
            std::remove_if(range.items, range.items + range.size, [&](const Item& item) { return item.dist > limit_; });
        range.size = static_cast<std::uint32_t>(end - range.items);
    }

    // Moves the items beyond a level to their buckets, as delta is now. These are farther from the head than the items'
    // bucket, so none of them stays where it is. Returns how many they are.
    std::uint32_t resort(Range<Item>& range, std::uint64_t last_level) {
        this->template drop_stale<shared ? Writers::all : Writers::one>(range);
        std::uint64_t clipped_again = 0;
        std::uint32_t kept = 0;
        for (std::uint32_t i = 0; i < range.size; ++i) {
            const Item item = range.items[i];
            if (window_.leveling(item.dist) > last_level)
                collect(window_.bucket_of(item.dist, clipped_again), item);
            else
                range.items[kept++] = item;
        }
        const std::uint32_t moved = range.size - kept;
        range.size = kept;
        pushed -= moved; // for the share of pushes that are clipped
        published.moved.store(published.moved.load(std::memory_order_relaxed) + moved, std::memory_order_relaxed);
        published.clipped_again.store(published.clipped_again.load(std::memory_order_relaxed) + clipped_again,
                                      std::memory_order_relaxed);
        return moved;
    }

    Queue& queue_;
    Coordination& coordination_;
    bool manages_;
    Window<D> window_;
    D limit_ = unreached<D>;
    std::vector<std::uint32_t> counts_;  // of each bucket: items collected
    std::vector<std::uint64_t> touched_; // bits: buckets with items collected
    std::vector<Item> collected_;
};

} // namespace pathfront::adds
