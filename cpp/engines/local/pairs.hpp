// Shortest paths between many pairs of vertices, side by side.
#pragma once

#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "engines/local/pair.hpp"
#include "engines/local/parts.hpp"

namespace pathfront {

inline constexpr std::int64_t pairs_in_block = 4;

// The path of pair i has the vertices [offsets[i], offsets[i + 1]), none if there is no path.
template <class D>
struct PathsBetween {
    std::vector<Offset> offsets;
    std::vector<Vertex> vertices;
    std::vector<D> dist;
    std::int64_t overflow = -1; // the first pair with a distance that does not fit
};

template <class W, class D>
PathsBetween<D> find_paths(const Csr<W>& graph, const Csr<W>& in_graph, const Vertex* origins,
                           const Vertex* destinations, std::int64_t count, const WeightBounds<D>& weights,
                           unsigned threads, Watch& watch) {
    struct Part {
        std::vector<Vertex> vertices;
    };
    PathsBetween<D> all;
    all.offsets.resize(static_cast<std::size_t>(count) + 1);
    all.dist.assign(static_cast<std::size_t>(count), unreached<D>);
    std::vector<Part> parts(blocks_of(count, pairs_in_block));
    std::vector<std::unique_ptr<PairSearch<W, D>>> searches(threads);
    FirstFailure overflow(count);
    for_jobs(threads, count, pairs_in_block, watch,
             [&](unsigned id, std::int64_t begin, std::int64_t end, Pulse& pulse) {
                 if (!searches[id])
                     searches[id] = std::make_unique<PairSearch<W, D>>(graph, in_graph, weights);
                 auto& path = parts[static_cast<std::size_t>(begin / pairs_in_block)].vertices;
                 for (std::int64_t i = begin; i < end && overflow.none_before(i); ++i) {
                     const std::size_t before = path.size();
                     const Found found = searches[id]->run(origins[i], destinations[i], path, all.dist[i], pulse);
                     if (found == Found::stopped)
                         return;
                     if (found == Found::overflow)
                         overflow.note(i);
                     all.offsets[i + 1] = static_cast<Offset>(path.size() - before);
                 }
             });
    all.overflow = overflow.first();
    if (all.overflow < 0) {
        std::inclusive_scan(all.offsets.begin(), all.offsets.end(), all.offsets.begin());
        all.vertices = joined(parts, &Part::vertices, threads, watch);
    }
    return all;
}

} // namespace pathfront
