// Paths that leave a given path: the step of the methods of Yen (1971) and Lawler (1972) for the k shortest loopless
// paths.
//
// For each position of the path, the shortest path to the target is searched that begins with the path up to there,
// goes on to another vertex than some given ones, and visits no vertex twice. The distances of all vertices to the
// target are known, and direct the search (A*): on roads it relaxes few vertices beside the path.
//
// The sums of floating-point numbers are rounded, so that a vertex may be improved after it was relaxed, and is then
// relaxed again, until no path can be shorter, give or take rounding: engines/local/pair.hpp explains the margin.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "engines/local/heap.hpp"
#include "engines/local/labels.hpp"
#include "engines/local/margin.hpp"
#include "engines/local/parts.hpp"
#include "engines/local/search.hpp"

namespace pathfront {

// A path, whose arcs are the lightest between its vertices.
struct Trunk {
    const Vertex* vertices;
    std::int64_t size;
    Vertex target() const { return vertices[size - 1]; }
};

template <class W, class D>
class SpurSearch {
  public:
    // `rest` are the distances of all vertices to the target of the path.
    SpurSearch(const Csr<W>& graph, const D* rest, Trunk trunk, const WeightBounds<D>& weights)
        : graph_(graph), rest_(rest), trunk_(trunk), weights_(weights), labels_(graph.n), blocked_(graph.n) {}

    // Appends the vertices after position `at` of the shortest path that leaves the trunk there, at distance `here`, to
    // none of the `banned` vertices.
    Found run(std::int64_t at, D here, const std::vector<Vertex>& banned, std::vector<Vertex>& path, D& dist,
              Pulse& pulse) {
        for (std::int64_t i = 0; i < at; ++i)
            blocked_.improve(trunk_.vertices[i], D{0});
        const Vertex spur = trunk_.vertices[at];
        Found found = search(spur, here, banned, pulse);
        if (found == Found::overflow) {
            labels_.clear();
            found = overflow_or_nothing(graph_, labels_, spur, trunk_.target(), pulse,
                                        [&](Vertex u, Vertex v) { return is_open(spur, u, v, banned); });
        }
        if (found == Found::path) {
            dist = labels_.dist(trunk_.target());
            const auto begin = static_cast<std::ptrdiff_t>(path.size());
            for (Vertex v = trunk_.target(); v != spur; v = labels_.parent(v))
                path.push_back(v);
            std::reverse(path.begin() + begin, path.end());
        }
        labels_.clear();
        blocked_.clear();
        queue_.clear();
        return found;
    }

  private:
    Found search(Vertex spur, D here, const std::vector<Vertex>& banned, Pulse& pulse) {
        const Vertex target = trunk_.target();
        bool dropped = !offer(spur, spur, here);
        while (!queue_.empty()) {
            const auto entry = queue_.top();
            queue_.pop();
            const Vertex u = entry.vertex();
            if (labels_.has(target) && hopeless(from_key<D>(entry.key()), labels_.dist(target)))
                break;
            D whole;
            if (u == target || !add_checked(labels_.dist(u), rest_[u], whole) || to_key(whole) != entry.key())
                continue; // a stale entry, or the end
            for (Offset arc = graph_.offsets[u]; arc < graph_.offsets[u + 1]; ++arc) {
                const Vertex v = graph_.heads[arc];
                if (rest_[v] == unreached<D> || !is_open(spur, u, v, banned))
                    continue;
                D sum;
                dropped |= !add_checked(labels_.dist(u), graph_.weight(arc), sum) || !offer(u, v, sum);
            }
            if (!pulse.beat(graph_.offsets[u + 1] - graph_.offsets[u] + 1))
                return Found::stopped;
        }
        if (labels_.has(target))
            return Found::path;
        return dropped ? Found::overflow : Found::nothing;
    }

    // Whether a path that leaves the trunk at a vertex may go from u to v.
    bool is_open(Vertex spur, Vertex u, Vertex v, const std::vector<Vertex>& banned) const {
        return !blocked_.has(v) && (u != spur || std::find(banned.begin(), banned.end(), v) == banned.end());
    }

    // Lowers the distance of v by way of u; false if no path through v has a length that fits.
    bool offer(Vertex u, Vertex v, D sum) {
        D whole;
        if (!add_checked(sum, rest_[v], whole))
            return false;
        if (labels_.improve(v, sum)) {
            labels_.set_parent(v, u);
            queue_.push(to_key(whole), v);
        }
        return true;
    }

    // Whether no path that is at least `whole` long, before rounding, can be shorter than the best one.
    bool hopeless(D whole, D best) const {
        if constexpr (std::is_floating_point_v<D>)
            return static_cast<double>(whole) / margin_of(best, graph_.n, weights_) > static_cast<double>(best);
        else
            return whole >= best;
    }

    const Csr<W>& graph_;
    const D* const rest_;
    const Trunk trunk_;
    const WeightBounds<D> weights_;
    Labels<D, true> labels_;
    Labels<D, false> blocked_;
    SmallHeap<KeyOf<D>> queue_;
};

// The shortest path that leaves the trunk at each position from `first` on: spur i leaves it at first + i, and has the
// vertices [offsets[i], offsets[i + 1]) after that position, none if there is no such path.
template <class D>
struct Spurs {
    std::vector<Offset> offsets;
    std::vector<Vertex> vertices;
    std::vector<D> dist;
    std::int64_t overflow = -1; // the first spur whose length does not fit
};

// At `first` the path must not go on to one of the `banned` vertices; at each position not to the trunk's next vertex.
template <class W, class D>
Spurs<D> find_spurs(const Csr<W>& graph, const D* rest, Trunk trunk, std::int64_t first,
                    const std::vector<Vertex>& banned, const WeightBounds<D>& weights, unsigned threads, Watch& watch) {
    struct Part {
        std::vector<Vertex> vertices;
    };
    const std::int64_t count = std::max<std::int64_t>(trunk.size - 1 - first, 0);
    std::vector<D> along{D{0}}; // the distance of each vertex of the trunk
    for (std::int64_t i = 0; i + 1 < trunk.size; ++i) {
        D nearest = unreached<D>;
        for (Offset arc = graph.offsets[trunk.vertices[i]]; arc < graph.offsets[trunk.vertices[i] + 1]; ++arc) {
            D sum;
            if (graph.heads[arc] == trunk.vertices[i + 1] && add_checked(along.back(), graph.weight(arc), sum))
                nearest = std::min(nearest, sum);
        }
        along.push_back(nearest);
    }
    Spurs<D> all;
    all.offsets.resize(static_cast<std::size_t>(count) + 1);
    all.dist.assign(static_cast<std::size_t>(count), unreached<D>);
    std::vector<Part> parts(static_cast<std::size_t>(count));
    std::vector<std::unique_ptr<SpurSearch<W, D>>> searches(threads);
    FirstFailure overflow(count);
    for_jobs(threads, count, 1, watch, [&](unsigned id, std::int64_t i, std::int64_t, Pulse& pulse) {
        if (!searches[id])
            searches[id] = std::make_unique<SpurSearch<W, D>>(graph, rest, trunk, weights);
        std::vector<Vertex> excluded;
        if (i == 0)
            excluded = banned;
        excluded.push_back(trunk.vertices[first + i + 1]);
        auto& path = parts[i].vertices;
        if (searches[id]->run(first + i, along[first + i], excluded, path, all.dist[i], pulse) == Found::overflow)
            overflow.note(i);
        all.offsets[i + 1] = static_cast<Offset>(path.size());
    });
    all.overflow = overflow.first();
    std::inclusive_scan(all.offsets.begin(), all.offsets.end(), all.offsets.begin());
    all.vertices = joined(parts, &Part::vertices, threads, watch);
    return all;
}

} // namespace pathfront
