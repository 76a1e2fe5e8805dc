#include <numeric>
#include <optional>
#include <utility>

#include "check.hpp"
#include "engines/dijkstra.hpp"
#include "engines/k_nearest.hpp"
#include "graph/first_roots.hpp"
#include "graph/tree.hpp"
#include "graphs.hpp"

using namespace pathfront;

namespace {

std::vector<Vertex> some_sources(std::mt19937& rng, Vertex n) {
    std::vector<Vertex> sources(n);
    std::iota(sources.begin(), sources.end(), Vertex{0});
    std::shuffle(sources.begin(), sources.end(), rng);
    sources.resize(1 + rng() % std::min<Vertex>(n, 9));
    return sources;
}

// All labels of each vertex, in order: one search from each source.
template <class W, class D>
std::vector<std::vector<std::pair<D, Vertex>>> all_labels(const Csr<W>& graph, const std::vector<Vertex>& sources) {
    std::vector<std::vector<std::pair<D, Vertex>>> labels(graph.n);
    std::vector<D> dist(graph.n);
    Watch watch;
    for (Vertex rank = 0; rank < sources.size(); ++rank) {
        dijkstra(graph, Query<D>{.source = sources[rank], .dist = dist.data()}, D{50}, watch);
        for (Vertex v = 0; v < graph.n; ++v)
            if (dist[v] != unreached<D>)
                labels[v].emplace_back(dist[v], rank);
    }
    for (auto& each : labels)
        std::sort(each.begin(), each.end());
    return labels;
}

template <class W, class D>
void finds_the_k_nearest() {
    std::mt19937 rng(5);
    for (int round = 0; round < 120; ++round) {
        const Vertex n = 1 + rng() % 40;
        const auto owned = random_graph<W>(rng, n, rng() % 160, round % 2 == 0 ? 1 : 50);
        const Csr<W> graph = owned.view();
        const auto sources = some_sources(rng, n);
        const auto expected = all_labels<W, D>(graph, sources);
        const std::int64_t k = 1 + rng() % 10;
        const D cutoff = round % 3 == 0 ? D{20} : largest_distance<D>;
        const auto size = static_cast<std::size_t>(k * n);
        std::vector<D> dist(size);
        std::vector<Vertex> rank(size), parent(size);
        const NearestQuery<D> query{.sources = sources.data(),
                                    .count = static_cast<std::int64_t>(sources.size()),
                                    .k = k,
                                    .dist = dist.data(),
                                    .rank = rank.data(),
                                    .parent = round % 5 == 0 ? nullptr : parent.data(),
                                    .cutoff = cutoff,
                                    .has_cutoff = round % 3 == 0};
        Watch watch;
        CHECK(k_nearest(graph, query, D{50}, watch));
        for (Vertex v = 0; v < n; ++v)
            for (std::int64_t j = 0; j < k; ++j) {
                const auto at = static_cast<std::size_t>(v * k + j);
                const bool there = j < static_cast<std::int64_t>(expected[v].size()) && expected[v][j].first <= cutoff;
                CHECK(dist[at] == (there ? expected[v][j].first : unreached<D>));
                CHECK(rank[at] == (there ? expected[v][j].second : no_vertex));
                if (!query.parent)
                    continue;
                CHECK((parent[at] == no_vertex) == (!there || v == sources[rank[at]]));
                if (parent[at] == no_vertex)
                    continue;
                const Vertex u = parent[at];
                const auto* row = rank.data() + u * k;
                const auto slot = std::find(row, row + k, rank[at]) - row;
                CHECK(slot < k);
                bool tight = false;
                for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc)
                    tight |= graph.heads[arc] == v && add(dist[u * k + slot], graph.weight(arc)) == dist[at];
                CHECK(tight);
            }
    }
}

} // namespace

TEST(k_nearest_sources) {
    finds_the_k_nearest<std::uint32_t, std::uint32_t>();
    finds_the_k_nearest<std::int32_t, std::int64_t>();
    finds_the_k_nearest<std::uint64_t, std::uint64_t>();
    finds_the_k_nearest<float, float>();
    finds_the_k_nearest<double, double>();
}

TEST(a_label_out_of_range_is_reported) {
    std::mt19937 rng(1);
    auto owned = random_graph<std::uint32_t>(rng, 3, 0, 1);
    owned.offsets = {0, 1, 2, 2};
    owned.heads = {1, 2};
    owned.weights = {0x80000000u, 0x80000000u};
    std::vector<std::uint32_t> dist(6);
    std::vector<Vertex> rank(6);
    const std::vector<Vertex> sources{0, 1};
    NearestQuery<std::uint32_t> query{
        .sources = sources.data(), .count = 2, .k = 2, .dist = dist.data(), .rank = rank.data()};
    Watch watch;
    CHECK(!k_nearest(owned.view(), query, 0x80000000u, watch));
    query.has_cutoff = true;
    CHECK(k_nearest(owned.view(), query, 0x80000000u, watch));
    query.has_cutoff = false;
    query.count = 1; // of vertex 1 alone nothing is out of range
    query.sources = sources.data() + 1;
    CHECK(k_nearest(owned.view(), query, 0x80000000u, watch));
}

TEST(first_roots_do_not_depend_on_the_search, threads) {
    std::mt19937 rng(9);
    for (int round = 0; round < 60; ++round) {
        const Vertex n = round < 50 ? 1 + rng() % 40 : 9000;
        const auto owned = random_graph<std::uint32_t>(rng, n, rng() % (4 * n), 1 + round % 3);
        const auto graph = owned.view();
        const auto sources = some_sources(rng, n);
        const auto expected = all_labels<std::uint32_t, std::uint32_t>(graph, sources);
        std::vector<std::uint32_t> dist(n);
        std::vector<Vertex> parent(n), rank(n, no_vertex);
        Watch watch;
        dijkstra(graph,
                 Query<std::uint32_t>{.source = sources.back(), // the opposite order: the last one wins at first
                                      .others = sources.data(),
                                      .other_count = static_cast<std::int64_t>(sources.size()) - 1,
                                      .dist = dist.data(),
                                      .parent = parent.data()},
                 std::uint32_t{3}, watch);
        for (Vertex i = 0; i < sources.size(); ++i)
            rank[sources[i]] = i;
        find_roots(parent.data(), n, rank.data(), watch);
        prefer_first_roots(graph, dist.data(), parent.data(), rank.data(), 1 + round % 3, watch);
        for (Vertex v = 0; v < n; ++v) {
            CHECK(rank[v] == (expected[v].empty() ? no_vertex : expected[v][0].second));
            if (rank[v] == no_vertex)
                continue;
            const auto path = path_from_root(parent.data(), n, v);
            CHECK(!path.empty() && path[0] == sources[rank[v]]);
        }
    }
}
