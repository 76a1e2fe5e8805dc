// Graphs on which threads get into each other's way.
#pragma once

#include <algorithm>
#include <chrono>
#include <random>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "core/watch.hpp"
#include "graphs.hpp"

namespace pathfront {

// A watch without patience that lets the search go on some times and then interrupts it.
struct Interrupt {
    explicit Interrupt(int times) : allowed(times) {}
    Interrupt(const Interrupt&) = delete;

    int allowed, calls = 0;
    Watch watch{[this](double) {
                    if (++calls > allowed)
                        throw std::runtime_error("interrupted");
                },
                std::chrono::milliseconds(0), 1};
};

using Triples = std::vector<std::tuple<Vertex, Vertex, std::uint32_t>>;

template <class W>
OwnedGraph<W> graph_of(Vertex n, Triples triples) {
    std::stable_sort(triples.begin(), triples.end(),
                     [](const auto& a, const auto& b) { return std::get<0>(a) < std::get<0>(b); });
    OwnedGraph<W> graph;
    graph.offsets.assign(n + 1, 0);
    for (const auto& [tail, head, weight] : triples) {
        ++graph.offsets[tail + 1];
        graph.heads.push_back(head);
        graph.weights.push_back(static_cast<W>(weight));
    }
    for (Vertex v = 0; v < n; ++v)
        graph.offsets[v + 1] += graph.offsets[v];
    return graph;
}

// Hubs, cliques, zero weights, parallel arcs, and a path to spread them along.
template <class W>
std::vector<OwnedGraph<W>> colliding_graphs() {
    std::mt19937 rng(17);
    std::vector<OwnedGraph<W>> graphs;
    Triples star, clique, zero, parallel, wide;
    for (Vertex v = 1; v < 6000; ++v) {
        star.emplace_back(0, v, rng() % 3);
        star.emplace_back(v, 1 + rng() % 5999, rng() % 3);
    }
    for (Vertex u = 0; u < 90; ++u)
        for (Vertex v = 0; v < 90; ++v) {
            clique.emplace_back(u, v, 1 + rng() % 1000);
            zero.emplace_back(u, v, 0);
        }
    for (int i = 0; i < 20'000; ++i)
        parallel.emplace_back(i % 3, (i + 1) % 3, rng() % 100);
    for (int i = 0; i < 30'000; ++i)
        wide.emplace_back(rng() % 3000, rng() % 3000, rng() % 10 == 0 ? rng() % 1'000'000 : rng() % 10);
    graphs.push_back(graph_of<W>(6000, star));
    graphs.push_back(graph_of<W>(90, clique));
    graphs.push_back(graph_of<W>(90, zero));
    graphs.push_back(graph_of<W>(3, parallel));
    graphs.push_back(graph_of<W>(3000, wide));
    return graphs;
}

} // namespace pathfront
