// Dijkstra's algorithm, serial: the reference for distances and for work.
//
// The queue is a radix heap on the bits of the distance, which serves integers and non-negative IEEE numbers alike. An
// improved vertex is pushed again and its old entry is left behind; an entry is stale when its key is not the vertex's
// distance any more. Since a push happens only on a strict improvement, no (vertex, distance) pair is queued twice, and
// each vertex is settled once.
#pragma once

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

} // namespace detail

template <class W, class D>
Outcome<D> dijkstra(const Csr<W>& graph, const Query<D>& query, D heaviest, Watch& watch) {
    Outcome<D> out;
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

    RadixHeap<KeyOf<D>> queue;
    for_sources(query, [&](Vertex v) {
        dist[v] = 0;
        queue.push(to_key(D{0}), v);
    });

    auto improve = [&](Vertex u, Vertex v, D sum) {
        if (sum < dist[v] && sum <= limit) {
            dist[v] = sum;
            if (query.parent)
                query.parent[v] = u;
            queue.push(to_key(sum), v);
        }
    };
    auto current = [&](const auto& entry) { return to_key(dist[entry.vertex]) == entry.key; };

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
            out.overflow |= detail::for_sums(graph, here, from, to, here > safe || always_check,
                                             [&](Vertex v, D sum) { improve(u, v, sum); });
            ++out.vertices_processed;
            out.edges_relaxed += static_cast<std::uint64_t>(to - from);
            if (query.trace)
                query.trace->push_back(
                    {1, static_cast<std::uint64_t>(to - from), static_cast<double>(here), static_cast<double>(here)});
            if (targets_left > 0 && is_target[u] && --targets_left == 0)
                limit = here; // the rest of this distance is still settled, nothing beyond
            watch.tick(to - from + 1, static_cast<double>(out.vertices_processed) / graph.n);
        }
    } while (queue.advance(current));
    out.iterations = out.vertices_processed;
    return finish(graph, query, out, query.target_count > 0 && targets_left == 0);
}

} // namespace pathfront
