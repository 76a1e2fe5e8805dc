#include <optional>

#include "check.hpp"
#include "core/binary_heap.hpp"
#include "engines/bellman_ford.hpp"
#include "engines/dijkstra.hpp"
#include "graphs.hpp"
#include "verify/certificate.hpp"

using namespace pathfront;

template <class W, class D>
std::vector<D> naive(const Csr<W>& graph, Vertex source) {
    std::vector<D> dist(graph.n, unreached<D>);
    dist[source] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (Vertex u = 0; u < graph.n; ++u)
            for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc) {
                D sum;
                if (dist[u] != unreached<D> && add_checked(dist[u], graph.weight(arc), sum) &&
                    sum < dist[graph.heads[arc]]) {
                    dist[graph.heads[arc]] = sum;
                    changed = true;
                }
            }
    }
    return dist;
}

template <class W, class D>
void engines_agree() {
    std::mt19937 rng(11);
    for (int round = 0; round < 150; ++round) {
        const Vertex n = 1 + rng() % 40;
        const auto owned = random_graph<W>(rng, n, rng() % 200, round % 3 == 0 ? 1 : 50);
        const Csr<W> graph = owned.view();
        const Vertex source = rng() % n;
        const auto expected = naive<W, D>(graph, source);
        Watch watch;
        std::vector<D> dist(n);
        std::vector<Vertex> parent(n);
        const Query<D> query{.source = source, .dist = dist.data(), .parent = parent.data()};
        auto certified = [&](const Vertex* tree, unsigned threads) {
            return Certificate<W, D>(graph, source, dist.data(), tree, unreached<D>, threads, 5, watch).check().count ==
                   0;
        };
        dijkstra(graph, query, D{50}, watch);
        CHECK(dist == expected);
        CHECK(certified(parent.data(), 1) && certified(nullptr, 1) && certified(parent.data(), 5));
        dijkstra<BinaryHeap>(graph, query, D{50}, watch);
        CHECK(dist == expected);
        CHECK(certified(parent.data(), 1));
        bellman_ford(graph, query, watch);
        CHECK(dist == expected);
        CHECK(certified(parent.data(), 3));
        for (Vertex v = 0; v < n; ++v)
            if (v != source && dist[v] != unreached<D>) { // a wrong distance is always seen
                dist[v] += 1;
                CHECK(!certified(parent.data(), 1) && !certified(nullptr, 2));
                break;
            }
    }
}

TEST(engines_agree_with_the_naive_search, threads) {
    engines_agree<std::uint32_t, std::uint32_t>();
    engines_agree<std::uint32_t, std::uint64_t>();
    engines_agree<std::int32_t, std::int32_t>();
    engines_agree<std::int64_t, std::int64_t>();
    engines_agree<std::uint64_t, std::uint64_t>();
    engines_agree<float, float>();
    engines_agree<float, double>();
    engines_agree<double, double>();
}

TEST(parents_that_close_a_cycle_are_found) {
    const Vertex none = no_vertex;
    const std::vector<Vertex> forest{none, 0, 0, 1, none};
    CHECK(find_parent_cycle(forest.data(), 5) == none);
    const std::vector<Vertex> cycle{none, 0, 4, 2, 3, 3};
    const Vertex on = find_parent_cycle(cycle.data(), 6);
    CHECK(on == 2 || on == 3 || on == 4);
    const std::vector<Vertex> loop{none, 1};
    CHECK(find_parent_cycle(loop.data(), 2) == 1);
}

TEST(targets_stop_the_search) {
    std::mt19937 rng(3);
    const auto owned = random_graph<std::uint32_t>(rng, 2000, 8000, 1000);
    const auto graph = owned.view();
    Watch watch;
    std::vector<std::uint32_t> dist(graph.n), full(graph.n);
    const Query<std::uint32_t> all{.source = 0, .dist = full.data()};
    const auto most = dijkstra(graph, all, 1000u, watch);
    const Vertex target = graph.heads[graph.offsets[0]];
    const Query<std::uint32_t> some{.source = 0, .targets = &target, .target_count = 1, .dist = dist.data()};
    const auto out = dijkstra(graph, some, 1000u, watch);
    CHECK(out.radius == full[target] && out.vertices_processed < most.vertices_processed);
    for (Vertex v = 0; v < graph.n; ++v)
        CHECK(dist[v] == (full[v] <= out.radius ? full[v] : unreached<std::uint32_t>));
}

// Rows follow one another without a gap, and hold what the search has counted.
template <template <class> class Heap>
void dijkstra_rows_add_up(Vertex n, std::uint64_t block) {
    std::mt19937 rng(5);
    const auto owned = random_graph<std::uint32_t>(rng, n, 8 * n, 1000);
    const auto graph = owned.view();
    std::vector<std::uint32_t> dist(n);
    Trace trace;
    Watch watch;
    const Query<std::uint32_t> query{.source = 0, .dist = dist.data(), .trace = &trace};
    const auto out = dijkstra<Heap>(graph, query, 1000u, watch);
    std::uint64_t final = 0, waiting = 1, edges = 0, discarded = 0;
    for (const TraceRow& row : trace.rows()) {
        CHECK(row.frontier == block || (&row == &trace.rows().back() && row.frontier < block));
        CHECK(row.near == 1 && row.near + row.far == waiting && row.low <= row.high && row.seconds >= 0);
        final += row.frontier;
        edges += row.edges_relaxed;
        discarded += row.discarded;
        CHECK(row.final == final && row.labelled >= final);
        waiting = row.labelled - row.final;
    }
    CHECK(waiting == 0 && final == out.vertices_processed && edges == out.edges_relaxed && discarded > 0);
}

TEST(rows_of_dijkstra_add_up) {
    dijkstra_rows_add_up<RadixHeap>(500, 1);
    dijkstra_rows_add_up<BinaryHeap>(500, 1);
    dijkstra_rows_add_up<RadixHeap>(6000, 3);
    dijkstra_rows_add_up<BinaryHeap>(6000, 3);
}
