#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <random>
#include <stdexcept>

#include "check.hpp"
#include "core/blocks.hpp"
#include "core/distance.hpp"
#include "core/jobs.hpp"
#include "core/level.hpp"
#include "core/radix_heap.hpp"

using namespace pathfront;

TEST(sums_that_leave_the_type_are_refused) {
    std::uint32_t small = 0;
    CHECK(add_checked<std::uint32_t>(0xFFFFFFF0u, 0xEu, small) && small == 0xFFFFFFFEu);
    CHECK(!add_checked<std::uint32_t>(0xFFFFFFF0u, 0xFu, small)); // the marker itself
    CHECK(!add_checked<std::uint32_t>(0u, 0xFFFFFFFFu, small));
    std::int32_t whole = 0;
    CHECK(add_checked<std::int32_t>(5, -7, whole) && whole == -2);
    CHECK(!add_checked<std::int32_t>(-5, std::numeric_limits<std::int32_t>::min(), whole));
    CHECK(!add_checked<std::int32_t>(1, std::numeric_limits<std::int32_t>::max() - 1, whole));
    CHECK(!add_checked<std::int32_t>(0, std::numeric_limits<std::int32_t>::max(), whole));
    CHECK(add_checked<std::int32_t>(-1, std::numeric_limits<std::int32_t>::max(), whole) && whole == 0x7FFFFFFE);
    double real = 0;
    CHECK(!add_checked(1e308, 1e308, real));
    CHECK(!add_checked(-1e308, -1e308, real));
    CHECK(add_checked(1.0, 0.5, real) && real == 1.5);
}

TEST(keys_are_ordered_like_distances) {
    const float values[] = {0.0f, 1e-45f, 1e-30f, 0.1f, 1.0f, 3e38f, std::numeric_limits<float>::infinity()};
    for (float a : values)
        for (float b : values)
            CHECK((a < b) == (to_key(a) < to_key(b)));
}

template <class D>
void bounds_are_in_their_levels(const std::vector<D>& distances, const std::vector<double>& widths) {
    for (const double width : widths) {
        const Leveling<D> leveling(width);
        for (const D dist : distances) {
            const std::uint64_t level = leveling(dist);
            CHECK(leveling(leveling.begin(level)) == level);
            CHECK(leveling.begin(level) <= dist);
            CHECK(leveling.end(level) >= dist || level == std::uint64_t{1} << 62); // which has no end
            for (const D other : distances)
                CHECK(dist > other || level <= leveling(other));
        }
    }
}

std::vector<double> powers_and_others(int from, int to) {
    std::vector<double> widths;
    for (int exponent = from; exponent <= to; ++exponent)
        for (const double factor : {1.0, 1.0 + 0x1p-52, 1.1, 4.0 / 3, 2 - 0x1p-52})
            widths.push_back(std::ldexp(factor, exponent));
    return widths;
}

TEST(the_bound_of_a_level_is_in_the_level) {
    // beyond the widths that a search may ask for: a bound must not become 0 or infinite
    const auto widths = powers_and_others(-1074, 1000);
    bounds_are_in_their_levels<float>({0, 1e-45f, 1e-30f, 0.1f, 1, 2, 16777218, 1e10f, 3e38f}, widths);
    bounds_are_in_their_levels<double>({0, 5e-324, 1e-300, 0.1, 1, 2, 0x1p53 + 2, 1e100, 1e308}, widths);
    const auto whole = powers_and_others(0, 64);
    bounds_are_in_their_levels<std::uint32_t>({0, 1, 77, 0xFFFFFFFE}, whole);
    bounds_are_in_their_levels<std::int64_t>({0, 1, 77, std::numeric_limits<std::int64_t>::max() - 1}, whole);
}

template <class D>
void levels_are_quotients(std::uint64_t largest) {
    std::mt19937_64 rng(7);
    const auto any = [&] { return rng() % largest >> rng() % 64; };
    const std::uint64_t widest = std::uint64_t{1} << (std::numeric_limits<D>::digits - 1);
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t width = std::clamp<std::uint64_t>(i < 100 ? i : any() >> 11 << 11 | i % 2, 1, widest);
        const double given = static_cast<double>(width);
        const Leveling<D> leveling(given + (width < 1'000'000 ? 0.75 : 0)); // rounded down
        CHECK(leveling.width() == given);
        const auto exact = static_cast<std::uint64_t>(given);
        for (std::uint64_t dist : {any(), any() / exact * exact, any() / exact * exact + exact - 1, largest}) {
            dist = std::min(dist, largest);
            CHECK(leveling(static_cast<D>(dist)) == dist / exact);
        }
    }
}

TEST(levels_of_whole_distances_are_quotients) {
    levels_are_quotients<std::uint32_t>(0xFFFFFFFF);
    levels_are_quotients<std::int32_t>(0x7FFFFFFF);
    levels_are_quotients<std::uint64_t>(~std::uint64_t{0});
    levels_are_quotients<std::int64_t>(std::numeric_limits<std::int64_t>::max());
}

TEST(multiples_of_a_real_width_begin_levels) {
    for (const double width : {7.25, 0x1.3p-30, 12345.5}) { // so few bits that the products are exact
        const Leveling<double> leveling(width);
        for (int i = 0; i < 10'000; ++i)
            CHECK(leveling(i * width) == static_cast<std::uint64_t>(i));
    }
    const Leveling<float> quarters(7.25);
    for (int i = 1; i < 10'000; ++i) {
        const float bound = static_cast<float>(i) * 7.25f; // exact
        CHECK(quarters(bound) == static_cast<std::uint64_t>(i));
        CHECK(quarters(std::nextafter(bound, 0.0f)) == static_cast<std::uint64_t>(i - 1));
    }
}

TEST(a_width_that_was_halved_is_found_again) {
    const Leveling<std::uint32_t> whole(5000);
    CHECK(whole.wider(-4).width() == 312 && whole.wider(-4).wider(4).width() == 5000 &&
          whole.wider(1).width() == 10'000);
    CHECK(whole.wider(-4).level_of(3, whole) == 3 * 5000 / 312 && whole.wider(1).level_of(7, whole) == 3);
    CHECK(whole.wider(-40).width() == 1 && whole.wider(40).width() == 0x1p31);
    const Leveling<double> real(0.3);
    CHECK(real.wider(-4).wider(4).width() == 0.3 && real.wider(-2).level_of(5, real) == 20);
    CHECK(real.wider(1).level_of(5, real) == 2 && real.wider(1).level_of(6, real) == 3);
    CHECK(real.wider(-5000).level_of(5, real) == std::uint64_t{1} << 62);
}

template <class Key>
void drain_against_a_sorted_queue(std::uint64_t most) {
    std::mt19937_64 rng(7);
    RadixHeap<Key> heap;
    std::priority_queue<Key, std::vector<Key>, std::greater<>> sorted;
    auto push = [&](Key key) {
        heap.push(key, 0);
        sorted.push(key);
    };
    auto all = [](const auto&) { return true; };
    int left = 50'000;
    push(0);
    do {
        // the level may grow while it is read
        for (std::size_t i = 0; i < heap.current().size(); ++i) {
            CHECK(heap.current()[i].key == sorted.top());
            const Key here = sorted.top();
            sorted.pop();
            if (sorted.size() < 3000 && (left -= 2) > 0)
                for (int k = 0; k < 2; ++k) {
                    const Key step = static_cast<Key>(rng() % most);
                    if (here <= std::numeric_limits<Key>::max() - step)
                        push(here + step);
                }
        }
    } while (heap.advance(all));
    CHECK(sorted.empty());
}

TEST(a_radix_heap_gives_the_smallest) {
    drain_against_a_sorted_queue<std::uint32_t>(3);
    drain_against_a_sorted_queue<std::uint32_t>(0x1000000);
    drain_against_a_sorted_queue<std::uint64_t>(std::uint64_t{1} << 58);
}

TEST(a_radix_heap_drops_what_is_not_wanted) {
    RadixHeap<std::uint32_t> heap;
    for (std::uint32_t i = 1; i < 100; ++i)
        heap.push(i, i);
    std::uint32_t found = 0;
    while (heap.advance([](const auto& entry) { return entry.vertex % 2 == 0; }))
        for (const auto& entry : heap.current()) {
            CHECK(entry.vertex % 2 == 0);
            ++found;
        }
    CHECK(found == 49);
}

TEST(a_team_runs_every_share_and_rethrows, threads) {
    std::atomic<int> ran = 0;
    CHECK(caught<std::runtime_error>([&] {
              run_team(16, [&](unsigned id) {
                  ++ran;
                  if (id % 5 == 3)
                      throw std::runtime_error("share");
              });
          }) == "share");
    CHECK(ran == 16);
}

TEST(blocks_cover_the_range_once, threads) {
    for (unsigned threads : {1u, 3u, 16u}) {
        std::vector<std::atomic<int>> seen(10'007);
        Watch watch;
        for_blocks(threads, 10'007, 13, watch, [&](unsigned, std::int64_t begin, std::int64_t end) {
            for (; begin < end; ++begin)
                ++seen[static_cast<std::size_t>(begin)];
        });
        CHECK(std::all_of(seen.begin(), seen.end(), [](const auto& count) { return count == 1; }));
    }
}

TEST(a_watch_that_throws_ends_all_blocks, threads) {
    Watch watch([](double) { throw std::runtime_error("interrupted"); });
    std::atomic<std::int64_t> done = 0;
    CHECK(caught<std::runtime_error>([&] {
              for_blocks(4, std::int64_t{1} << 40, 1 << 16, watch,
                         [&](unsigned, std::int64_t begin, std::int64_t end) { done += end - begin; });
          }) == "interrupted");
    CHECK(done < std::int64_t{1} << 40);
}

TEST(a_watch_is_polled_while_only_other_threads_have_jobs, threads) {
    Watch watch([](double) { throw std::runtime_error("interrupted"); }, std::chrono::milliseconds(10));
    std::atomic<bool> other_began = false;
    CHECK(caught<std::runtime_error>([&] {
              for_jobs(2, 2, 1, watch, [&](unsigned id, std::int64_t, std::int64_t, Pulse& pulse) {
                  if (id != 0) {
                      other_began = true;
                      while (pulse.beat(1)) // a job without end
                          continue;
                  }
                  while (!other_began)
                      std::this_thread::yield();
              });
          }) == "interrupted");
}
