// The k nearest of several sources for each vertex: Dijkstra's algorithm with k labels a vertex.
//
// A label is a source and its distance. Each vertex keeps its best labels in order, by distance and then by the rank of
// the source (its place among the sources), at most one of each source. Labels are settled in that order: the queue
// gives the distances in order, and the labels of one distance are settled by rank. So a vertex settles at most k
// labels, the first ones of its list, and a label that is dropped from a full list need not be searched further: k
// sources are nearer to everything behind it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/radix_heap.hpp"
#include "engines/dijkstra.hpp"

namespace pathfront {

template <class D>
struct NearestQuery {
    const Vertex* sources; // different from each other; the rank of a source is its index
    std::int64_t count;
    std::int64_t k; // entries of a vertex in each of the arrays, to be filled; those behind `count` stay empty
    D* dist;
    Vertex* rank;
    Vertex* parent = nullptr; // null when not wanted
    D cutoff = largest_distance<D>;
    bool has_cutoff = false;
};

namespace detail {

template <class D>
class Labels {
  public:
    Labels(const NearestQuery<D>& query, Vertex n, Watch& watch)
        : query_(query), slots_(std::min(query.k, query.count)), settled_(n) {
        constexpr std::int64_t block = 1 << 16;
        const std::int64_t total = query.k * n;
        for (std::int64_t from = 0; from < total; from += block) {
            const std::int64_t size = std::min(block, total - from);
            std::fill_n(query.dist + from, size, unreached<D>);
            std::fill_n(query.rank + from, size, no_vertex);
            if (query.parent)
                std::fill_n(query.parent + from, size, no_vertex);
            watch.tick(size);
        }
    }

    // Adds a label unless it is no improvement: the vertex has one of the same source that is as near, or enough better
    // ones. Settled labels are better than any that are added later, so they stay where they are.
    bool add(Vertex v, D dist, Vertex rank, Vertex parent) {
        D* const d = query_.dist + v * query_.k;
        Vertex* const r = query_.rank + v * query_.k;
        Vertex* const p = query_.parent ? query_.parent + v * query_.k : nullptr;
        std::int64_t slot = slots_ - 1;
        if (!before(dist, rank, d[slot], r[slot]))
            return false;
        for (std::int64_t i = 0; i < slots_; ++i)
            if (r[i] == rank) {
                if (d[i] <= dist)
                    return false;
                slot = i; // its label is replaced
                break;
            }
        for (; slot > 0 && before(dist, rank, d[slot - 1], r[slot - 1]); --slot) {
            d[slot] = d[slot - 1];
            r[slot] = r[slot - 1];
            if (p)
                p[slot] = p[slot - 1];
        }
        d[slot] = dist;
        r[slot] = rank;
        if (p)
            p[slot] = parent;
        return true;
    }

    // Settles this label if it is the vertex's next one; false if it has been settled or dropped.
    bool settle(Vertex v, D dist, Vertex rank) {
        const std::int64_t at = v * query_.k + settled_[v];
        if (settled_[v] == slots_ || query_.dist[at] != dist || query_.rank[at] != rank)
            return false;
        ++settled_[v];
        return true;
    }

    // Calls take(rank) for the vertex's labels of a distance that are not settled.
    template <class Take>
    void for_waiting(Vertex v, D dist, Take&& take) const {
        const std::int64_t row = v * query_.k;
        for (std::int64_t i = settled_[v]; i < slots_ && query_.dist[row + i] == dist; ++i)
            take(query_.rank[row + i]);
    }

    // False if none of the vertex's labels that are not settled can have this distance.
    bool may_wait(Vertex v, D dist) const {
        return settled_[v] < slots_ && dist <= query_.dist[v * query_.k + slots_ - 1];
    }

    // Whether a label of this source would be one of the vertex's however far it is.
    bool lacks(Vertex v, Vertex rank) const {
        const Vertex* const r = query_.rank + v * query_.k;
        return r[slots_ - 1] == no_vertex && std::find(r, r + slots_, rank) == r + slots_;
    }

    template <class Take>
    void for_labels(Vertex v, Take&& take) const {
        const std::int64_t row = v * query_.k;
        for (std::int64_t i = 0; i < slots_ && query_.rank[row + i] != no_vertex; ++i)
            take(query_.dist[row + i], query_.rank[row + i]);
    }

  private:
    static bool before(D dist, Vertex rank, D other_dist, Vertex other_rank) {
        return dist < other_dist || (dist == other_dist && rank < other_rank);
    }

    const NearestQuery<D>& query_;
    const std::int64_t slots_;
    std::vector<Vertex> settled_; // labels of each vertex that are settled
};

// As `truly_overflowed`: a sum out of range matters if it would have been a label.
template <class W, class D>
bool labels_overflowed(const Csr<W>& graph, const Labels<D>& labels, Watch& watch) {
    bool found = false;
    for (Vertex u = 0; u < graph.n && !found; ++u) {
        labels.for_labels(u, [&](D dist, Vertex rank) {
            for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1] && !found; ++arc) {
                D sum;
                found = !add_checked(dist, graph.weight(arc), sum) && labels.lacks(graph.heads[arc], rank);
            }
            watch.tick(graph.offsets[u + 1] - graph.offsets[u] + 1);
        });
    }
    return found;
}

} // namespace detail

// Fills the query's arrays; false if some distance does not fit D.
template <class W, class D>
bool k_nearest(const Csr<W>& graph, const NearestQuery<D>& query, D heaviest, Watch& watch) {
    detail::Labels<D> labels(query, graph.n, watch);
    const D safe = safe_distance(heaviest);
    const bool always_check = heaviest > largest_distance<D>;
    const auto work = static_cast<double>(std::min(query.k, query.count)) * graph.n;
    bool overflow = false;
    std::int64_t settled = 0;

    // The queue holds vertices that have a label of the key's distance; which ones is read from the vertex.
    RadixHeap<KeyOf<D>> queue;
    for (std::int64_t i = 0; i < query.count; ++i) {
        labels.add(query.sources[i], 0, static_cast<Vertex>(i), no_vertex);
        queue.push(to_key(D{0}), query.sources[i]);
    }
    const auto wanted = [&](const auto& entry) { return labels.may_wait(entry.vertex, from_key<D>(entry.key)); };
    std::vector<std::pair<Vertex, Vertex>> level; // (rank, vertex) of this distance
    std::vector<Vertex> same;                     // found at this distance, of the rank that is being settled

    do {
        const D here = from_key<D>(queue.last());
        level.clear();
        for (const auto& entry : queue.current())
            labels.for_waiting(entry.vertex, here, [&](Vertex rank) { level.emplace_back(rank, entry.vertex); });
        std::sort(level.begin(), level.end());
        for (const auto& [rank, first] : level)
            for (same.assign(1, first); !same.empty();) {
                const Vertex u = same.back();
                same.pop_back();
                if (!labels.settle(u, here, rank))
                    continue;
                const Offset from = graph.offsets[u], to = graph.offsets[u + 1];
                overflow |= detail::for_sums(graph, here, from, to, here > safe || always_check,
                                             [&, rank = rank](Vertex v, D sum) {
                                                 if (sum > query.cutoff || !labels.add(v, sum, rank, u))
                                                     return;
                                                 if (sum == here)
                                                     same.push_back(v);
                                                 else
                                                     queue.push(to_key(sum), v);
                                             });
                watch.tick(to - from + 1, static_cast<double>(++settled) / work);
            }
    } while (queue.advance(wanted));
    return !(overflow && !query.has_cutoff && detail::labels_overflowed(graph, labels, watch));
}

} // namespace pathfront
