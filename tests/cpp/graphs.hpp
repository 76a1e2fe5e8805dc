// Small random graphs for the tests.
#pragma once

#include <random>
#include <vector>

#include "core/csr.hpp"
#include "graph/build.hpp"

namespace pathfront {

template <class W>
struct OwnedGraph {
    std::vector<Offset> offsets;
    std::vector<Vertex> heads;
    std::vector<W> weights;

    Csr<W> view() const {
        return {static_cast<Vertex>(offsets.size() - 1), offsets.data(), heads.data(), weights.data()};
    }
};

template <class W>
OwnedGraph<W> random_graph(std::mt19937& rng, Vertex n, std::int64_t m, int most, unsigned threads = 1) {
    std::vector<std::int64_t> tails, heads;
    std::vector<std::uint64_t> payload;
    std::vector<W> weights;
    for (std::int64_t i = 0; i < m; ++i) {
        tails.push_back(static_cast<std::int64_t>(rng() % n));
        heads.push_back(static_cast<std::int64_t>(rng() % n));
        weights.push_back(static_cast<W>(rng() % static_cast<unsigned>(most + 1)));
        payload.push_back(static_cast<std::uint64_t>(i));
    }
    OwnedGraph<W> graph;
    graph.offsets.resize(n + 1);
    graph.heads.resize(static_cast<std::size_t>(m));
    std::vector<std::uint64_t> order(static_cast<std::size_t>(m));
    Watch watch;
    build_rows(EdgeList<std::int64_t, std::uint64_t>{m, tails.data(), heads.data(), payload.data()}, n, false,
               graph.offsets.data(), graph.heads.data(), order.data(), threads, watch);
    for (std::uint64_t i : order)
        graph.weights.push_back(weights[i]);
    return graph;
}

} // namespace pathfront
