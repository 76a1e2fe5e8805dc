// A random spanning tree: Kruskal's algorithm over the edges in random order. Not every spanning tree is
// equally likely, but every edge is treated alike, and paths in the tree wind as roads in hills do.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/csr.hpp"
#include "generate/random.hpp"

namespace pathfront {

// Disjoint sets of vertices (union-find with path halving).
class DisjointSets {
  public:
    explicit DisjointSets(Vertex n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), Vertex{0}); }

    // Unites the sets of two vertices; false if they are in one set already.
    bool unite(Vertex u, Vertex v) {
        u = root(u), v = root(v);
        if (u == v)
            return false;
        parent_[std::max(u, v)] = std::min(u, v);
        return true;
    }

  private:
    Vertex root(Vertex v) {
        while (parent_[v] != v)
            v = parent_[v] = parent_[parent_[v]];
        return v;
    }

    std::vector<Vertex> parent_;
};

// The numbers 0..count-1 in random order, count <= 2^32: sorted by their hashes, first into buckets and
// then within each bucket, which is parallel and can be interrupted.
inline std::vector<std::uint64_t> random_order(std::int64_t count, const Stream& stream, unsigned threads,
                                               Watch& watch) {
    constexpr std::int64_t per_bucket = 1 << 14;
    const auto buckets = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(count / per_bucket + 1)));
    const int shift = 64 - std::countr_zero(static_cast<std::uint64_t>(buckets));
    // The number in the low half makes every key distinct, so there is one sorted order.
    auto key = [&](std::int64_t i) {
        return (stream.at(static_cast<std::uint64_t>(i)) & ~std::uint64_t{0xFFFFFFFF}) | static_cast<std::uint64_t>(i);
    };
    auto bucket_of = [&](std::uint64_t k) { return shift == 64 ? 0 : static_cast<std::size_t>(k >> shift); };

    std::vector<std::int64_t> ends(static_cast<std::size_t>(buckets) + 1);
    for (std::int64_t i = 0; i < count; ++i) {
        ++ends[bucket_of(key(i)) + 1];
        watch.tick(1);
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<std::uint64_t> order(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        const std::uint64_t k = key(i);
        order[static_cast<std::size_t>(ends[bucket_of(k)]++)] = k;
        watch.tick(1);
    }
    // each bucket's start has become its end
    for_blocks(threads, buckets, 1, watch, [&](unsigned, std::int64_t begin, std::int64_t) {
        const std::int64_t from = begin == 0 ? 0 : ends[static_cast<std::size_t>(begin) - 1];
        std::sort(order.begin() + from, order.begin() + ends[static_cast<std::size_t>(begin)]);
    });
    return order;
}

// Sets chosen[i] to 1 for the edges of the tree (of the forest, where the graph is not connected), else to 0.
// There must be fewer than 2^32 edges.
inline void spanning_tree(const Vertex* tails, const Vertex* heads, std::int64_t count, Vertex n, const Stream& stream,
                          std::uint8_t* chosen, unsigned threads, Watch& watch) {
    std::fill_n(chosen, count, std::uint8_t{0});
    DisjointSets sets(n);
    std::int64_t missing = std::int64_t{n} - 1;
    for (const std::uint64_t key : random_order(count, stream, threads, watch)) {
        const auto edge = static_cast<std::uint32_t>(key);
        if (sets.unite(tails[edge], heads[edge])) {
            chosen[edge] = 1;
            if (--missing == 0)
                break;
        }
        watch.tick(1);
    }
}

} // namespace pathfront
