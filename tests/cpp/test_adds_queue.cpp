// The parts of ADDS one by one: what a bucket lets be read, when it is finished, where its memory goes, where distances
// are put, and how delta is chosen. Each rule of the queue's protocol has a test that fails without it.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "check.hpp"
#include "engines/adds/delta_control.hpp"
#include "engines/adds/work_queue.hpp"

using namespace pathfront;
using namespace pathfront::adds;

namespace {

constexpr auto nothing = [] {};
constexpr auto never = [] { return false; };

struct SmallBucket {
    Layout layout{2, 1}; // blocks of four items, segments of two
    BlockPool<int> pool{layout, 0};
    Bucket<int> bucket{layout, 0};

    SmallBucket() { bucket.provide(pool); }

    void push(const std::vector<int>& items) {
        CHECK(bucket.push<true>(items.data(), static_cast<std::uint32_t>(items.size()), nothing, [&] {
            bucket.provide(pool);
            return true;
        }));
    }

    std::vector<Range<int>> take_all() {
        std::vector<Range<int>> ranges;
        while (const std::uint64_t ready = bucket.readable(100))
            ranges.push_back(bucket.take(ready));
        return ranges;
    }
};

std::vector<int> items_of(const std::vector<Range<int>>& ranges) {
    std::vector<int> items;
    for (const Range<int>& range : ranges)
        items.insert(items.end(), range.items, range.items + range.size);
    return items;
}

} // namespace

TEST(adds_bucket_gives_what_was_pushed_in_order) {
    SmallBucket small;
    small.push({1, 2, 3});
    CHECK(items_of(small.take_all()) == (std::vector<int>{1, 2, 3}));
    small.push({4});
    small.push({5, 6, 7, 8, 9});
    CHECK(items_of(small.take_all()) == (std::vector<int>{4, 5, 6, 7, 8, 9}));
    CHECK(small.bucket.readable(100) == 0);
}

// A worker has reserved places and waits for a block: what is behind it may be written, but not read.
TEST(adds_bucket_does_not_read_past_a_hole) {
    SmallBucket small; // two blocks of four are there
    small.push({0, 1, 2, 3, 4, 5});
    const std::vector<int> late(3, 7); // places 6, 7, and 8, which has no block
    bool pushed = small.bucket.push<true>(late.data(), 3, nothing, [&] {
        CHECK(small.bucket.readable(100) == 8); // six and two, whose segment is full
        small.bucket.provide(small.pool);
        const int next = 9; // another writer, in slot 9: the segment has one item of two reserved, but not its first
        CHECK(small.bucket.push<true>(&next, 1, nothing, never));
        CHECK(small.bucket.readable(100) == 8);
        return true;
    });
    CHECK(pushed);
    CHECK(small.bucket.readable(100) == 10);
}

// An item that reports when it is being written.
struct Spy {
    int value = 0;
    Spy() = default;
    explicit Spy(int number) : value(number) {}
    Spy(const Spy&) = default;
    Spy& operator=(const Spy& other) {
        if (while_writing)
            while_writing();
        value = other.value;
        return *this;
    }
    static inline std::function<void()> while_writing;
};

TEST(adds_bucket_counts_an_item_only_when_it_is_written) {
    const Layout layout{4, 2};
    BlockPool<Spy> pool(layout, 0);
    Bucket<Spy> bucket(layout, 0);
    bucket.provide(pool);
    const std::vector<Spy> items{Spy(1), Spy(2), Spy(3)};
    int written = 0;
    Spy::while_writing = [&] {
        CHECK(bucket.readable(100) == 0); // the segment has none that is counted yet
        ++written;
    };
    CHECK(bucket.push<true>(items.data(), 3, nothing, never));
    Spy::while_writing = nullptr;
    CHECK(written == 3 && bucket.readable(100) == 3);
}

TEST(adds_blocks_are_never_taken_for_those_of_another_bucket) {
    const Layout layout{2, 1};
    BlockPool<int> pool(layout, 0);
    Bucket<int> first(layout, 0), second(layout, 1);
    std::set<std::uint64_t> tags;
    for (Bucket<int>* bucket : {&first, &second})
        for (int i = 0; i < 12; i += 4) { // three blocks each
            bucket->provide(pool);
            const std::vector<int> items(4, i);
            CHECK(bucket->push<true>(items.data(), 4, nothing, never));
            tags.insert(bucket->take(4).block->tag.load());
        }
    CHECK(tags.size() == 6);
}

TEST(adds_bucket_is_finished_when_worked_off_not_when_empty) {
    SmallBucket small;
    CHECK(small.bucket.finished());
    small.push({1, 2, 3, 4, 5});
    CHECK(!small.bucket.finished());
    const auto ranges = small.take_all();
    CHECK(small.bucket.readable(100) == 0);
    CHECK(!small.bucket.finished()); // empty, but its items are being worked on
    small.push({6});                 // and push into it
    for (const auto& range : ranges)
        small.bucket.complete<true>(range);
    CHECK(!small.bucket.finished());
    for (const auto& range : small.take_all())
        small.bucket.complete<true>(range);
    CHECK(small.bucket.finished());
}

TEST(adds_blocks_come_back_only_when_worked_off) {
    SmallBucket small;
    small.push({1, 2, 3, 4, 5, 6, 7, 8, 9});
    const auto ranges = small.take_all();
    CHECK(ranges.size() == 3);
    small.bucket.recycle(small.pool);
    const std::size_t before = small.pool.in_use();
    small.bucket.complete<true>(ranges[1]); // the second block: out of order
    small.bucket.recycle(small.pool);
    CHECK(small.pool.in_use() == before - 1);
    small.bucket.complete<true>(ranges[0]);
    small.bucket.complete<true>(ranges[2]); // of the third block only one item has ever been there
    small.bucket.recycle(small.pool);
    CHECK(small.pool.in_use() == before - 2);
}

// The circle of blocks grows while the oldest block is held, and no block is taken for another.
TEST(adds_bucket_grows_behind_a_block_that_is_held) {
    SmallBucket small;
    small.push({-1});
    const auto held = small.take_all();
    std::vector<int> expected;
    for (int i = 0; i < 400; ++i) {
        small.push({i});
        for (const auto& range : small.take_all()) {
            CHECK(range.size == 1 && range.items[0] == i);
            small.bucket.complete<true>(range);
        }
        small.bucket.recycle(small.pool);
        CHECK(small.pool.in_use() <= 4); // the one held, the one written, the spare, and one about to be returned
    }
    CHECK(!small.bucket.finished());
    small.bucket.complete<true>(held[0]);
    CHECK(small.bucket.finished());
}

TEST(adds_pool_has_a_limit) {
    const Layout layout{2, 1};
    BlockPool<int> pool(layout, 3);
    Bucket<int> bucket(layout, 0);
    bucket.provide(pool);
    const std::vector<int> items(20, 1);
    CHECK(caught<std::bad_alloc>([&] {
              bucket.push<true>(items.data(), 20, nothing, [&] {
                  bucket.provide(pool);
                  return true;
              });
          }).find("more than the 3 blocks") != std::string::npos);
}

TEST(adds_pool_that_is_too_small_for_the_buckets_is_refused_before_it_is_allocated) {
    const Layout layout{40, 40}; // a block of 2^40 items
    CHECK(caught<PoolExhausted>([&] {
              WorkQueue<std::uint32_t, int> queue(layout, 4, 3, 7);
          }).find("more than the 7 blocks") != std::string::npos);
}

TEST(adds_window_clips_to_the_last_bucket_and_lifts_to_the_head) {
    WorkQueue<std::uint32_t, int> queue({2, 1}, 4, 8, 0); // four buckets, eight wide
    std::uint64_t clipped = 0;
    const auto bucket_of = [&](std::uint32_t dist) { return queue.window().bucket_of(dist, clipped); };
    CHECK(bucket_of(0) == 0 && bucket_of(7) == 0 && bucket_of(8) == 1 && bucket_of(31) == 3 && clipped == 0);
    CHECK(bucket_of(32) == 3 && bucket_of(4'000'000'000u) == 3 && clipped == 2);
    const int item = 1;
    queue[2].push<true>(&item, 1, nothing, never);
    CHECK(queue.advance() == 2 && queue.advance() == 0); // past two finished ones, and then it stays
    CHECK(bucket_of(0) == 2 && bucket_of(16) == 2 && bucket_of(24) == 3 && bucket_of(32) == 0 && bucket_of(40) == 1 &&
          bucket_of(48) == 1);
    queue.change_width(1); // sixteen wide: the head begins at 16
    CHECK(bucket_of(31) == 2 && bucket_of(32) == 3 && bucket_of(64) == 1);
    queue.change_width(-1);
    CHECK(bucket_of(23) == 2 && bucket_of(24) == 3);
    queue[2].complete<true>(queue[2].take(1));
    CHECK(queue.advance() == queue.none);
}

TEST(adds_head_reaches_the_clip_bucket_last) {
    // An item of the bucket before the last pushes into the head after that has been checked, and is completed: then
    // the head is not the clip bucket, although all buckets before it had been finished when they were checked. Here
    // the checks of one call find that out; tests/model/adds_queue.py has every interleaving.
    WorkQueue<std::uint32_t, int> queue({2, 1}, 3, 10, 0);
    const int item = 1;
    for (const std::uint32_t bucket : {0u, 1u, 2u})
        queue[bucket].push<true>(&item, 1, nothing, never);
    queue[0].complete<true>(queue[0].take(1));
    CHECK(queue.advance() == 1 && queue.window().steps_to(0) == 2 && queue.window().steps_to(1) == 0);
    queue[1].complete<true>(queue[1].take(1));
    CHECK(queue.advance() == 1 && queue.window().head == 2 && queue.window().base == 2); // no longer the last
    CHECK(queue.window().low() == 20 && queue.window().end() == 50);
    queue[2].complete<true>(queue[2].take(1));
    CHECK(queue.advance() == queue.none && queue.window().head == 2);
}

TEST(adds_window_of_any_width_keeps_the_end_of_the_head) {
    WorkQueue<std::uint32_t, int> queue({2, 1}, 4, 25, 0);
    const int item = 1;
    queue[3].push<true>(&item, 1, nothing, never);
    CHECK(queue.advance() == 3 && queue.window().low() == 75);
    queue.change_width(-1); // 12.5, so 12
    CHECK(queue.window().leveling.width() == 12 && queue.window().base == 6);
    queue.change_width(1);
    CHECK(queue.window().leveling.width() == 25 && queue.window().base == 2);
}

TEST(adds_window_takes_distances_of_any_size) {
    WorkQueue<double, int> queue({2, 1}, 8, 0x1p-1000, 0);
    std::uint64_t clipped = 0;
    CHECK(queue.window().bucket_of(1e308, clipped) == 7 && queue.window().bucket_of(0.0, clipped) == 0 && clipped == 1);
    for (int i = 0; i < 100; ++i)
        queue.change_width(-1); // never mind how small
    CHECK(queue.window().bucket_of(1.0, clipped) == 7);
}

// Random pushes, takes and completions against a plain multiset; and the pool never holds more than it should.
TEST(adds_queue_loses_nothing_and_keeps_little) {
    std::mt19937 rng(5);
    for (int round = 0; round < 60; ++round) {
        const Layout layout{1 + static_cast<unsigned>(rng() % 3), static_cast<unsigned>(rng() % 2)};
        const auto buckets = static_cast<std::uint32_t>(2 + rng() % 5);
        WorkQueue<std::uint32_t, std::uint32_t> queue(layout, buckets, 4, 0);
        std::multiset<std::uint32_t> inside;
        std::vector<std::pair<Range<std::uint32_t>, std::vector<std::uint32_t>>> running;
        std::uint64_t clipped = 0;
        for (int step = 0; step < 3000; ++step) {
            if (rng() % 2 == 0 && inside.size() < 300) {
                std::vector<std::uint32_t> items(1 + rng() % 9, static_cast<std::uint32_t>(rng() % 200));
                const std::uint32_t bucket = queue.window().bucket_of(items[0], clipped);
                const auto want = [&] { queue.want(bucket); };
                CHECK(queue[bucket].push<true>(items.data(), static_cast<std::uint32_t>(items.size()), want, [&] {
                    want();
                    queue.provide();
                    return true;
                }));
                inside.insert(items.begin(), items.end());
            } else if (rng() % 2 == 0) {
                auto& bucket = queue[static_cast<std::uint32_t>(rng() % buckets)];
                if (const std::uint64_t ready = bucket.readable(1 + rng() % 20)) {
                    const auto range = queue.take(bucket, 1 + rng() % ready);
                    running.push_back({range, {range.items, range.items + range.size}});
                }
            } else if (!running.empty()) {
                std::swap(running[rng() % running.size()], running.back());
                const auto [range, items] = running.back();
                CHECK(std::equal(items.begin(), items.end(), range.items)); // no other thread has written there
                queue[range.bucket].complete<true>(range);
                for (const std::uint32_t item : items)
                    inside.erase(inside.find(item));
                running.pop_back();
            }
            CHECK(queue.live() == inside.size());
            if (queue.advance() == queue.none)
                CHECK(inside.empty());
            queue.provide();
            // what the live items need, a block begun and a spare for each bucket, and those with a range in them
            CHECK(queue.pool().in_use() <= inside.size() / layout.block() + 3 * buckets + 2 * running.size());
        }
    }
}

TEST(adds_delta_is_raised_when_clipped_and_never_falls_there_again) {
    DeltaControl control(true, 32, 1, 0x1p62, 1, 1.0);
    std::uint64_t pushed = 0, clipped = 0;
    // Switches until something is decided: a whole period, unless most is clipped.
    auto period = [&](std::uint64_t assigned, std::uint64_t more, std::uint64_t beyond) {
        for (std::uint32_t i = 1; i <= DeltaControl::settling; ++i)
            if (const int by = control.head_switched(assigned, pushed += more, clipped += beyond)) {
                CHECK(i == (by > 0 && beyond > 0 ? 1 : DeltaControl::settling));
                return by;
            }
        return 0;
    };
    constexpr std::uint64_t plenty = 1'000'000, right = 1000;
    CHECK(period(right, 1000, 640) == 0);
    CHECK(period(plenty, 1000, 640) == 0); // too much, but half the width would lose the order
    CHECK(period(plenty, 1000, 650) == 1); // clipped, although everybody is busy
    CHECK(period(plenty, 1000, 0) == 0);   // no way back
    CHECK(period(1, 1000, 0) == 1);        // too little for one worker
    CHECK(period(plenty, 1000, 0) == -1);  // far too much
    CHECK(period(plenty, 1000, 0) == 0);
    CHECK(control.raised() == 2 && control.lowered() == 1);
    DeltaControl fixed(false, 32, 1, 0x1p62, 1, 1.0);
    for (unsigned i = 0; i < 100; ++i)
        CHECK(fixed.head_switched(1, 1000u * i, 1000u * i) == 0);
    DeltaControl top(true, 0x1p62, 1, 0x1p62, 1, 1.0);
    for (unsigned i = 0; i < 100; ++i)
        CHECK(top.head_switched(1, 1000u * i, 1000u * i) == 0);
}

TEST(adds_delta_is_lowered_within_a_bucket_that_is_overfull) {
    constexpr std::uint64_t limit = 4 * 8 * 512; // items
    DeltaControl control(true, 40, 3, 0x1p62, 1, 1.0);
    CHECK(!control.is_overfull(limit - 1) && control.is_overfull(limit));
    CHECK(control.within_bucket(limit, 1000, 101) == 0); // narrower buckets would be clipped
    CHECK(!control.is_overfull(2 * limit - 1) && control.is_overfull(2 * limit));
    CHECK(control.within_bucket(2 * limit, 2000, 101) == -2); // 10
    CHECK(!control.is_overfull(limit - 1) && control.is_overfull(limit));
    CHECK(control.within_bucket(limit, 3000, 101) == -1); // 5, since 2.5 is too little
    CHECK(control.within_bucket(limit, 4000, 101) == 0);
    CHECK(control.is_overfull(2 * limit));
    CHECK(control.head_switched(1, 4000, 101) == 0 && !control.is_overfull(limit - 1)); // a new bucket
    CHECK(control.lowered() == 2 && control.raised() == 0);
    CHECK(!DeltaControl(false, 40, 3, 0x1p62, 1, 1.0).is_overfull(~std::uint64_t{0} - 1));
}
