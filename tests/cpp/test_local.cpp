// Searches that cost what they touch, compared with Dijkstra's algorithm; run by several threads, and interrupted.
#include <random>
#include <set>
#include <stdexcept>

#include "check.hpp"
#include "engines/dijkstra.hpp"
#include "engines/local/ball.hpp"
#include "engines/local/pairs.hpp"
#include "engines/local/spurs.hpp"
#include "graph/tight.hpp"
#include "graphs.hpp"

using namespace pathfront;

namespace {

template <class W>
OwnedGraph<W> reversed(const Csr<W>& graph) {
    OwnedGraph<W> made;
    made.offsets.resize(std::size_t{graph.n} + 1);
    made.heads.resize(static_cast<std::size_t>(graph.m()));
    made.weights.resize(made.heads.size());
    const Csr<Hop> plain{graph.n, graph.offsets, graph.heads, nullptr};
    Watch watch;
    build_rows(ReversedArcs<W>{graph.m(), plain, graph.weights}, graph.n, false, made.offsets.data(), made.heads.data(),
               made.weights.data(), 1, watch);
    return made;
}

template <class W>
std::vector<W> distances(const Csr<W>& graph, Vertex source, W heaviest) {
    std::vector<W> dist(graph.n);
    Watch watch;
    Query<W> query{};
    query.source = source;
    query.dist = dist.data();
    dijkstra(graph, query, heaviest, watch);
    return dist;
}

template <class W>
void agree_with_dijkstra() {
    std::mt19937 rng(5);
    for (int round = 0; round < 60; ++round) {
        const Vertex n = 1 + rng() % 60;
        const int most = round % 3 == 0 ? 1 : 60;
        auto owned = random_graph<W>(rng, n, rng() % 300, most);
        if constexpr (std::is_floating_point_v<W>)
            for (W& weight : owned.weights)
                weight *= W(0.1);
        const Csr<W> graph = owned.view();
        const auto back = reversed(graph);
        const WeightBounds<W> weights{0, static_cast<W>(most), most / 2.0};
        std::vector<Vertex> sources, origins, destinations;
        for (Vertex s = 0; s < n; s += 3)
            for (Vertex t = 0; t < n; t += 2) {
                origins.push_back(s);
                destinations.push_back(t);
            }
        for (Vertex s = 0; s < n; ++s)
            sources.push_back(s);
        const W limit = static_cast<W>(rng() % 80);
        Watch watch;
        const auto balls = find_balls(graph, sources.data(), n, limit, true, weights, 1 + round % 3, watch);
        const auto count = static_cast<std::int64_t>(origins.size());
        const auto paths =
            find_paths(graph, back.view(), origins.data(), destinations.data(), count, weights, 1 + round % 3, watch);
        for (Vertex s = 0; s < n; ++s) {
            const auto dist = distances(graph, s, static_cast<W>(most));
            std::int64_t within = 0;
            for (Vertex v = 0; v < n; ++v)
                within += dist[v] <= limit;
            CHECK(balls.offsets[s + 1] - balls.offsets[s] == within);
            for (Offset i = balls.offsets[s]; i < balls.offsets[s + 1]; ++i) {
                CHECK(balls.dist[i] == dist[balls.vertices[i]]);
                CHECK(i == balls.offsets[s] || balls.dist[i - 1] < balls.dist[i] ||
                      (balls.dist[i - 1] == balls.dist[i] && balls.vertices[i - 1] < balls.vertices[i]));
            }
            for (std::int64_t i = 0; i < count; ++i)
                if (origins[i] == s) {
                    CHECK(paths.dist[i] == dist[destinations[i]]);
                    CHECK((paths.offsets[i] < paths.offsets[i + 1]) == (dist[destinations[i]] != unreached<W>));
                }
        }
    }
}

} // namespace

template <class Key>
void settles_ranges_in_order(int bits, std::uint64_t most, int refined_at) {
    std::mt19937_64 rng(5);
    RangeQueue<Key> queue(bits);
    std::multiset<Key> waiting;
    auto push = [&](Key key) {
        queue.push(key, 0);
        waiting.insert(key);
    };
    auto all = [](const auto&) { return true; };
    int left = 30'000, ranges = 0;
    push(0);
    do {
        if (++ranges == refined_at) {
            bits = 0;
            queue.refine(all);
        }
        CHECK(!queue.current().empty());
        const Key range = static_cast<Key>(queue.current().front().key >> bits);
        CHECK(static_cast<Key>(queue.least() >> bits) == range);
        CHECK(static_cast<Key>(*waiting.begin() >> bits) == range); // no lower one waits
        for (std::size_t i = 0; i < queue.current().size(); ++i) {
            const Key here = queue.current()[i].key;
            CHECK(static_cast<Key>(here >> bits) == range);
            const auto found = waiting.find(here);
            CHECK(found != waiting.end());
            waiting.erase(found);
            for (int k = 0; k < 2 && waiting.size() < 2000 && --left > 0; ++k) {
                const Key step = static_cast<Key>(rng() % most);
                if (here <= std::numeric_limits<Key>::max() - step)
                    push(here + step);
            }
        }
        std::size_t seen = 0;
        queue.for_each([&](const auto&) { ++seen; });
        CHECK(seen == waiting.size() + queue.current().size());
    } while (queue.advance(all));
    CHECK(waiting.empty());
}

TEST(a_range_queue_settles_ranges_in_order) {
    for (const int refined_at : {0, 1, 2, 17, 300}) {
        settles_ranges_in_order<std::uint32_t>(0, 3, refined_at);
        settles_ranges_in_order<std::uint32_t>(9, 5000, refined_at);
        settles_ranges_in_order<std::uint32_t>(24, std::uint64_t{1} << 29, refined_at);
        settles_ranges_in_order<std::uint64_t>(42, std::uint64_t{1} << 58, refined_at);
    }
}

TEST(local_searches_agree_with_dijkstra, threads) {
    agree_with_dijkstra<std::uint32_t>();
    agree_with_dijkstra<std::int64_t>();
    agree_with_dijkstra<float>();
    agree_with_dijkstra<double>();
}

TEST(spurs_leave_the_trunk, threads) {
    std::mt19937 rng(6);
    const auto owned = random_graph<std::uint64_t>(rng, 300, 1500, 9);
    const auto graph = owned.view();
    const auto back = reversed(graph);
    const auto rest = distances(back.view(), 7, std::uint64_t{9});
    const WeightBounds<std::uint64_t> weights{0, 9, 4.5};
    const Vertex origin = 0, target = 7;
    Watch watch;
    const auto whole = find_paths(graph, back.view(), &origin, &target, 1, weights, 1, watch);
    CHECK(whole.dist[0] == rest[0] && whole.vertices.size() > 2);
    const Trunk trunk{whole.vertices.data(), static_cast<std::int64_t>(whole.vertices.size())};
    const auto one = find_spurs(graph, rest.data(), trunk, 0, {}, weights, 1, watch);
    const auto several = find_spurs(graph, rest.data(), trunk, 0, {}, weights, 3, watch);
    CHECK(one.vertices == several.vertices && one.dist == several.dist && one.offsets == several.offsets);
    for (std::size_t i = 0; i + 1 < whole.vertices.size(); ++i)
        if (one.offsets[i] < one.offsets[i + 1]) {
            CHECK(one.vertices[one.offsets[i]] != whole.vertices[i + 1]);
            CHECK(one.dist[i] >= whole.dist[0]);
        }
}

TEST(tight_arcs_do_not_depend_on_threads, threads) {
    std::mt19937 rng(7);
    const auto owned = random_graph<std::uint32_t>(rng, 5000, 60'000, 3);
    const auto graph = owned.view();
    const auto dist = distances(graph, 0, 3u);
    Watch watch;
    for (const bool unique : {false, true}) {
        const auto one = find_tight_arcs(graph, dist.data(), unique, 1, watch);
        const auto several = find_tight_arcs(graph, dist.data(), unique, 4, watch);
        CHECK(one.offsets == several.offsets && one.tails == several.tails && one.arcs == several.arcs);
    }
}

TEST(local_searches_can_be_interrupted, threads) {
    std::mt19937 rng(8);
    const auto owned = random_graph<std::uint32_t>(rng, 20'000, 100'000, 60);
    const auto graph = owned.view();
    std::vector<Vertex> sources(20'000);
    for (Vertex v = 0; v < sources.size(); ++v)
        sources[v] = v;
    const WeightBounds<std::uint32_t> weights{0, 60, 30};
    for (const unsigned threads : {1u, 4u}) {
        Watch watch([](double) { throw std::runtime_error("stop"); }, std::chrono::milliseconds(1));
        bool stopped = false;
        try {
            find_balls(graph, sources.data(), 20'000, 100'000u, true, weights, threads, watch);
        } catch (const std::runtime_error&) {
            stopped = true;
        }
        CHECK(stopped);
    }
}
