// Compressed sparse rows from a list of edges, by a stable counting sort on the tail.
//
// Each thread owns a range of tails and reads the whole list, taking the edges of its own range: no atomics,
// no second copy of the list, and the arcs of a vertex stay in the order of the list for any thread count.
// Reading the tails once per thread is sequential and cheap beside the scattered writes, up to about eight
// threads. The ranges are cut at quantiles of a sample, so that skewed graphs are divided evenly too.
//
// The write cursor of a vertex is stored where its end will be, so that no array beyond the result is needed:
// during the fill, offsets[v + 1] is the next free index of v; afterwards it is the end of v.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "core/blocks.hpp"
#include "core/csr.hpp"

namespace pathfront {

inline constexpr unsigned most_builders = 8;
inline constexpr std::int64_t build_block = 1 << 16;

// A list of edges; the payload is the raw bits of a weight, or Hop for none.
template <class Index, class Payload>
struct EdgeList {
    std::int64_t count;
    const Index* tails;
    const Index* heads;
    const Payload* payload;

    template <class Visit>
    void visit(std::int64_t begin, std::int64_t end, Visit&& visit) const {
        for (std::int64_t i = begin; i < end; ++i)
            visit(static_cast<Vertex>(tails[i]), static_cast<Vertex>(heads[i]), i);
    }
    Vertex sample(std::int64_t i) const { return static_cast<Vertex>(tails[i]); }
};

// The arcs of a graph, reversed.
template <class Payload>
struct ReversedArcs {
    std::int64_t count;
    const Csr<Hop>& graph;
    const Payload* payload;

    template <class Visit>
    void visit(std::int64_t begin, std::int64_t end, Visit&& visit) const {
        if (begin == end)
            return;
        Vertex tail = graph.tail(begin);
        for (std::int64_t i = begin; i < end; ++i) {
            while (graph.offsets[tail + 1] <= i)
                ++tail;
            visit(graph.heads[i], tail, i);
        }
    }
    Vertex sample(std::int64_t i) const { return graph.heads[i]; }
};

// Cuts 0..n into `parts` ranges that hold about equally many tails.
template <class Edges>
std::vector<std::uint64_t> cut_tails(const Edges& edges, std::uint64_t n, unsigned parts) {
    constexpr std::int64_t samples = 4096;
    std::vector<std::uint64_t> cuts{0};
    if (parts > 1) {
        std::vector<Vertex> sample;
        const std::int64_t step = std::max<std::int64_t>(1, edges.count / samples);
        for (std::int64_t i = 0; i < edges.count; i += step)
            sample.push_back(edges.sample(i));
        std::sort(sample.begin(), sample.end());
        for (unsigned p = 1; p < parts; ++p)
            cuts.push_back(std::max<std::uint64_t>(cuts.back(), sample[sample.size() * p / parts]));
    }
    cuts.push_back(n);
    return cuts;
}

// Fills offsets (n + 1), heads and out_payload; `mirrored` also adds the reverse of every edge that is not a loop.
template <class Edges, class Payload>
void build_rows(const Edges& edges, Vertex n, bool mirrored, Offset* offsets, Vertex* heads, Payload* out_payload,
                unsigned threads, Watch& watch) {
    threads = std::min(threads, most_builders);
    if (edges.count <= build_block)
        threads = 1;
    const std::vector<std::uint64_t> cuts = cut_tails(edges, n, threads);
    std::atomic<bool> stop{false};

    // Calls take(v, w, i) for every arc v->w made of edge i with v in the range of thread `id`.
    auto for_own_arcs = [&](unsigned id, double already, auto&& take) {
        const std::uint64_t low = cuts[id], size = cuts[id + 1] - low;
        for (std::int64_t begin = 0; begin < edges.count && !stop.load(std::memory_order_relaxed);
             begin += build_block) {
            const std::int64_t end = std::min(begin + build_block, edges.count);
            edges.visit(begin, end, [&](Vertex tail, Vertex head, std::int64_t i) {
                if (tail - low < size)
                    take(tail, head, i);
                if (mirrored && tail != head && head - low < size)
                    take(head, tail, i);
            });
            if (id == 0)
                watch.tick(build_block, already + 0.5 * static_cast<double>(end) / static_cast<double>(edges.count));
        }
    };
    auto in_parallel = [&](auto&& work) {
        run_team(threads, [&](unsigned id) {
            try {
                work(id);
            } catch (...) {
                stop = true;
                throw;
            }
        });
    };

    offsets[0] = 0;
    in_parallel([&](unsigned id) {
        std::fill(offsets + cuts[id] + 1, offsets + cuts[id + 1] + 1, 0);
        for_own_arcs(id, 0.0, [&](Vertex tail, Vertex, std::int64_t) { ++offsets[std::uint64_t{tail} + 1]; });
    });
    std::exclusive_scan(offsets + 1, offsets + std::uint64_t{n} + 1, offsets + 1, Offset{0});
    in_parallel([&](unsigned id) {
        for_own_arcs(id, 0.5, [&](Vertex tail, Vertex head, std::int64_t i) {
            const Offset at = offsets[std::uint64_t{tail} + 1]++;
            heads[at] = head;
            if constexpr (!std::is_same_v<Payload, Hop>)
                out_payload[at] = edges.payload[i];
        });
    });
}

// The smallest and largest value of an array of indices.
template <class Index>
std::pair<Index, Index> extent(const Index* values, std::int64_t count, unsigned threads, Watch& watch) {
    using Extent = std::pair<Index, Index>;
    return reduce_blocks(
        threads, count, build_block, watch, Extent{values[0], values[0]},
        [&](std::int64_t begin, std::int64_t end) {
            Index low = values[begin], high = low;
            for (std::int64_t i = begin; i < end; ++i) {
                low = std::min(low, values[i]);
                high = std::max(high, values[i]);
            }
            return Extent{low, high};
        },
        [](Extent a, Extent b) { return Extent{std::min(a.first, b.first), std::max(a.second, b.second)}; });
}

} // namespace pathfront
