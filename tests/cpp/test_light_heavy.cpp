// Delta-stepping that relaxes heavy arcs last, with one thread and with many, on graphs made to collide. Run under
// ThreadSanitizer, too.
#include "check.hpp"
#include "colliding.hpp"
#include "engines/delta/light_heavy.hpp"
#include "engines/dijkstra.hpp"
#include "verify/certificate.hpp"

using namespace pathfront;

namespace {

template <class W, class D>
Outcome<D> search(const Csr<W>& graph, const Query<D>& query, double width, unsigned threads, Watch& watch) {
    const DeltaTask<W, D> task(graph, query, D{1'000'000}, width, false);
    if (threads == 1)
        return delta_stepping_light_heavy(task, nullptr, watch);
    ThreadTeam team(threads - 1);
    return delta_stepping_light_heavy(task, &team, watch);
}

template <class W, class D>
void light_heavy_agrees(const std::vector<unsigned>& thread_counts) {
    for (const auto& owned : colliding_graphs<W>()) {
        const auto graph = owned.view();
        Watch watch;
        std::vector<D> expected(graph.n), dist(graph.n);
        std::vector<Vertex> parent(graph.n);
        for (D cutoff : {largest_distance<D>, D{60}}) {
            dijkstra(graph, Query<D>{.source = 0, .cutoff = cutoff, .dist = expected.data()}, D{1'000'000}, watch);
            for (unsigned threads : thread_counts)
                for (bool with_parents : {false, true})
                    for (double width : {1.0, 7.3, 500.0, 1e7}) { // from most arcs heavy to none
                        const Query<D> query{.source = 0,
                                             .cutoff = cutoff,
                                             .dist = dist.data(),
                                             .parent = with_parents ? parent.data() : nullptr};
                        search(graph, query, width, threads, watch);
                        CHECK(dist == expected);
                        CHECK((
                            Certificate<W, D>(graph, 0, dist.data(), query.parent, cutoff, 1, 5, watch).check().count ==
                            0));
                    }
        }
    }
}

} // namespace

TEST(light_heavy_agrees_with_dijkstra, threads) {
    light_heavy_agrees<std::uint32_t, std::uint32_t>({1, 2, 3, 16});
    light_heavy_agrees<float, float>({1, 2});
    light_heavy_agrees<std::uint64_t, std::uint64_t>({5});
}

// A complete graph with arcs of two weights: every heavy arc is relaxed once, however often its tail is improved.
TEST(light_heavy_relaxes_heavy_arcs_once, threads) {
    constexpr Vertex n = 60;
    Triples light, both;
    std::mt19937 rng(3);
    for (Vertex u = 0; u < n; ++u)
        for (Vertex v = 0; v < n; ++v) {
            light.emplace_back(u, v, 1 + rng() % 50);
            both.push_back(light.back());
            both.emplace_back(u, v, 1000);
        }
    std::vector<std::uint32_t> dist(n);
    const Query<std::uint32_t> query{.source = 0, .dist = dist.data()};
    Watch watch;
    for (unsigned threads : {1u, 4u})
        for (int repeat = 0; repeat < 20; ++repeat) {
            const auto found = search(graph_of<std::uint32_t>(n, both).view(), query, 100, threads, watch);
            CHECK(found.edges_relaxed == found.vertices_processed * n + n * n);
            CHECK(found.vertices_processed > n); // some vertices were improved again
        }
    search(graph_of<std::uint32_t>(n, light).view(), query, 100, 1, watch);
    CHECK(std::ranges::max(dist) < 100); // all in the first bucket
}

TEST(light_heavy_survives_an_interrupt, threads) {
    const auto graphs = colliding_graphs<std::uint32_t>();
    for (int after = 0; after < 40; ++after) {
        const auto graph = graphs[static_cast<std::size_t>(after) % graphs.size()].view();
        std::vector<std::uint32_t> dist(graph.n);
        Interrupt interrupt(after / 8);
        CHECK(caught<std::runtime_error>([&] {
                  search(graph, Query<std::uint32_t>{.source = 0, .dist = dist.data()}, 16, after % 3 == 0 ? 1 : 8,
                         interrupt.watch);
              }) == "interrupted");
    }
    light_heavy_agrees<std::uint32_t, std::uint32_t>({8}); // the workers are still there
}
