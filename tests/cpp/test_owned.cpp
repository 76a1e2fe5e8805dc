// Threads that own vertices and send messages, on graphs made to collide. Run under ThreadSanitizer, too.
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "check.hpp"
#include "colliding.hpp"
#include "core/message_queue.hpp"
#include "engines/delta/owned.hpp"
#include "engines/dijkstra.hpp"
#include "graph/sample.hpp"
#include "verify/certificate.hpp"

using namespace pathfront;

// A grid of `rows` x `columns`, numbered row by row, with weights below `heaviest`.
template <class W>
OwnedGraph<W> grid(Vertex rows, Vertex columns, std::uint32_t heaviest) {
    std::mt19937 rng(5);
    Triples edges;
    for (Vertex v = 0; v < rows * columns; ++v)
        for (Vertex step : {1u, columns})
            if (v + step < rows * columns && (step != 1 || (v + 1) % columns != 0)) {
                const auto weight = static_cast<std::uint32_t>(rng() % heaviest);
                edges.emplace_back(v, v + step, weight);
                edges.emplace_back(v + step, v, weight);
            }
    return graph_of<W>(rows * columns, edges);
}

// A path that changes its owner at every step, with detours that are longer.
template <class W>
OwnedGraph<W> zigzag(Vertex n) {
    Triples edges;
    for (Vertex v = 0; v + 1 < n; ++v) {
        edges.emplace_back(v, v + 1, 3);
        edges.emplace_back(v, (v * 7) % n, 40'000);
    }
    return graph_of<W>(n, edges);
}

template <class W>
std::vector<OwnedGraph<W>> owned_graphs() {
    auto graphs = colliding_graphs<W>();
    graphs.push_back(grid<W>(60, 60, 50));
    graphs.push_back(zigzag<W>(3000));
    return graphs;
}

template <class W, class D>
void owned_agrees() {
    for (const auto& owned : owned_graphs<W>()) {
        const auto graph = owned.view();
        Watch watch;
        std::vector<D> expected(graph.n), dist(graph.n);
        std::vector<Vertex> parent(graph.n);
        const std::vector<Vertex> others = {graph.n - 1, graph.n / 2, 0, 0};
        for (bool many : {false, true})
            for (D cutoff : {largest_distance<D>, D{60}}) {
                const bool limited = cutoff != largest_distance<D>;
                Query<D> query{.source = 0, .cutoff = cutoff, .has_cutoff = limited, .dist = expected.data()};
                if (many) {
                    query.others = others.data();
                    query.other_count = static_cast<std::int64_t>(others.size());
                }
                dijkstra(graph, query, D{1'000'000}, watch);
                query.dist = dist.data();
                for (unsigned threads : {2u, 3u, 16u})
                    for (unsigned bits : {0u, 1u, 7u})
                        for (double width : {1.0, 77.7, 0x1p20}) {
                            query.parent = (bits + threads) % 2 == 0 ? parent.data() : nullptr;
                            const bool adaptive = (threads + static_cast<unsigned>(width)) % 2 == 0;
                            const DeltaTask<W, D> task(graph, query, D{1'000'000}, width, adaptive);
                            ThreadTeam team(threads - 1);
                            const auto out = delta_stepping_owned(task, bits, team, watch);
                            CHECK(dist == expected);
                            CHECK(!out.overflow);
                            CHECK(many ||
                                  (Certificate<W, D>(graph, 0, dist.data(), query.parent, out.radius, 1, 5, watch)
                                       .check()
                                       .count == 0));
                        }
            }
    }
}

TEST(team_of_owners_agrees_with_dijkstra, threads) {
    owned_agrees<std::uint32_t, std::uint32_t>();
    owned_agrees<double, double>();
    owned_agrees<std::uint64_t, std::uint64_t>(); // the largest distance is the largest level
}

TEST(team_of_owners_does_not_wait_for_ever_in_narrow_levels, threads) {
    // the bounds of levels must not become 0: then every thread seems to be far behind, and all wait for each other
    const auto owned = grid<float>(60, 60, 50);
    const auto graph = owned.view();
    std::vector<float> expected(graph.n), dist(graph.n);
    std::vector<Vertex> others;
    for (Vertex v = 0; v < graph.n; v += 100)
        others.push_back(v); // every thread has work from the beginning
    Query<float> query{.source = 1, .dist = expected.data()};
    query.others = others.data();
    query.other_count = static_cast<std::int64_t>(others.size());
    Watch patient;
    dijkstra(graph, query, 50.0f, patient);
    query.dist = dist.data();
    for (int repeat = 0; repeat < 20; ++repeat)
        for (double width : {0x1p-997, 0x1p-149, 0x1p-100, 1e-3, 0.3, 0.7}) {
            const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
            Watch watch([end](double) {
                if (std::chrono::steady_clock::now() > end)
                    throw std::runtime_error("a deadlock");
            });
            ThreadTeam team(1);
            delta_stepping_owned(DeltaTask<float, float>(graph, query, 50.0f, width, false), 5, team, watch);
            CHECK(dist == expected);
        }
}

TEST(team_of_owners_does_no_more_work_than_levels_cost, threads) {
    // a thread that runs ahead of the others, or does not read its messages, does its work many times over
    for (const auto& owned : {grid<std::uint32_t>(300, 300, 1000), zigzag<std::uint32_t>(20'000)}) {
        const auto graph = owned.view();
        std::vector<std::uint32_t> dist(graph.n);
        const Query<std::uint32_t> query{.source = graph.n / 3, .dist = dist.data()};
        const DeltaTask<std::uint32_t, std::uint32_t> task(graph, query, 40'000u, 7, false);
        Watch watch;
        for (int repeat = 0; repeat < 10; ++repeat)
            for (unsigned threads : {2u, 5u}) {
                ThreadTeam team(threads - 1);
                CHECK(delta_stepping_owned(task, 11, team, watch).vertices_processed < 2 * graph.n);
            }
    }
}

TEST(team_of_owners_survives_an_interrupt, threads) {
    const auto graphs = owned_graphs<std::uint32_t>();
    for (int after = 0; after < 60; ++after) {
        const auto graph = graphs[static_cast<std::size_t>(after) % graphs.size()].view();
        std::vector<std::uint32_t> dist(graph.n);
        const Query<std::uint32_t> query{.source = 0, .dist = dist.data()};
        const DeltaTask<std::uint32_t, std::uint32_t> task(graph, query, 1'000'000u, 4, false);
        Interrupt interrupt(after / 20);
        ThreadTeam team(7);
        const auto said = caught<std::runtime_error>(
            [&] { delta_stepping_owned(task, static_cast<unsigned>(after) % 9, team, interrupt.watch); });
        // a search may be over before it is asked so often, but never before it is asked once
        CHECK(said == "interrupted" || (after >= 20 && said.empty() && interrupt.calls <= after / 20));
    }
    owned_agrees<std::uint32_t, std::uint32_t>(); // the workers are still there
}

// A weight with a gate: a thread that relaxes its arc waits until the gate is open.
struct GatedWeight {
    std::uint32_t value;

    static inline std::atomic<bool> open{false}, read{false};

    explicit operator std::uint32_t() const {
        read = true;
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20); // then the test has failed
        while (!open && std::chrono::steady_clock::now() < limit)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return value;
    }
};

TEST(team_of_owners_is_interrupted_while_the_caller_has_nothing_to_do, threads) {
    // Block 1, with all arcs, belongs to the other thread, which waits at the first arc until the caller is
    // interrupted. The caller's ticks before it sleeps are too few for the watch, so it is asleep then.
    Triples edges;
    for (Vertex v = 8; v < 15; ++v)
        edges.emplace_back(v, v + 1, 3);
    const auto plain = graph_of<std::uint32_t>(16, edges);
    std::vector<GatedWeight> weights;
    for (std::uint32_t weight : plain.weights)
        weights.push_back({weight});
    const Csr<GatedWeight> graph{16, plain.offsets.data(), plain.heads.data(), weights.data()};
    std::vector<std::uint32_t> dist(graph.n);
    const Query<std::uint32_t> query{.source = 8, .dist = dist.data()};
    const DeltaTask<GatedWeight, std::uint32_t> task(graph, query, 3u, 0, false);
    for (int repeat = 0; repeat < 5; ++repeat) {
        GatedWeight::open = GatedWeight::read = false;
        const auto caller = std::this_thread::get_id();
        bool by_caller = false;
        Watch watch(
            [&](double) {
                if (!GatedWeight::read)
                    return; // the other thread has not come to its work yet
                by_caller = std::this_thread::get_id() == caller;
                GatedWeight::open = true;
                throw std::runtime_error("interrupted");
            },
            std::chrono::milliseconds(0));
        ThreadTeam team(1);
        CHECK(team.size() == 2);
        CHECK(caught<std::runtime_error>([&] { delta_stepping_owned(task, 3, team, watch); }) == "interrupted");
        CHECK(by_caller);
    }
}

TEST(owned_blocks_need_neighbours_with_near_numbers, threads) {
    const auto local = grid<std::uint32_t>(20'000, 30, 9);
    CHECK(choose_block_bits(local.view(), 2) == 15);
    CHECK(choose_block_bits(local.view(), 4) == 0);                              // blocks would be too small
    CHECK(choose_block_bits(grid<std::uint32_t>(600'000, 1, 9).view(), 2) == 0); // a path
    auto shuffled = local;
    for (Vertex& head : shuffled.heads)
        head = static_cast<Vertex>(std::uint64_t{head} * 7919 % 600'000);
    CHECK(choose_block_bits(shuffled.view(), 2) == 0);
}

TEST(messages_of_a_team_stay_in_order, threads) {
    for (std::uint64_t capacity : {1u, 2u, 64u}) {
        MessageQueue<std::uint64_t> box(capacity);
        constexpr std::uint64_t messages = 200'000;
        std::thread sender([&] {
            for (std::uint64_t i = 0; i < messages; ++i) {
                while (!box.put(i)) {
                    box.send();
                    std::this_thread::yield();
                }
                if (i % 7 == 0)
                    box.send();
            }
            box.send();
        });
        std::uint64_t next = 0;
        while (next < messages) {
            box.take([&](std::uint64_t message) { CHECK(message == next++); });
            if (box.empty())
                std::this_thread::yield();
        }
        sender.join();
        CHECK(box.sent() == messages && box.taken() == messages && box.all_taken() && box.empty());
    }
}
