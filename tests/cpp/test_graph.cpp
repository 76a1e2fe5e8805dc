#include <algorithm>
#include <limits>
#include <numeric>

#include "check.hpp"
#include "graph/check.hpp"
#include "graph/components.hpp"
#include "graph/simplify.hpp"
#include "graph/tally.hpp"
#include "graph/tree.hpp"
#include "graphs.hpp"

using namespace pathfront;

TEST(rows_do_not_depend_on_the_thread_count, threads) {
    for (unsigned threads : {2u, 5u, 32u}) {
        std::mt19937 one(5), other(5);
        const auto serial = random_graph<std::uint32_t>(one, 1000, 200'000, 9, 1);
        const auto parallel = random_graph<std::uint32_t>(other, 1000, 200'000, 9, threads);
        CHECK(serial.offsets == parallel.offsets && serial.heads == parallel.heads &&
              serial.weights == parallel.weights);
    }
}

TEST(reversing_twice_sorts_the_rows, threads) {
    std::mt19937 rng(9);
    const auto owned = random_graph<std::uint32_t>(rng, 300, 100'000, 9);
    Watch watch;
    auto reversed = [&](const OwnedGraph<std::uint32_t>& graph) {
        OwnedGraph<std::uint32_t> out = graph;
        const Csr<Hop> shape{300, graph.offsets.data(), graph.heads.data(), nullptr};
        build_rows(ReversedArcs<std::uint32_t>{shape.m(), shape, graph.weights.data()}, Vertex{300}, false,
                   out.offsets.data(), out.heads.data(), out.weights.data(), 4, watch);
        return out;
    };
    const auto twice = reversed(reversed(owned));
    CHECK(twice.offsets == owned.offsets);
    for (Vertex v = 0; v < 300; ++v) {
        const auto begin = twice.heads.begin() + twice.offsets[v], end = twice.heads.begin() + twice.offsets[v + 1];
        CHECK(std::is_sorted(begin, end));
        std::vector<Vertex> row(owned.heads.begin() + owned.offsets[v], owned.heads.begin() + owned.offsets[v + 1]);
        std::sort(row.begin(), row.end());
        CHECK(std::equal(begin, end, row.begin(), row.end()));
    }
}

TEST(damage_is_found_where_it_is, threads) {
    Watch watch;
    for (unsigned threads : {1u, 4u}) {
        std::vector<Offset> offsets(300'001);
        std::iota(offsets.begin(), offsets.end(), 0);
        CHECK(first_bad_offset(offsets.data(), 300'000, 300'000, threads, watch) == not_found);
        CHECK(first_bad_offset(offsets.data(), 300'000, 299'999, threads, watch) == 300'000);
        offsets[200'000] = -5;
        offsets[250'000] = -5;
        CHECK(first_bad_offset(offsets.data(), 300'000, 300'000, threads, watch) == 200'000);
        std::vector<Vertex> heads(300'000, 7);
        CHECK(first_bad_head(heads.data(), 300'000, 8, threads, watch) == not_found);
        heads[170'000] = 8;
        heads[280'000] = no_vertex;
        CHECK(first_bad_head(heads.data(), 300'000, 8, threads, watch) == 170'000);
        std::vector<double> weights(300'000, 2.0);
        weights[3] = 0.5;
        weights[250'000] = -1;
        weights[260'000] = std::numeric_limits<double>::quiet_NaN();
        const auto found = summarise_weights(weights.data(), 300'000, threads, watch);
        CHECK(found.lightest == -1 && found.heaviest == 2 && found.first_negative == 250'000 &&
              found.first_not_finite == 260'000);
    }
}

TEST(simplifying_keeps_the_lightest) {
    Watch watch;
    const std::vector<Offset> offsets{0, 5, 6};
    std::vector<Vertex> heads{1, 0, 1, 1, 0, 0};
    std::vector<float> weights{5, 1, 3, 4, 1, 2};
    std::vector<Offset> lengths(2);
    simplify_rows(offsets.data(), Vertex{2}, heads.data(), weights.data(), lengths.data(), 2, watch);
    CHECK(lengths[0] == 1 && heads[0] == 1 && weights[0] == 3);
    CHECK(lengths[1] == 1 && heads[5] == 0 && weights[5] == 2);
}

TEST(a_tree_is_read_from_parents) {
    Watch watch;
    // 0 -> 1 by 5, 2 and 2, 1 -> 2 by 4 and 7, 2 -> 0 by 1, 3 alone
    const std::vector<Offset> offsets{0, 3, 5, 6, 6};
    const std::vector<Vertex> heads{1, 1, 1, 2, 2, 0}, parent{no_vertex, 0, 1, no_vertex};
    const std::vector<int> weights{5, 2, 2, 4, 7, 1};
    const Csr<int> graph{4, offsets.data(), heads.data(), weights.data()};
    const auto path = path_from_root(parent.data(), 4, 2);
    CHECK((path == std::vector<Vertex>{0, 1, 2}));
    std::vector<Offset> along(3), by_head(4, -1);
    path_arcs(graph, path.data(), 2, along.data());
    CHECK(along[0] == 1 && along[1] == 3); // the lightest, of equal ones the first
    const std::vector<Vertex> no_arc{1, 0};
    path_arcs(graph, no_arc.data(), 1, along.data());
    CHECK(along[0] == -1);
    tree_arcs(graph, parent.data(), by_head.data(), 3, watch);
    CHECK((by_head == std::vector<Offset>{-1, 1, 3, -1}));
    const Csr<Hop> hops{4, offsets.data(), heads.data(), nullptr};
    path_arcs(hops, path.data(), 2, along.data());
    CHECK(along[0] == 0 && along[1] == 3);

    const std::vector<Vertex> cycle{1, 0}, wild{7, 0};
    CHECK(path_from_root(cycle.data(), 2, 0).empty() && path_from_root(wild.data(), 2, 1).empty());
}

TEST(parallel_arcs_are_found, threads) {
    Watch watch;
    const std::vector<Offset> offsets{0, 2, 4};
    const std::vector<Vertex> none{0, 1, 1, 0}, some{1, 0, 1, 1};
    CHECK(first_parallel_arc({2, offsets.data(), none.data(), nullptr}, watch) == not_found);
    CHECK(first_parallel_arc({2, offsets.data(), some.data(), nullptr}, watch) == 3);
}

// Components of one vertex each, of all, and of the vertices that reach each other in a random graph.
TEST(components_are_those_of_reachability) {
    std::mt19937 rng(3);
    for (int round = 0; round < 200; ++round) {
        const Vertex n = 1 + rng() % 30;
        const auto owned = random_graph<std::uint32_t>(rng, n, rng() % 60, 9);
        const Csr<Hop> graph{n, owned.offsets.data(), owned.heads.data(), nullptr};
        std::vector<char> there(std::size_t{n} * n), either(std::size_t{n} * n);
        for (Vertex u = 0; u < n; ++u) {
            there[std::size_t{u} * n + u] = either[std::size_t{u} * n + u] = 1;
            for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc)
                there[std::size_t{u} * n + graph.heads[arc]] = either[std::size_t{u} * n + graph.heads[arc]] =
                    either[std::size_t{graph.heads[arc]} * n + u] = 1;
        }
        for (auto* reach : {&there, &either}) // Warshall's closure
            for (std::size_t k = 0; k < n; ++k)
                for (std::size_t i = 0; i < n; ++i)
                    for (std::size_t j = 0; j < n; ++j)
                        (*reach)[i * n + j] |= (*reach)[i * n + k] & (*reach)[k * n + j];
        Watch watch;
        std::vector<Vertex> weak(n), strong(n);
        const Vertex weak_count = weak_components(graph, weak.data(), watch);
        const Vertex strong_count = strong_components(graph, strong.data(), watch);
        CHECK(*std::max_element(weak.begin(), weak.end()) + 1 == weak_count);
        CHECK(*std::max_element(strong.begin(), strong.end()) + 1 == strong_count);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                CHECK((weak[i] == weak[j]) == (either[i * n + j] != 0));
                CHECK((strong[i] == strong[j]) == (there[i * n + j] && there[j * n + i]));
                CHECK(!there[i * n + j] || strong[j] <= strong[i]);
            }
    }
}

TEST(arcs_are_counted) {
    const std::vector<Offset> offsets{0, 5, 5, 6, 6};
    const std::vector<Vertex> heads{0, 1, 0, 1, 1, 1};
    Watch watch;
    const Tally found = tally_arcs({4, offsets.data(), heads.data(), nullptr}, watch);
    CHECK(found.loops == 2 && found.parallel == 3 && found.isolated == 1 && found.most_entering == 4);
}
