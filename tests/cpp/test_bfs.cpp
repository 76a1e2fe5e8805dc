// Breadth-first search, top-down and bottom-up, by few and many threads. Run under ThreadSanitizer, too.
#include "check.hpp"
#include "engines/bfs.hpp"
#include "engines/dijkstra.hpp"
#include "graphs.hpp"
#include "verify/certificate.hpp"

using namespace pathfront;

using Pairs = std::vector<std::pair<Vertex, Vertex>>;

OwnedGraph<Hop> hops_of(Vertex n, Pairs arcs) {
    std::sort(arcs.begin(), arcs.end());
    OwnedGraph<Hop> graph;
    graph.offsets.assign(n + 1, 0);
    for (const auto& [tail, head] : arcs) {
        ++graph.offsets[tail + 1];
        graph.heads.push_back(head);
    }
    for (Vertex v = 0; v < n; ++v)
        graph.offsets[v + 1] += graph.offsets[v];
    return graph;
}

// Enough arcs in one level for it to be shared, hubs, a tail of tiny levels, and vertices that nothing leads to.
TEST(team_bfs_agrees_with_dijkstra, threads) {
    std::mt19937 rng(5);
    Pairs star, random, tail;
    for (Vertex v = 1; v < 40'000; ++v) {
        star.emplace_back(0, v);
        star.emplace_back(v, rng() % 40'000);
    }
    for (int i = 0; i < 60'000; ++i)
        random.emplace_back(rng() % 3000, rng() % 2990);
    tail = random;
    for (Vertex v = 2999; v < 5000; ++v)
        tail.emplace_back(v, v + 1);
    tail.emplace_back(7, 2999);
    const std::pair<Vertex, Pairs> cases[] = {{40'000, star}, {3000, random}, {5001, tail}};
    for (const auto& [n, arcs] : cases) {
        Pairs turned;
        for (const auto& [u, v] : arcs)
            turned.emplace_back(v, u);
        const auto owned = hops_of(n, arcs), owned_backward = hops_of(n, turned);
        const auto graph = owned.view(), backward = owned_backward.view();
        Watch watch;
        std::vector<std::uint32_t> expected(n), dist(n);
        std::vector<Vertex> parent(n);
        dijkstra(graph, Query<std::uint32_t>{.source = 0, .dist = expected.data()}, 1u, watch);
        const auto reached =
            static_cast<std::uint64_t>(n - std::count(expected.begin(), expected.end(), unreached<std::uint32_t>));
        std::uint64_t edges[2] = {};
        for (const Csr<Hop>* up : {static_cast<const Csr<Hop>*>(nullptr), &backward})
            for (unsigned threads : {1u, 2u, 16u})
                for (bool with_parents : {false, true}) {
                    const Query<std::uint32_t> query{
                        .source = 0, .dist = dist.data(), .parent = with_parents ? parent.data() : nullptr};
                    const auto out = BreadthFirst<std::uint32_t>(graph, up, query, threads, watch).run();
                    edges[up != nullptr] = out.edges_relaxed;
                    CHECK(out.vertices_processed == reached); // each is taken once
                    CHECK(dist == expected);
                    CHECK((Certificate<Hop, std::uint32_t>(graph, 0, dist.data(), query.parent,
                                                           unreached<std::uint32_t>, 1, 5, watch)
                               .check()
                               .count == 0));
                }
        CHECK(edges[1] != edges[0]); // some levels were bottom-up
    }
}
