// ADDS with many more threads than cores, tiny blocks and segments, on graphs made to collide. Run under
// ThreadSanitizer, too. A search that makes no progress fails with the state of its queues.
#include "check.hpp"
#include "colliding.hpp"
#include "core/thread_pool.hpp"
#include "engines/adds/adds.hpp"
#include "engines/dijkstra.hpp"
#include "verify/certificate.hpp"

using namespace pathfront;

namespace {

constexpr double patience = 60; // seconds

adds::Settings tiny(double width, std::uint32_t buckets, unsigned block_bits, unsigned segment_bits) {
    return {.width = width,
            .lowest = 1,
            .highest = 0x1p40,
            .buckets = buckets,
            .block_bits = block_bits,
            .segment_bits = segment_bits,
            .patience = patience};
}

template <class W, class D>
adds::Report search(const Csr<W>& graph, const Query<D>& query, const adds::Settings& settings, unsigned threads,
                    Watch& watch) {
    const Task<W, D> task(graph, query, D{1'000'000});
    adds::Report report;
    if (threads == 1) {
        adds_search(task, settings, nullptr, watch, report);
    } else {
        ThreadTeam team(threads - 1);
        adds_search(task, settings, &team, watch, report);
    }
    return report;
}

template <class W, class D>
void adds_agrees(std::vector<unsigned> thread_counts) {
    for (const auto& owned : colliding_graphs<W>()) {
        const auto graph = owned.view();
        Watch watch;
        std::vector<D> expected(graph.n), dist(graph.n);
        std::vector<Vertex> parent(graph.n);
        dijkstra(graph, Query<D>{.source = 0, .dist = expected.data()}, D{1'000'000}, watch);
        for (unsigned threads : thread_counts)
            for (bool with_parents : {false, true})
                for (const auto& settings :
                     {tiny(32, 2, 1, 0), tiny(7.5, 5, 3, 1), tiny(256, 32, 12, 8), tiny(1e9, 3, 2, 1)}) {
                    const Query<D> query{
                        .source = 0, .dist = dist.data(), .parent = with_parents ? parent.data() : nullptr};
                    const adds::Report report = search(graph, query, settings, threads, watch);
                    CHECK(dist == expected);
                    CHECK((Certificate<W, D>(graph, 0, dist.data(), query.parent, unreached<D>, 1, 5, watch)
                               .check()
                               .count == 0));
                    // a block begun, a spare and one about to be returned for each bucket, and those of the ranges
                    CHECK(report.excess_blocks <= static_cast<std::int64_t>(3 * settings.buckets + 4 * threads));
                }
    }
}

} // namespace

// A writer that is slow to write a slot it has reserved, while other writers continue and a reader polls.
struct Slow {
    std::uint64_t value;
    Slow& operator=(const Slow& other) {
        if (other.value % 499 == 0)
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        value = other.value;
        return *this;
    }
};

TEST(adds_team_reads_nothing_that_is_not_written, threads) {
    constexpr std::uint64_t count = 100'000, writers = 2;
    const adds::Layout layout{12, 12}; // a large segment: while one slot is unwritten many others are written
    adds::BlockPool<Slow> pool(layout, 0);
    adds::Bucket<Slow> bucket(layout, 0);
    bucket.provide(pool);
    std::vector<std::thread> team;
    for (std::uint64_t id = 0; id < writers; ++id)
        team.emplace_back([&, id] {
            for (std::uint64_t i = 1; i <= count; ++i) {
                const Slow item{i * writers + id};
                bucket.push<true>(&item, 1, [] {}, [] { return true; });
            }
        });
    std::vector<std::uint64_t> last(writers, 0);
    for (std::uint64_t read = 0; read < writers * count;) {
        bucket.recycle(pool);
        bucket.provide(pool);
        const std::uint64_t ready = bucket.readable(layout.segment());
        if (ready == 0)
            continue;
        const auto range = bucket.take(ready);
        for (std::uint32_t i = 0; i < range.size; ++i) {
            const std::uint64_t value = std::exchange(range.items[i].value, 0); // so that an unwritten slot shows
            CHECK(value / writers == last[value % writers] + 1);
            ++last[value % writers];
        }
        bucket.complete<true>(range);
        read += range.size;
    }
    for (std::thread& writer : team)
        writer.join();
    CHECK(bucket.finished());
}

// Every item pushes another before it is completed: the bucket is finished only after the last.
TEST(adds_team_bucket_is_not_finished_between_an_item_and_its_child, threads) {
    const adds::Layout layout{4, 2};
    adds::BlockPool<int> pool(layout, 0);
    adds::Bucket<int> bucket(layout, 0);
    bucket.provide(pool);
    const int item = 1;
    CHECK(bucket.push<true>(&item, 1, [] {}, [] { return false; }));
    std::atomic<bool> over = false;
    std::thread worker([&] {
        for (int i = 0; i < 200'000; ++i) {
            const auto range = bucket.take(bucket.readable(1));
            bucket.push<true>(&item, 1, [] {}, [] { return true; });
            bucket.complete<true>(range);
            bucket.recycle(pool);
            bucket.provide(pool);
        }
        over.store(true);
        bucket.complete<true>(bucket.take(1));
    });
    while (!over.load())
        CHECK(!bucket.finished() || over.load());
    worker.join();
    CHECK(bucket.finished());
}

TEST(adds_team_ends_with_the_sweep_that_finds_nothing, threads) {
    const OwnedGraph<std::uint32_t> one{{0, 0}, {}, {}};
    std::uint32_t dist = 1;
    Watch watch;
    const auto report =
        search(one.view(), Query<std::uint32_t>{.source = 0, .dist = &dist}, tiny(1, 4, 2, 1), 1, watch);
    CHECK(dist == 0 && report.sweeps == 2); // one that finds the source, and one that finds nothing
}

TEST(adds_team_agrees_with_dijkstra, threads) {
    adds_agrees<std::uint32_t, std::uint32_t>({1, 2, 3, 16});
    adds_agrees<double, double>({2, 5});
}

// Small graphs, over and over: most of the time is spent beginning and ending.
TEST(adds_team_ends_at_the_end_thousands_of_times, threads) {
    std::mt19937 rng(7);
    Watch watch;
    for (int round = 0; round < 40; ++round) {
        const auto owned = random_graph<std::uint32_t>(rng, 40 + rng() % 60, 300, 20);
        const auto graph = owned.view();
        std::vector<std::uint32_t> expected(graph.n), dist(graph.n);
        dijkstra(graph, Query<std::uint32_t>{.source = 0, .dist = expected.data()}, 20u, watch);
        for (unsigned threads = 1; threads <= 16; ++threads)
            for (int repeat = 0; repeat < 4; ++repeat) {
                const auto settings = tiny(static_cast<double>(1 + rng() % 8), 2 + rng() % 4, rng() % 3, 0);
                search(graph, Query<std::uint32_t>{.source = 0, .dist = dist.data()}, settings, threads, watch);
                CHECK(dist == expected);
            }
    }
}

TEST(adds_team_survives_an_interrupt, threads) {
    const auto graphs = colliding_graphs<std::uint32_t>();
    for (int after = 0; after < 40; ++after) {
        const auto graph = graphs[static_cast<std::size_t>(after) % graphs.size()].view();
        std::vector<std::uint32_t> dist(graph.n);
        Interrupt interrupt(after / 8);
        const auto settings = tiny(16, 4, 2, 1);
        CHECK(caught<std::runtime_error>([&] {
                  search(graph, Query<std::uint32_t>{.source = 0, .dist = dist.data()}, settings,
                         after % 3 == 0 ? 1 : 8, interrupt.watch);
              }) == "interrupted");
    }
    adds_agrees<std::uint32_t, std::uint32_t>({8}); // the workers are still there
}

TEST(adds_team_out_of_memory_is_an_error_and_no_hang, threads) {
    const auto graphs = colliding_graphs<std::uint32_t>();
    const auto graph = graphs[0].view(); // a hub of thousands
    std::vector<std::uint32_t> dist(graph.n);
    Watch watch;
    for (unsigned threads : {1u, 2u, 8u})
        for (std::size_t most : {4u, 8u, 9u, 20u, 100u}) {
            auto settings = tiny(1, 4, 2, 1);
            settings.most_blocks = most;
            CHECK(caught<std::bad_alloc>([&] {
                      search(graph, Query<std::uint32_t>{.source = 0, .dist = dist.data()}, settings, threads, watch);
                  }).find("blocks") != std::string::npos);
        }
}
