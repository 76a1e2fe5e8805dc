// Many more threads than cores, on graphs made to collide. Run under ThreadSanitizer, too.
#include <map>
#include <stdexcept>

#include "check.hpp"
#include "colliding.hpp"
#include "core/level_queue.hpp"
#include "core/thread_pool.hpp"
#include "engines/delta/donating.hpp"
#include "engines/delta/serial.hpp"
#include "engines/dijkstra.hpp"
#include "verify/certificate.hpp"

using namespace pathfront;

template <class W, class D>
void team_agrees() {
    for (const auto& owned : colliding_graphs<W>()) {
        const auto graph = owned.view();
        Watch watch;
        std::vector<D> expected(graph.n), dist(graph.n);
        std::vector<Vertex> parent(graph.n);
        dijkstra(graph, Query<D>{.source = 0, .dist = expected.data()}, D{1'000'000}, watch);
        for (unsigned threads : {1u, 2u, 3u, 16u})
            for (double width : {1.0, 77.7, 0x1p20})
                for (bool with_parents : {false, true}) {
                    const Query<D> query{
                        .source = 0, .dist = dist.data(), .parent = with_parents ? parent.data() : nullptr};
                    const bool adaptive = (threads + static_cast<unsigned>(width)) % 2 == 0;
                    const DeltaTask<W, D> task(graph, query, D{1'000'000}, width, adaptive);
                    if (threads == 1) {
                        delta_stepping_serial(task, watch);
                    } else {
                        ThreadTeam team(threads - 1);
                        delta_stepping_donating(task, team, watch);
                    }
                    CHECK(dist == expected);
                    CHECK((Certificate<W, D>(graph, 0, dist.data(), query.parent, unreached<D>, 1, 5, watch)
                               .check()
                               .count == 0));
                }
    }
}

TEST(team_agrees_with_dijkstra, threads) {
    for (int repeat = 0; repeat < 3; ++repeat) {
        team_agrees<std::uint32_t, std::uint32_t>();
        team_agrees<double, double>();
    }
}

TEST(team_and_single_change_a_width_that_does_not_fit, threads) {
    // a grid of 100 x 100 with weights 1..1000
    std::mt19937_64 rng(7);
    Triples edges;
    for (Vertex v = 0; v < 10'000; ++v)
        for (Vertex step : {1u, 100u})
            if (v + step < 10'000 && (step == 100 || v % 100 < 99)) {
                const auto weight = static_cast<std::uint32_t>(1 + rng() % 1000);
                edges.emplace_back(v, v + step, weight);
                edges.emplace_back(v + step, v, weight);
            }
    const auto owned = graph_of<std::uint32_t>(10'000, edges);
    const auto graph = owned.view();
    Watch watch;
    std::vector<std::uint32_t> dist(graph.n);
    const Query<std::uint32_t> query{.source = 0, .dist = dist.data()};
    auto run = [&](double width, bool adaptive, unsigned threads) {
        const DeltaTask<std::uint32_t, std::uint32_t> task(graph, query, 1000u, width, adaptive);
        if (threads == 1)
            return delta_stepping_serial(task, watch);
        ThreadTeam team(threads - 1);
        return delta_stepping_donating(task, team, watch);
    };
    for (unsigned threads : {1u, 3u}) {
        const auto wide = run(0x1p30, false, threads), narrowed = run(0x1p30, true, threads);
        CHECK(wide.width == 0x1p30);
        CHECK(narrowed.width < 0x1p30);
        if (threads == 1) // a team finishes its level first
            CHECK(3 * narrowed.vertices_processed < 2 * wide.vertices_processed);
        const auto narrow = run(1, false, threads), widened = run(1, true, threads);
        CHECK(narrow.width == 1);
        CHECK(widened.width > 1);
        CHECK(2 * widened.iterations < narrow.iterations);
    }
}

TEST(a_width_changes_only_so_often) {
    WidthControl control;
    int changes = 0;
    for (std::uint64_t levels = 1; levels <= 100'000; ++levels)
        changes += control.too_narrow(levels, 0);
    CHECK(changes == 16);
}

TEST(team_survives_an_interrupt, threads) {
    const auto graphs = colliding_graphs<std::uint32_t>();
    for (int after = 0; after < 40; ++after) {
        const auto graph = graphs[static_cast<std::size_t>(after) % graphs.size()].view();
        std::vector<std::uint32_t> dist(graph.n);
        const Query<std::uint32_t> query{.source = 0, .dist = dist.data()};
        const DeltaTask<std::uint32_t, std::uint32_t> task(graph, query, 1'000'000u, 4, false);
        Interrupt interrupt(after / 8);
        ThreadTeam team(7);
        CHECK(caught<std::runtime_error>([&] { delta_stepping_donating(task, team, interrupt.watch); }) ==
              "interrupted");
    }
    team_agrees<std::uint32_t, std::uint32_t>(); // the workers are still there
}

TEST(team_crews_of_many_callers_do_not_meet, threads) {
    std::vector<std::thread> callers;
    std::atomic<int> done = 0;
    for (int caller = 0; caller < 6; ++caller)
        callers.emplace_back([&] {
            for (int i = 0; i < 50; ++i) {
                ThreadTeam team(3);
                std::atomic<unsigned> sum = 0;
                team.run([&](unsigned id) { sum += id; });
                CHECK(team.size() == 4 && sum == 0 + 1 + 2 + 3);
                ++done;
            }
        });
    for (std::thread& caller : callers)
        caller.join();
    CHECK(done == 300);
}

TEST(team_crew_rethrows, threads) {
    ThreadTeam team(5);
    CHECK(caught<std::runtime_error>([&] {
              team.run([](unsigned id) {
                  if (id % 2 == 1)
                      throw std::runtime_error("share");
              });
          }) == "share");
}

TEST(a_level_queue_gives_levels_in_order) {
    std::mt19937_64 rng(3);
    for (std::uint64_t spread :
         {std::uint64_t{4}, std::uint64_t{5000}, std::uint64_t{1} << 33, std::uint64_t{1} << 58}) {
        ChunkPool<std::uint64_t> pool;
        LevelQueue<std::uint64_t> queue(pool);
        std::multimap<std::uint64_t, int> sorted;
        auto itself = [](std::uint64_t level) { return level; };
        auto push = [&](std::uint64_t level) {
            queue.push(level, level);
            sorted.emplace(level, 0);
        };
        push(rng() % spread);
        int left = 30'000;
        std::uint64_t last = 0;
        for (std::uint64_t level; (level = queue.next(itself)) != queue.none;) {
            CHECK(level == sorted.begin()->first);
            if (rng() % 16 == 0)
                queue.refile(itself);
            if (rng() % 4 ==
                0) { // a team moves all its queues to the lowest level of any: this one may hold nothing there
                const std::uint64_t between = last + (level > last ? rng() % (level - last) : 0);
                queue.move_to(between, itself);
                CHECK(queue.next(itself) == level);
                if (rng() % 2 == 0) {
                    last = between;
                    push(between);
                    continue;
                }
            }
            last = level;
            queue.move_to(level, itself);
            CHECK(queue.size(1u << 30) == sorted.count(level));
            while (auto* chunk = queue.take())
                while (chunk) {
                    for (std::uint32_t i = 0; i < chunk->size; ++i) {
                        CHECK(chunk->items[i] == level);
                        sorted.erase(sorted.begin());
                        for (int k = 0; k < 2 && sorted.size() < 3000 && --left > 0; ++k)
                            push(level + (rng() % 8 == 0 ? 0 : rng() % spread));
                    }
                    pool.put(std::exchange(chunk, chunk->next));
                }
        }
        CHECK(sorted.empty());
    }
}
