// Betweenness and sums of distances: against all pairs by Floyd and Warshall, the same bits for every number of
// threads, and an interrupt that ends all of them. Run under ThreadSanitizer, too.
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "engines/centrality/betweenness.hpp"
#include "engines/centrality/distance_sums.hpp"
#include "graph/simplify.hpp"
#include "graphs.hpp"

using namespace pathfront;

namespace {

using Dist = std::uint32_t;

// A graph without parallel arcs and loops, weights 1 .. most.
OwnedGraph<Dist> simple_graph(std::mt19937& rng, Vertex n, unsigned degree, unsigned most) {
    OwnedGraph<Dist> graph;
    graph.offsets.push_back(0);
    for (Vertex u = 0; u < n; ++u) {
        for (Vertex v = 0; v < n; ++v)
            if (u != v && rng() % n < degree) {
                graph.heads.push_back(v);
                graph.weights.push_back(static_cast<Dist>(1 + rng() % most));
            }
        graph.offsets.push_back(static_cast<Offset>(graph.heads.size()));
    }
    return graph;
}

struct Result {
    std::vector<double> of_vertex, of_arc;
    bool operator==(const Result&) const = default;
};

Result betweenness_of(const Csr<Dist>& graph, unsigned threads, Watch& watch) {
    Result result{std::vector<double>(graph.n), std::vector<double>(static_cast<std::size_t>(graph.m()))};
    std::vector<Vertex> sources(graph.n);
    for (Vertex v = 0; v < graph.n; ++v)
        sources[v] = v;
    const BetweennessTask task{
        .sources = sources.data(), .source_count = graph.n, .totals = {result.of_vertex.data(), result.of_arc.data()}};
    CHECK(betweenness(graph, Dist{9}, task, threads, watch).kind == SourceFailure::none);
    return result;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(b)); }

} // namespace

TEST(betweenness_agrees_with_all_pairs) {
    std::mt19937 rng(1);
    for (int round = 0; round < 40; ++round) {
        const auto owned = simple_graph(rng, 1 + rng() % 20, 4, 3);
        const auto graph = owned.view();
        const std::size_t n = graph.n;
        constexpr double far = std::numeric_limits<double>::infinity();
        std::vector<double> dist(n * n, far), count(n * n, 0);
        for (Vertex u = 0; u < n; ++u) {
            dist[u * n + u] = 0;
            for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc)
                dist[u * n + graph.heads[arc]] = graph.weights[arc];
        }
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t u = 0; u < n; ++u)
                for (std::size_t v = 0; v < n; ++v)
                    dist[u * n + v] = std::min(dist[u * n + v], dist[u * n + k] + dist[k * n + v]);
        for (std::size_t s = 0; s < n; ++s) { // counts by distance
            std::vector<std::size_t> order(n);
            for (std::size_t v = 0; v < n; ++v)
                order[v] = v;
            std::sort(order.begin(), order.end(), [&](auto a, auto b) { return dist[s * n + a] < dist[s * n + b]; });
            count[s * n + s] = 1;
            for (const std::size_t u : order)
                for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1] && dist[s * n + u] < far; ++arc)
                    if (dist[s * n + u] + graph.weights[arc] == dist[s * n + graph.heads[arc]])
                        count[s * n + graph.heads[arc]] += count[s * n + u];
        }
        Watch watch;
        const Result found = betweenness_of(graph, 1 + round % 3, watch);
        auto part = [&](std::size_t s, std::size_t u, double weight, std::size_t v, std::size_t t) {
            const bool on_path = dist[s * n + t] < far && dist[s * n + u] + weight + dist[v * n + t] == dist[s * n + t];
            return on_path ? count[s * n + u] * count[v * n + t] / count[s * n + t] : 0;
        };
        for (Vertex u = 0; u < n; ++u) {
            double expected = 0;
            for (std::size_t s = 0; s < n; ++s)
                for (std::size_t t = 0; t < n; ++t)
                    if (s != t && s != u && t != u)
                        expected += part(s, u, 0, u, t);
            CHECK(near(found.of_vertex[u], expected));
            for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc) {
                double along = 0;
                for (std::size_t s = 0; s < n; ++s)
                    for (std::size_t t = 0; t < n; ++t)
                        if (s != t)
                            along += part(s, u, graph.weights[arc], graph.heads[arc], t);
                CHECK(near(found.of_arc[static_cast<std::size_t>(arc)], along));
            }
        }
    }
}

TEST(sums_of_distances_agree_with_searches) {
    std::mt19937 rng(2);
    for (int round = 0; round < 20; ++round) {
        const auto owned = random_graph<Dist>(rng, 30, 70, 5); // zero weights, loops and parallel arcs, too
        const auto graph = owned.view();
        std::vector<Vertex> sources(30);
        for (Vertex v = 0; v < 30; ++v)
            sources[v] = v;
        std::vector<std::int64_t> reached(30);
        std::vector<double> total(30), inverse(30), of_vertex(30), expected_of_vertex(30);
        std::vector<Dist> farthest(30), dist(30);
        Watch watch;
        const DistanceSums<Dist> sums{.sources = sources.data(),
                                      .source_count = 30,
                                      .reached = reached.data(),
                                      .total = total.data(),
                                      .farthest = farthest.data(),
                                      .inverse = inverse.data(),
                                      .inverse_of_vertex = of_vertex.data()};
        CHECK(distance_sums(graph, Dist{5}, sums, 3, watch) == no_vertex);
        for (Vertex s = 0; s < 30; ++s) {
            dijkstra(graph, Query<Dist>{.source = s, .dist = dist.data()}, Dist{5}, watch);
            std::int64_t count = 0;
            double sum = 0, parts = 0;
            Dist most = 0;
            for (Vertex v = 0; v < 30; ++v)
                if (dist[v] != unreached<Dist>) {
                    ++count;
                    sum += dist[v];
                    parts += dist[v] ? 1.0 / dist[v] : 0;
                    expected_of_vertex[v] += dist[v] ? 1.0 / dist[v] : 0;
                    most = std::max(most, dist[v]);
                }
            CHECK(reached[s] == count && total[s] == sum && farthest[s] == most && near(inverse[s], parts));
        }
        for (Vertex v = 0; v < 30; ++v)
            CHECK(near(of_vertex[v], expected_of_vertex[v]));
    }
}

TEST(betweenness_has_the_same_bits_for_every_number_of_threads, threads) {
    std::mt19937 rng(3);
    for (const Vertex n : {40u, 300u, 700u}) { // groups of one source and of two
        const auto owned = simple_graph(rng, n, 2, 4);
        Watch watch;
        const Result expected = betweenness_of(owned.view(), 1, watch);
        for (const unsigned threads : {2u, 3u, 8u})
            CHECK(betweenness_of(owned.view(), threads, watch) == expected);
    }
}

TEST(an_interrupt_ends_all_threads_of_betweenness, threads) {
    std::mt19937 rng(4);
    const auto owned = simple_graph(rng, 900, 5, 4);
    for (const unsigned threads : {1u, 2u, 8u})
        for (int after = 0; after < 20; ++after) {
            int calls = 0;
            Watch watch([&](double) { calls++ < after ? void() : throw calls; }, std::chrono::milliseconds(0), 100);
            bool interrupted = false;
            try {
                betweenness_of(owned.view(), threads, watch);
            } catch (int) {
                interrupted = true;
            }
            CHECK(interrupted);
        }
}

TEST(the_first_source_that_fails_is_reported, threads) {
    OwnedGraph<Dist> owned; // a path whose length does not fit, from its start only
    owned.offsets = {0, 1, 2, 2};
    owned.heads = {1, 2};
    owned.weights = {3'000'000'000, 3'000'000'000};
    std::vector<double> totals(3);
    std::vector<Vertex> sources(50, 1);
    sources[20] = sources[30] = 0;
    const BetweennessTask task{.sources = sources.data(), .source_count = 50, .totals = {.of_vertex = totals.data()}};
    Watch watch;
    for (const unsigned threads : {1u, 2u, 8u}) {
        const auto failure = betweenness(owned.view(), Dist{3'000'000'000}, task, threads, watch);
        CHECK(failure.kind == SourceFailure::distance && failure.source == 0);
    }
}
