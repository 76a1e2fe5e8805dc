// The vertices within a distance of a source, closest first, for many sources side by side.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "engines/local/heap.hpp"
#include "engines/local/parts.hpp"
#include "engines/local/search.hpp"

namespace pathfront {

inline constexpr std::int64_t sources_in_block = 16;

// Searches of one thread, one after the other.
template <class W, class D>
class BallSearch {
  public:
    // If `limited`, a sum beyond the range of D is beyond the limit, too.
    BallSearch(const Csr<W>& graph, D limit, bool limited, const WeightBounds<D>& weights)
        : limit_(limit), limited_(limited), search_(graph, weights) {}

    // Appends the vertices within the limit, in the order of their distances, equal ones in the order of vertices.
    // False: some vertex has a distance that does not fit, or the pulse has stopped.
    bool run(Vertex source, std::vector<Vertex>& vertices, std::vector<D>& dist, Pulse& pulse) {
        const std::size_t begin = vertices.size();
        search_.begin(source);
        do {
            if (!search_.settle_range(pulse, [&](Vertex, Vertex v, D sum) {
                    if (sum <= limit_)
                        search_.lower(v, sum);
                }))
                return false;
            range_.clear();
            search_.for_settled([&](KeyOf<D> key, Vertex v) { range_.emplace_back(key, v); });
            std::sort(range_.begin(), range_.end());
            for (const auto& entry : range_) {
                vertices.push_back(entry.vertex());
                dist.push_back(from_key<D>(entry.key()));
            }
        } while (search_.advance());
        const bool fits = limited_ || !search_.dropped || !overflowed(vertices, dist, begin);
        for (std::size_t i = begin; i < vertices.size(); ++i)
            search_.labels.forget(vertices[i]);
        search_.clear();
        return fits;
    }

  private:
    // Whether a sum that was dropped would have been a distance: its head has none.
    bool overflowed(const std::vector<Vertex>& vertices, const std::vector<D>& dist, std::size_t begin) const {
        const Csr<W>& graph = search_.graph;
        for (std::size_t i = begin; i < vertices.size(); ++i)
            for (Offset arc = graph.offsets[vertices[i]]; arc < graph.offsets[vertices[i] + 1]; ++arc) {
                D sum;
                if (!add_checked(dist[i], graph.weight(arc), sum) && !search_.labels.has(graph.heads[arc]))
                    return true;
            }
        return false;
    }

    const D limit_;
    const bool limited_;
    LocalSearch<W, D, false> search_;
    std::vector<HeapEntry<KeyOf<D>>> range_;
};

// The balls of all sources: that of source i has the indices [offsets[i], offsets[i + 1]).
template <class D>
struct Balls {
    std::vector<Offset> offsets;
    std::vector<Vertex> vertices;
    std::vector<D> dist;
    std::int64_t overflow = -1; // the first source with a distance that does not fit
};

template <class W, class D>
Balls<D> find_balls(const Csr<W>& graph, const Vertex* sources, std::int64_t count, D limit, bool limited,
                    const WeightBounds<D>& weights, unsigned threads, Watch& watch) {
    struct Part {
        std::vector<Vertex> vertices;
        std::vector<D> dist;
    };
    // Sources that are close to each other are searched from one after the other: their balls share memory that is in
    // the cache then.
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) { return sources[a] < sources[b]; });
    Balls<D> all;
    all.offsets.resize(static_cast<std::size_t>(count) + 1);
    std::vector<Part> parts(blocks_of(count, sources_in_block));
    std::vector<std::unique_ptr<BallSearch<W, D>>> searches(threads);
    FirstFailure overflow(count);
    for_jobs(threads, count, sources_in_block, watch,
             [&](unsigned id, std::int64_t begin, std::int64_t end, Pulse& pulse) {
                 Part& part = parts[static_cast<std::size_t>(begin / sources_in_block)];
                 for (std::int64_t i = begin; i < end; ++i) {
                     const std::int64_t at = order[i];
                     if (!overflow.none_before(at))
                         continue;
                     if (!searches[id])
                         searches[id] = std::make_unique<BallSearch<W, D>>(graph, limit, limited, weights);
                     const std::size_t before = part.vertices.size();
                     if (!searches[id]->run(sources[at], part.vertices, part.dist, pulse)) {
                         overflow.note(at);
                         searches[id].reset();
                         continue;
                     }
                     all.offsets[at + 1] = static_cast<Offset>(part.vertices.size() - before);
                 }
             });
    all.overflow = overflow.first();
    if (all.overflow < 0) {
        std::inclusive_scan(all.offsets.begin(), all.offsets.end(), all.offsets.begin());
        all.vertices.resize(static_cast<std::size_t>(all.offsets.back()));
        all.dist.resize(all.vertices.size());
        for_blocks(threads, count, sources_in_block, watch, [&](unsigned, std::int64_t begin, std::int64_t end) {
            Part part = std::exchange(parts[static_cast<std::size_t>(begin / sources_in_block)], {});
            auto vertices = part.vertices.begin();
            auto dist = part.dist.begin();
            for (std::int64_t i = begin; i < end; ++i) {
                const Offset to = all.offsets[order[i]], size = all.offsets[order[i] + 1] - to;
                std::copy_n(std::exchange(vertices, vertices + size), size, all.vertices.begin() + to);
                std::copy_n(std::exchange(dist, dist + size), size, all.dist.begin() + to);
            }
        });
    }
    return all;
}

} // namespace pathfront
