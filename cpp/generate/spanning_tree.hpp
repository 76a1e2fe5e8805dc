// A random spanning tree: Kruskal's algorithm over the edges in random order. Not every spanning tree is
// equally likely, but every edge is treated alike, and paths in the tree wind as roads in hills do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/csr.hpp"
#include "generate/random.hpp"

namespace pathfront {

// Sets of vertices that have been joined, with halving of the paths to their roots.
class Joined {
  public:
    explicit Joined(Vertex n) : above_(n) { std::iota(above_.begin(), above_.end(), Vertex{0}); }

    // Joins the sets of two vertices; false where they are one already.
    bool join(Vertex u, Vertex v) {
        u = root(u), v = root(v);
        if (u == v)
            return false;
        above_[std::max(u, v)] = std::min(u, v);
        return true;
    }

  private:
    Vertex root(Vertex v) {
        while (above_[v] != v)
            v = above_[v] = above_[above_[v]];
        return v;
    }

    std::vector<Vertex> above_;
};

// Sets chosen[i] to 1 for the edges of the tree (of the forest, where the graph is not connected), else to 0.
// There must be less than 2^32 edges.
inline void spanning_tree(const Vertex* tails, const Vertex* heads, std::int64_t count, Vertex n, const Stream& stream,
                          std::uint8_t* chosen, unsigned threads, Watch& watch) {
    // The edge's number in the low half makes every key distinct, so there is one sorted order.
    std::vector<std::uint64_t> order(static_cast<std::size_t>(count));
    fill_random(order.data(), count, threads, watch,
                [&](std::uint64_t i) { return (stream.at(i) & ~std::uint64_t{0xFFFFFFFF}) | i; });
    std::sort(order.begin(), order.end());
    std::fill_n(chosen, count, std::uint8_t{0});
    Joined joined(n);
    std::int64_t missing = std::int64_t{n} - 1;
    for (std::int64_t at = 0; at < count && missing > 0; ++at) {
        const auto edge = static_cast<std::uint32_t>(order[static_cast<std::size_t>(at)]);
        if (joined.join(tails[edge], heads[edge])) {
            chosen[edge] = 1;
            --missing;
        }
        watch.tick(1, static_cast<double>(at) / static_cast<double>(count));
    }
}

} // namespace pathfront
