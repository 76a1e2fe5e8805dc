// The ordered work queue: a circle of buckets, each one delta of distance wide, the most urgent at its head.
//
// Distances beyond the circle are clipped to the last bucket, those below the head are put into the head. The order is
// a matter of efficiency alone: wherever an item is put, it will be read.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/level.hpp"
#include "engines/adds/bucket.hpp"

namespace pathfront::adds {

// Where distances belong at the moment. Workers get a copy with every assignment, so they never see half a change.
template <class D>
struct Window {
    Leveling<D> leveling;
    std::uint64_t base; // the level of the head: its distances over delta
    std::uint32_t head; // its place in the circle
    std::uint32_t last; // the number of buckets, less one

    // The place of a distance in the circle; `clipped` counts those that lie beyond.
    std::uint32_t place_of(D dist, std::uint64_t& clipped) const {
        const std::uint64_t level = leveling(dist);
        std::uint64_t ahead = level > base ? level - base : 0;
        clipped += ahead > last;
        ahead = ahead > last ? last : ahead;
        return place(static_cast<std::uint32_t>(ahead));
    }

    std::uint32_t place(std::uint32_t ahead) const {
        const std::uint32_t place = head + ahead;
        return place > last ? place - last - 1 : place;
    }

    double low() const { return static_cast<double>(base) * leveling.width(); }
};

template <class D, class Item>
class WorkQueue {
  public:
    WorkQueue(Layout layout, std::uint32_t buckets, int exponent, std::size_t most_blocks)
        : window_{Leveling<D>(exponent), 0, 0, buckets - 1}, layout_(layout), pool_(layout, most_blocks) {
        for (std::uint32_t i = 0; i < buckets; ++i)
            buckets_.push_back(std::make_unique<Bucket<Item>>(layout, i));
        provide();
    }

    const Window<D>& window() const { return window_; }
    std::uint32_t size() const { return window_.last + 1; }
    Layout layout() const { return layout_; }

    Bucket<Item>& operator[](std::uint32_t index) { return *buckets_[index]; }
    const Bucket<Item>& operator[](std::uint32_t index) const { return *buckets_[index]; }
    Bucket<Item>& ahead(std::uint32_t steps) { return *buckets_[window_.place(steps)]; }

    // ---- for the manager

    // Makes blocks ready in all buckets, first of all those that are done with.
    void provide() {
        for (const auto& bucket : buckets_)
            bucket->recycle(pool_);
        const std::size_t before = pool_.high_water();
        for (const auto& bucket : buckets_)
            bucket->provide(pool_);
        if (pool_.high_water() > before)
            note_excess();
    }

    // Moves the head to the first bucket that is not finished; how far, or none if all are finished.
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    std::uint32_t advance() {
        for (std::uint32_t steps = 0; steps < size(); ++steps)
            if (!ahead(steps).finished()) {
                window_.head = window_.place(steps);
                window_.base += steps;
                return steps;
            }
        return none;
    }

    // Doubles delta or halves it. The head stays where it is, so what is in the circle stays in order.
    void change_width(int by) {
        window_.leveling = Leveling<D>(window_.leveling.exponent() + by);
        window_.base = by > 0 ? window_.base >> 1 : std::min(window_.base << 1, highest_level);
    }

    std::uint64_t live() const {
        std::uint64_t sum = 0;
        for (const auto& bucket : buckets_)
            sum += bucket->live();
        return sum;
    }

    std::uint32_t in_use() const {
        std::uint32_t count = 0;
        for (const auto& bucket : buckets_)
            count += bucket->live() > 0;
        return count;
    }

    const BlockPool<Item>& pool() const { return pool_; }
    std::int64_t excess() const { return excess_; }

  private:
    static constexpr std::uint64_t highest_level = std::uint64_t{1} << 62; // of any distance

    // Blocks in use beyond those that the live items would fill, at the times when the pool grew.
    void note_excess() {
        const auto needed = static_cast<std::int64_t>(layout_.number_of(live()));
        excess_ = std::max(excess_, static_cast<std::int64_t>(pool_.in_use()) - needed);
    }

    Window<D> window_;
    Layout layout_;
    BlockPool<Item> pool_;
    std::vector<std::unique_ptr<Bucket<Item>>> buckets_;
    std::int64_t excess_ = 0;
};

} // namespace pathfront::adds
