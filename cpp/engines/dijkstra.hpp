// Dijkstra's algorithm, serial: the reference for distances and for work.
//
// The queue is a radix heap on the bits of the distance, which serves integers and non-negative IEEE numbers alike. An
// improved vertex is pushed again and its old entry is left behind; an entry is stale when its key is not the vertex's
// distance any more. Since a push happens only on a strict improvement, no (vertex, distance) pair is queued twice, and
// each vertex is settled once. A binary heap (core/binary_heap.hpp) can take the radix heap's place.
//
// A trace has a row for each block of vertices settled one after the other, so that it stays small. Its counts cost
// something, so a traced search is a function of its own.
#pragma once

#include <utility>
#include <vector>

#include "core/radix_heap.hpp"
#include "core/search.hpp"

namespace pathfront {

namespace detail {

// Calls take(head, sum) for the arcs [from, to) of a vertex at distance `here`, except where the sum is out of range;
// returns whether there was such a sum. If not `checked`, there can be none.
template <class W, class D, class Take>
[[gnu::always_inline]] inline bool for_sums(const Csr<W>& graph, D here, Offset from, Offset to, bool checked,
                                            Take&& take) {
    bool overflow = false;
    if (!checked) {
        for (Offset arc = from; arc < to; ++arc)
            take(graph.heads[arc], add(here, graph.weight(arc)));
    } else {
        for (Offset arc = from; arc < to; ++arc) {
            D sum;
            if (add_checked(here, graph.weight(arc), sum))
                take(graph.heads[arc], sum);
            else
                overflow = true;
        }
    }
    return overflow;
}

// The rows of a search that settles one vertex after the other. `near` is the closest vertex that waits, `far` are the
// others: the vertices that have a distance which is not final.
class SettlingTrace {
  public:
    SettlingTrace(Trace& trace, Vertex n) : trace_(trace), block_(n / most_rows + 1) {}

    std::uint64_t labelled = 0, discarded = 0; // so far

    void settle(double distance, Offset arcs) {
        if (row_.frontier == block_)
            end_row();
        if (row_.frontier == 0) {
            row_.low = distance;
            row_.near = 1;
            row_.far = labelled - settled_ - 1;
        }
        row_.high = distance;
        row_.edges_relaxed += static_cast<std::uint64_t>(arcs);
        ++row_.frontier;
        ++settled_;
    }

    // A row also counts the entries dropped after its last vertex.
    void end_row() {
        row_.labelled = labelled;
        row_.final = settled_;
        row_.discarded = discarded - discarded_before_;
        discarded_before_ = discarded;
        trace_.push_back(std::exchange(row_, TraceRow{}));
    }

  private:
    static constexpr Vertex most_rows = 2048;

    Trace& trace_;
    std::uint64_t block_; // vertices of a row
    std::uint64_t settled_ = 0, discarded_before_ = 0;
    TraceRow row_{};
};

struct NoTrace {};

template <class Queue, bool traced, class W, class D>
Outcome<D> dijkstra(const Csr<W>& graph, const Query<D>& query, D heaviest, Watch& watch) {
    Outcome<D> out;
    [[maybe_unused]] auto rows = [&] {
        if constexpr (traced)
            return SettlingTrace(*query.trace, graph.n);
        else
            return NoTrace{};
    }();
    D* const dist = query.dist;
    clear_answers(query, 0, graph.n);

    std::vector<bool> is_target(query.target_count > 0 ? graph.n : 0);
    std::int64_t targets_left = 0;
    for (std::int64_t i = 0; i < query.target_count; ++i) {
        targets_left += !is_target[query.targets[i]];
        is_target[query.targets[i]] = true;
    }

    // While `here` is at most this, no sum can leave the range of D, and the inner loop does not check for that.
    const D safe = safe_distance(heaviest);
    const bool always_check = heaviest > largest_distance<D>;
    D limit = query.cutoff;

    Queue queue;
    for_sources(query, [&](Vertex v) {
        dist[v] = 0;
        if constexpr (traced)
            ++rows.labelled;
        queue.push(to_key(D{0}), v);
    });

    auto improve = [&](Vertex u, Vertex v, D sum) {
        if (sum < dist[v] && sum <= limit) {
            if constexpr (traced)
                rows.labelled += dist[v] == unreached<D>;
            dist[v] = sum;
            if (query.parent)
                query.parent[v] = u;
            queue.push(to_key(sum), v);
        }
    };
    auto current = [&](const auto& entry) {
        const bool is = to_key(dist[entry.vertex]) == entry.key;
        if constexpr (traced)
            rows.discarded += !is;
        return is;
    };

    do {
        const D here = from_key<D>(queue.last());
        if (here > limit)
            break;
        const auto& level = queue.current();
        for (std::size_t i = 0; i < level.size(); ++i) { // grows while it is read: zero-weight arcs
            if (!current(level[i]))
                continue;
            const Vertex u = level[i].vertex;
            const Offset from = graph.offsets[u], to = graph.offsets[u + 1];
            if constexpr (traced)
                rows.settle(static_cast<double>(here), to - from);
            out.overflow |= detail::for_sums(graph, here, from, to, here > safe || always_check,
                                             [&](Vertex v, D sum) { improve(u, v, sum); });
            ++out.vertices_processed;
            out.edges_relaxed += static_cast<std::uint64_t>(to - from);
            if (targets_left > 0 && is_target[u] && --targets_left == 0)
                limit = here; // the rest of this distance is still settled, nothing beyond
            watch.tick(to - from + 1, static_cast<double>(out.vertices_processed) / graph.n);
        }
    } while (queue.advance(current));
    if constexpr (traced)
        rows.end_row();
    out.iterations = out.vertices_processed;
    return finish(graph, query, out, query.target_count > 0 && targets_left == 0);
}

} // namespace detail

// `Heap` is RadixHeap or BinaryHeap.
template <template <class> class Heap = RadixHeap, class W, class D>
Outcome<D> dijkstra(const Csr<W>& graph, const Query<D>& query, D heaviest, Watch& watch) {
    using Queue = Heap<KeyOf<D>>;
    return query.trace ? detail::dijkstra<Queue, true>(graph, query, heaviest, watch)
                       : detail::dijkstra<Queue, false>(graph, query, heaviest, watch);
}

} // namespace pathfront
