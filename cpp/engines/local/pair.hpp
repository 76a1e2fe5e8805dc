// One shortest path between two vertices, by searches from both ends.
//
// First Dijkstra's algorithm runs from the source along the arcs and from the target against them, until no path that
// neither has seen can be shorter than the best one they have met in. Then the search from the source goes on alone,
// but only where the distances to the target that are now known leave hope: it relaxes little more than the path
// itself.
//
// The second step makes the answer that of a search from the source, bit for bit. Sums of floating-point numbers depend
// on the order of the additions, so those of the backward search are only bounds of the forward ones. Each of k
// additions is off by a factor within 1 +- u, so the sum along any path through v, added up from the source, is at
// least (dist(v) + back(v)) * (1 - u)^2k, and the best path is at most best * (1 + u)^2k long. With such a margin a
// vertex is left out only if no shortest path leads through it. (Nicholson 1966 has the bidirectional search.)
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "engines/local/heap.hpp"
#include "engines/local/margin.hpp"
#include "engines/local/search.hpp"

namespace pathfront {

// Searches of one thread, one after the other.
template <class W, class D>
class PairSearch {
  public:
    // `in_graph` has all arcs reversed.
    PairSearch(const Csr<W>& graph, const Csr<W>& in_graph, const WeightBounds<D>& weights)
        : weights_(weights), forward_(graph, weights), backward_(in_graph, weights) {}

    // Appends the vertices of a shortest path and sets its length.
    Found run(Vertex source, Vertex target, std::vector<Vertex>& path, D& dist, Pulse& pulse) {
        forward_.begin(source);
        backward_.begin(target);
        Found found = search(target, pulse);
        if (found == Found::overflow) {
            forward_.clear();
            found = overflow_or_nothing(forward_.graph, forward_.labels, source, target, pulse,
                                        [](Vertex, Vertex) { return true; });
        }
        if (found == Found::path) {
            dist = forward_.labels.dist(target);
            append_path(source, target, path);
        }
        if (found != Found::stopped) {
            forward_.clear();
            backward_.clear();
        }
        return found;
    }

  private:
    Found search(Vertex target, Pulse& pulse) {
        D best = forward_.labels.has(target) ? D{0} : unreached<D>; // 0: the source is the target
        bool more_forward = true, more_backward = true;
        while (more_forward && more_backward && may_improve(best)) {
            const bool forward = forward_.waiting() <= backward_.waiting();
            if (!(forward ? settle<true>(best, pulse) : settle<false>(best, pulse)))
                return Found::stopped;
            (forward ? more_forward : more_backward) = (forward ? forward_ : backward_).advance();
        }
        // what every vertex that the backward search has not settled is at least away from the target
        const D beyond = more_backward ? backward_.least() : backward_.dropped ? largest_distance<D> : unreached<D>;
        if (best == unreached<D> && beyond == unreached<D>)
            return Found::nothing;
        return complete(target, best, beyond, pulse);
    }

    // Whether a path that neither side has seen may be shorter than the best one.
    bool may_improve(D best) const {
        D least;
        return best == unreached<D> || (add_checked(forward_.least(), backward_.least(), least) && least < best);
    }

    // Settles the next vertices of a side; false if the pulse has stopped.
    template <bool forward>
    bool settle(D& best, Pulse& pulse) {
        LocalSearch<W, D, true>& mine = forward ? forward_ : backward_;
        const Labels<D, true>& others = (forward ? backward_ : forward_).labels;
        return mine.settle_range(pulse, [&](Vertex u, Vertex v, D sum) {
            if (!mine.improve(v, sum))
                return;
            if constexpr (forward)
                mine.labels.set_parent(v, u);
            D whole;
            if (others.has(v) && add_checked(sum, others.dist(v), whole))
                best = std::min(best, whole);
        });
    }

    // The forward search alone, where the target may still be within `best`, give or take rounding.
    Found complete(Vertex target, D best, D beyond, Pulse& pulse) {
        const double margin = margin_of(best, forward_.graph.n, weights_);
        D limit = best == unreached<D> ? largest_distance<D> : raised(best, margin);
        auto hopeless = [&](Vertex v, D dist) {
            const D rest = backward_.labels.has(v) ? std::min(backward_.labels.dist(v), beyond) : beyond;
            if constexpr (std::is_floating_point_v<D>)
                return (static_cast<double>(dist) + static_cast<double>(rest)) / margin > static_cast<double>(limit);
            else
                return dist > limit || rest > limit - dist;
        };
        Labels<D, true>& labels = forward_.labels;
        if (labels.has(target))
            limit = std::min(limit, labels.dist(target));
        queue_.clear();
        forward_.for_waiting([&](KeyOf<D> key, Vertex v) {
            if (!hopeless(v, from_key<D>(key)))
                queue_.push(key, v);
        });
        while (!queue_.empty()) {
            const auto entry = queue_.top();
            queue_.pop();
            const Vertex settled = entry.vertex();
            if (settled == target)
                break;
            if (!labels.is(settled, entry.key()) || hopeless(settled, from_key<D>(entry.key())))
                continue;
            const bool goes_on =
                forward_.relax(settled, from_key<D>(entry.key()), pulse, [&](Vertex u, Vertex v, D sum) {
                    if (hopeless(v, sum) || !labels.improve(v, sum))
                        return;
                    labels.set_parent(v, u);
                    queue_.push(to_key(sum), v);
                    if (v == target)
                        limit = std::min(limit, sum);
                });
            if (!goes_on)
                return Found::stopped;
        }
        if (labels.has(target))
            return Found::path;
        return forward_.dropped || backward_.dropped ? Found::overflow : Found::nothing;
    }

    static D raised(D best, double margin) {
        if constexpr (std::is_floating_point_v<D>) {
            const double above = static_cast<double>(best) * margin;
            return above < static_cast<double>(largest_distance<D>)
                       ? std::nextafter(static_cast<D>(above), unreached<D>)
                       : largest_distance<D>;
        } else {
            return best;
        }
    }

    void append_path(Vertex source, Vertex target, std::vector<Vertex>& path) const {
        const auto begin = static_cast<std::ptrdiff_t>(path.size());
        Vertex v = target;
        for (; v != source; v = forward_.labels.parent(v))
            path.push_back(v);
        path.push_back(source);
        std::reverse(path.begin() + begin, path.end());
    }

    const WeightBounds<D> weights_;
    LocalSearch<W, D, true> forward_, backward_;
    SmallHeap<KeyOf<D>> queue_;
};

} // namespace pathfront
