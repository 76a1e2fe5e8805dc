// The ordered work queue: a circular queue of buckets, each one delta of distance wide, the most urgent at its head.
//
// Distances beyond the last bucket are clipped to it, those below the head go to the head. The order affects efficiency
// only: the items of every bucket are read.
//
// There may be thousands of buckets and a block for every item, so nothing is done for all buckets whenever one of them
// needs a block: workers mark the buckets that do, and the manager those that may have blocks to return.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/level.hpp"
#include "engines/adds/bucket.hpp"

namespace pathfront::adds {

// The current map from distances to buckets. Each assignment holds a copy, so a worker never sees a partial change.
template <class D>
struct Window {
    Leveling<D> leveling;
    std::uint64_t base; // the level of the head: its lowest distance over delta
    std::uint32_t head; // the index of the head bucket
    std::uint32_t last; // the number of buckets, less one

    // The index of the bucket of a distance; `clipped` counts the distances beyond the last bucket.
    std::uint32_t bucket_of(D dist, std::uint64_t& clipped) const {
        const std::uint64_t level = leveling(dist);
        std::uint64_t ahead = level > base ? level - base : 0;
        clipped += ahead > last;
        ahead = ahead > last ? last : ahead;
        return bucket_ahead(static_cast<std::uint32_t>(ahead));
    }

    std::uint32_t bucket_ahead(std::uint32_t ahead) const {
        const std::uint32_t bucket = head + ahead;
        return bucket > last ? bucket - last - 1 : bucket;
    }

    // The number of steps from the head to a bucket.
    std::uint32_t steps_to(std::uint32_t bucket) const {
        return bucket >= head ? bucket - head : bucket + last + 1 - head;
    }

    double low() const { return static_cast<double>(base) * leveling.width(); }

    // The distance from which everything is clipped.
    double end() const { return static_cast<double>(base + last + 1) * leveling.width(); }
};

// A set of buckets, as bits. Any thread may add one; only the manager takes them out.
class BucketSet {
  public:
    explicit BucketSet(std::uint32_t buckets) : words_(buckets / 64 + 1) {}

    // release: the thread that takes the bucket out sees what the adding thread did before
    void add(std::uint32_t bucket) {
        words_[bucket / 64].fetch_or(std::uint64_t{1} << bucket % 64, std::memory_order_release);
    }

    // Takes all buckets out and calls visit(bucket) for each.
    template <class Visit>
    void take(Visit&& visit) {
        for (std::uint32_t i = 0; i < words_.size(); ++i) {
            if (words_[i].load(std::memory_order_relaxed) == 0)
                continue; // an exchange costs twenty times as much
            for (std::uint64_t bits = words_[i].exchange(0, std::memory_order_acquire); bits != 0; bits &= bits - 1)
                visit(64 * i + static_cast<std::uint32_t>(std::countr_zero(bits)));
        }
    }

  private:
    std::vector<std::atomic<std::uint64_t>> words_;
};

template <class D, class Item>
class WorkQueue {
  public:
    WorkQueue(Layout layout, std::uint32_t buckets, double width, std::size_t most_blocks)
        : window_{Leveling<D>(width), 0, 0, buckets - 1}, layout_(layout), pool_(layout, most_blocks),
          wanting_(buckets), draining_(buckets) {
        pool_.require(std::size_t{buckets} * (1 + Bucket<Item>::spare_blocks));
        for (std::uint32_t i = 0; i < buckets; ++i) {
            buckets_.push_back(std::make_unique<Bucket<Item>>(layout, i));
            buckets_[i]->provide(pool_);
        }
        note_excess();
    }

    const Window<D>& window() const { return window_; }
    std::uint32_t size() const { return window_.last + 1; }
    Layout layout() const { return layout_; }

    Bucket<Item>& operator[](std::uint32_t index) { return *buckets_[index]; }
    const Bucket<Item>& operator[](std::uint32_t index) const { return *buckets_[index]; }
    Bucket<Item>& ahead(std::uint32_t steps) { return *buckets_[window_.bucket_ahead(steps)]; }

    // Marks a bucket that needs a block, or will soon; the next provide() gives it one.
    void want(std::uint32_t bucket) { wanting_.add(bucket); }

    // ---- for the manager

    // Takes up to `count` items, all readable, from a bucket.
    Range<Item> take(Bucket<Item>& bucket, std::uint64_t count) {
        const Range<Item> range = bucket.take(count);
        if (bucket.has_drained())
            draining_.add(range.bucket);
        return range;
    }

    // Provides blocks in the buckets that want some, recycled ones first.
    void provide() {
        draining_.take([&](std::uint32_t i) {
            buckets_[i]->recycle(pool_);
            if (buckets_[i]->has_drained())
                still_draining_.push_back(i);
        });
        for (; !still_draining_.empty(); still_draining_.pop_back())
            draining_.add(still_draining_.back());
        wanting_.take([&](std::uint32_t i) { buckets_[i]->provide(pool_); });
        if (pool_.high_water() > noted_ + size() / 8)
            note_excess();
    }

    // Moves the head to the first bucket that is not finished. Returns the number of steps, or `none` if all are
    // finished. The clip bucket, which is the last, becomes the head only if all others are finished at one moment.
    // These are checked one after the other, so a worker may have pushed into one already checked before it completed
    // its work in one not yet checked. But once all are found finished no work is in flight, since items of the clip
    // bucket have not been assigned: the second check is the truth.
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    std::uint32_t advance() {
        std::uint32_t steps = first_unfinished();
        if (steps == window_.last)
            steps = first_unfinished();
        if (steps == window_.last && ahead(steps).finished())
            return none;
        window_.head = window_.bucket_ahead(steps);
        window_.base += steps;
        return steps;
    }

    // Multiplies delta by 2^by. The head stays the same bucket, with the same lower end.
    void change_width(int by) {
        const Leveling<D> before = window_.leveling;
        window_.leveling = before.wider(by);
        window_.base = window_.leveling.level_of(window_.base, before);
    }

    // The items in all buckets, and in the first `most` from the head; a snapshot.
    std::uint64_t live(std::uint32_t most) const {
        std::uint64_t sum = 0;
        for (std::uint32_t steps = 0; steps < most; ++steps)
            sum += buckets_[window_.bucket_ahead(steps)]->live();
        return sum;
    }

    std::uint64_t live() const {
        std::uint64_t sum = 0;
        for (const auto& bucket : buckets_)
            sum += bucket->live();
        return sum;
    }

    // The number of buckets that hold items.
    std::uint64_t in_use() const {
        const auto holds_items = [](const auto& bucket) { return bucket->live() > 0; };
        return static_cast<std::uint64_t>(std::ranges::count_if(buckets_, holds_items));
    }

    const BlockPool<Item>& pool() const { return pool_; }
    std::int64_t excess() const { return excess_; }

  private:
    // The steps to the first bucket before the clip bucket that is not finished, or to the clip bucket.
    std::uint32_t first_unfinished() {
        std::uint32_t steps = 0;
        while (steps < window_.last && ahead(steps).finished())
            ++steps;
        return steps;
    }

    // Records the blocks in use beyond those that the live items would fill. Called when the pool has grown by an
    // eighth of the number of buckets, all of which it reads.
    void note_excess() {
        noted_ = pool_.high_water();
        const auto needed = static_cast<std::int64_t>(layout_.number_of(live()));
        excess_ = std::max(excess_, static_cast<std::int64_t>(pool_.in_use()) - needed);
    }

    Window<D> window_;
    Layout layout_;
    BlockPool<Item> pool_;
    std::vector<std::unique_ptr<Bucket<Item>>> buckets_;
    BucketSet wanting_, draining_;
    std::vector<std::uint32_t> still_draining_;
    std::size_t noted_ = 0; // the pool's high water at the last note_excess()
    std::int64_t excess_ = 0;
};

} // namespace pathfront::adds
