// A worker: relaxes the items it is assigned and pushes what improves into the buckets. It never reads a bucket.
//
// Pushes are collected per bucket and made together, as a warp of a GPU would: one reservation and one counter for many
// items. Everything is pushed before the assignment is completed, so that whoever sees it completed sees it all.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <vector>

#include "engines/adds/assignment.hpp"
#include "relax/relax.hpp"

namespace pathfront::adds {

using Clock = std::chrono::steady_clock;

// What a worker did so far. Written by the worker after each assignment, read by the manager at any time: relaxed,
// since each number is true by itself.
struct Counts {
    std::atomic<std::uint64_t> vertices{0}, edges{0}, assignments{0}, pushed{0}, clipped{0};
};

template <class W, class D, Parents parents, bool shared>
class Worker : public Relaxing<W, D, parents, Worker<W, D, parents, shared>> {
  public:
    using Base = Relaxing<W, D, parents, Worker>;
    using typename Base::Item;
    using Queue = WorkQueue<D, Item>;

    static constexpr std::uint32_t together = 32; // items of one bucket that are pushed at once

    Worker(const Task<W, D>& task, Queue& queue, Desk& desk, bool manages)
        : Base(task), flag(queue.window()), queue_(queue), desk_(desk), manages_(manages), window_(queue.window()),
          counts_(queue.size()), touched_(queue.size() / 64 + 1), collected_(std::size_t{queue.size()} * together) {}

    // Carries out an assignment. `between()` is called every few items and between the pieces of a hub; after a stop
    // what is left is dropped, and nothing is completed.
    template <class Between>
    void work(const Assignment<D, Item>& assignment, Between&& between) {
        const auto began = Clock::now();
        Range<Item> range = assignment.range;
        window_ = assignment.window;
        limit_ = assignment.limit;
        if (limit_ != unreached<D>)
            drop_beyond(range);
        this->template relax_along<shared ? Writers::all : Writers::one>(
            this->task_.graph, range,
            [&](std::uint32_t next) {
                between();
                if (desk_.stopped())
                    range.size = next;
            },
            [&](Vertex, D, Offset arc, Offset& to) {
                between();
                if (desk_.stopped())
                    to = arc;
            });
        push_collected();
        busy += Clock::now() - began;
        published.vertices.store(this->vertices_processed, std::memory_order_relaxed);
        published.edges.store(this->edges_relaxed, std::memory_order_relaxed);
        published.pushed.store(pushed, std::memory_order_relaxed);
        published.clipped.store(clipped, std::memory_order_relaxed);
        published.assignments.store(published.assignments.load(std::memory_order_relaxed) + 1,
                                    std::memory_order_relaxed);
        if (!desk_.stopped())
            queue_[range.bucket].template complete<shared>(range);
    }

    // Collects an improved vertex; Relaxing calls this.
    void push(D sum, Vertex v, Vertex u, bool keep) {
        if (!keep || sum > limit_)
            return;
        const std::uint32_t place = window_.place_of(sum, clipped);
        std::uint32_t& count = counts_[place];
        touched_[place / 64] |= std::uint64_t{1} << place % 64;
        collected_[std::size_t{place} * together + count] = Base::item_of(sum, v, u);
        if (++count == together) {
            push_bucket(place);
            if constexpr (shared)
                if (!manages_)
                    desk_.ring(); // others may be idle
        }
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
    void push_bucket(std::uint32_t place) {
        const std::uint32_t count = counts_[place];
        if (count == 0)
            return; // pushed when it was full
        counts_[place] = 0;
        pushed += count;
        unsigned turn = 0;
        queue_[place].template push<shared>(
            &collected_[std::size_t{place} * together], count, [&] { desk_.want_block(); },
            [&] {
                if (!manages_)
                    return desk_.await_block(turn++);
                queue_.provide();
                return true;
            });
    }

    // Nothing beyond the limit is of interest.
    void drop_beyond(Range<Item>& range) const {
        std::uint32_t kept = 0;
        for (std::uint32_t i = 0; i < range.size; ++i) {
            const Item item = range.items[i];
            range.items[kept] = item;
            kept += !(item.dist > limit_);
        }
        range.size = kept;
    }

    Queue& queue_;
    Desk& desk_;
    bool manages_;
    Window<D> window_;
    D limit_ = unreached<D>;
    std::vector<std::uint32_t> counts_;  // of each bucket: items collected
    std::vector<std::uint64_t> touched_; // bits: buckets with items collected
    std::vector<Item> collected_;
};

} // namespace pathfront::adds
