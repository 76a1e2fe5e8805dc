// A search that settles vertices one by one, nearest first, and remembers the order: Dijkstra's algorithm, or
// breadth-first search where every arc is one hop. On the way it counts the shortest paths to every vertex.
//
// An arc u->v is tight if it ends a shortest path to v. With positive weights v is then farther than u, so the tight
// arcs form no cycle, and the number of paths to v is final when v is settled. A floating-point weight may be so small
// that adding it changes nothing; then v counts as behind u if it is settled later.
//
// Predecessors are not stored: who needs them goes through the order backwards and finds the tight arcs again, which
// takes one comparison per arc and no memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/radix_heap.hpp"
#include "core/search.hpp"
#include "engines/dijkstra.hpp"

namespace pathfront {

struct NoCount {}; // in place of a floating-point type: paths are not counted

template <class W, class D, class Count>
class SettlingSearch {
    static constexpr bool counts = !std::is_same_v<Count, NoCount>;
    static constexpr bool hops = std::is_same_v<W, Hop>;
    static constexpr bool absorbs = counts && std::is_floating_point_v<D>; // a sum may equal one of its terms

  public:
    SettlingSearch(const Csr<W>& graph, D heaviest)
        : graph_(graph), heaviest_(heaviest), dist_(graph.n, unreached<D>), count_(counts ? graph.n : 0),
          place_(absorbs ? graph.n : 0) {}

    // Calls tick(arcs) after each vertex.
    template <class Tick>
    void run(Vertex source, Tick&& tick) {
        for (const Vertex v : order_) {
            dist_[v] = unreached<D>;
            if constexpr (counts)
                count_[v] = 0;
        }
        order_.clear();
        source_ = source;
        overflow_ = false;
        dist_[source] = 0;
        if constexpr (counts)
            count_[source] = 1;
        if constexpr (hops)
            breadth_first(tick);
        else
            dijkstra(tick);
    }

    const std::vector<Vertex>& order() const { return order_; } // the vertices that were reached, nearest first
    D dist(Vertex v) const { return dist_[v]; }

    // The number of shortest paths from the source; 0 for vertices that were not reached. May be overwritten.
    Count& count(Vertex v) { return count_[v]; }

    bool tight(Vertex u, Offset arc) const {
        const Vertex v = graph_.heads[arc];
        if constexpr (std::is_floating_point_v<D>) {
            if (add(dist_[u], graph_.weight(arc)) != dist_[v])
                return false;
            if constexpr (absorbs)
                return dist_[u] < dist_[v] || (dist_[v] < unreached<D> && place_[u] < place_[v]);
            else
                return true;
        } else {
            // by a difference, because a sum may be out of range
            const D weight = static_cast<D>(graph_.weight(arc));
            return weight <= dist_[v] && dist_[v] - weight == dist_[u];
        }
    }

    // Whether a distance does not fit D; the other answers are meaningless then.
    bool overflow() {
        Query<D> query{.source = source_, .dist = dist_.data()};
        return overflow_ && truly_overflowed(graph_, query);
    }

  private:
    template <class Tick>
    void breadth_first(Tick&& tick) {
        order_.push_back(source_);
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const Vertex u = order_[i];
            const D next = static_cast<D>(dist_[u] + 1);
            const Offset from = graph_.offsets[u], to = graph_.offsets[u + 1];
            for (Offset arc = from; arc < to; ++arc) {
                const Vertex v = graph_.heads[arc];
                if (dist_[v] == unreached<D>) {
                    dist_[v] = next;
                    order_.push_back(v);
                }
                if constexpr (counts)
                    if (dist_[v] == next)
                        count_[v] += count_[u];
            }
            tick(to - from + 1);
        }
    }

    template <class Tick>
    void dijkstra(Tick&& tick) {
        const D safe = safe_distance(heaviest_);
        const bool always_check = heaviest_ > largest_distance<D>;
        RadixHeap<KeyOf<D>> queue;
        queue.push(to_key(D{0}), source_);
        auto current = [&](const auto& entry) { return to_key(dist_[entry.vertex]) == entry.key; };
        do {
            const D here = from_key<D>(queue.last());
            const auto& level = queue.current();
            for (std::size_t i = 0; i < level.size(); ++i) { // grows while it is read: weights that add nothing
                const Vertex u = level[i].vertex;
                if (!current(level[i]))
                    continue;
                if constexpr (absorbs)
                    place_[u] = static_cast<Vertex>(order_.size());
                order_.push_back(u);
                const Offset from = graph_.offsets[u], to = graph_.offsets[u + 1];
                overflow_ |= detail::for_sums(graph_, here, from, to, here > safe || always_check,
                                              [&](Vertex v, D sum) { relax(u, here, v, sum, queue); });
                tick(to - from + 1);
            }
        } while (queue.advance(current));
    }

    void relax(Vertex u, D here, Vertex v, D sum, RadixHeap<KeyOf<D>>& queue) {
        if (sum < dist_[v]) {
            dist_[v] = sum;
            if constexpr (counts)
                count_[v] = count_[u];
            if constexpr (absorbs)
                place_[v] = no_vertex; // not settled
            queue.push(to_key(sum), v);
        } else if constexpr (counts) {
            if (sum == dist_[v] && (!absorbs || here < sum || place_[v] == no_vertex))
                count_[v] += count_[u];
        }
    }

    const Csr<W>& graph_;
    const D heaviest_;
    Vertex source_ = no_vertex;
    std::vector<D> dist_;
    std::vector<Count> count_;
    std::vector<Vertex> place_; // of a settled vertex, in the order
    std::vector<Vertex> order_;
    bool overflow_ = false; // some sum was dropped
};

} // namespace pathfront
