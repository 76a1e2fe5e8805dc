// A thread with a queue of its own: the worker of delta-stepping, for one thread and for a team.
//
// If light arcs come first (stages.hpp), the search goes along these alone up to a horizon. Before it goes on, the
// heavy arcs of the settled vertices must be relaxed over the horizon. There are three ways. Settled vertices are
// relaxed once more, along all arcs; or all arcs are scanned for the few that lead to an open vertex, one that is not
// settled; or, if every arc has an opposite, the open vertices pull.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/level_queue.hpp"
#include "engines/delta/task.hpp"
#include "relax/relax.hpp"

namespace pathfront {

template <class W, class D, Parents parents>
class DeltaWorker : public RelaxCore<W, D, parents, DeltaWorker<W, D, parents>> {
  public:
    using Base = RelaxCore<W, D, parents, DeltaWorker>;
    using typename Base::Item;
    using Bucket = Chunk<Item>;

    explicit DeltaWorker(const DeltaTask<W, D>& task) : Base(task) {}

    // Moves on to the next level, which must not be beyond the queue's next.
    void move_to(std::uint64_t level) {
        queue.move_to(level, task().leveling);
        this->level_end = task().leveling.end(level);
    }

    void push(D sum, Vertex v, Vertex u, bool keep) { queue.push(task().leveling(sum), Item(sum, v, u), keep); }

    // Relaxes the vertices of a chunk along the task's rows: see relax_chunk().
    template <Writers writers, class Between, class During>
    void relax(Bucket& chunk, Between&& between, During&& during) {
        taken += chunk.size;
        task().with_rows([&](const auto& rows) { this->template relax_chunk<writers>(rows, chunk, between, during); });
    }

    // Relaxes the vertices in [first, last) that are nearer than `settled` once more, along all of their arcs.
    template <Writers writers>
    void relax_again(Vertex first, Vertex last, D settled) {
        const Csr<W> graph = task().graph;
        std::size_t found = 0;
        for_some<writers>(
            first, last, [&](D dist) { return dist < settled; },
            [&](Vertex u) {
                const D here = load<writers>(task().query.dist + u);
                found = this->template scan_pieces<writers>(graph, u, here, graph.offsets[u], graph.offsets[u + 1],
                                                            found, [](Vertex, D, Offset, Offset&) {});
            });
        this->template apply<writers>(found);
    }

    // Relaxes the arcs of the settled vertices in [first, last) that lead to open ones, whose bits are set. All arcs
    // are scanned in one pass, those of open vertices too: nearly every arc needs only the head and its bit, which is
    // in the second-level cache.
    template <Writers writers>
    void relax_to_open(Vertex first, Vertex last, D settled, const std::uint64_t* open) {
        const Csr<W> graph = task().graph;
        const D* const dist = task().query.dist;
        auto is_open = [open](Vertex v) { return open[v / 64] >> v % 64 & 1; };
        const Offset end = graph.offsets[last];
        Offset arc = graph.offsets[first], of_open = 0;
        for (Vertex u = first; u < last; ++u)
            of_open += is_open(u) ? graph.offsets[u + 1] - graph.offsets[u] : 0;
        if (of_open > (end - arc) / 4 * 3)
            return relax_again<writers>(first, last, settled); // few vertices are settled
        constexpr std::size_t piece = 256;
        std::array<Offset, arcs_at_once> some;
        std::size_t found = 0;
        for (Vertex u = first; arc < end;) {
            std::size_t count = 0;
            while (arc < end && count <= some.size() - piece)
                for (const Offset to = std::min<Offset>(end, arc + piece); arc < to; ++arc) {
                    some[count] = arc;
                    count += is_open(graph.heads[arc]);
                }
            for (std::size_t i = 0; i < count; ++i) {
                prefetch(dist + graph.heads[some[i]]);
                if constexpr (!std::is_same_v<W, Hop>)
                    prefetch(graph.weights + some[i]);
            }
            for (std::size_t i = 0; i < count; ++i) {
                while (graph.offsets[u + 1] <= some[i])
                    ++u;
                const D here = load<writers>(dist + u);
                const D sum = here < settled ? add(here, graph.weight(some[i])) : unreached<D>;
                const Vertex v = graph.heads[some[i]];
                this->found_[found] = {sum, v};
                if constexpr (parents != Parents::none)
                    this->tails_[found] = u;
                found += sum < load<writers>(dist + v);
            }
            this->edges_relaxed += count;
            if (found >= enough_found) {
                this->template apply<writers>(found);
                found = 0;
            }
        }
        this->template apply<writers>(found);
    }

    // Lowers the open vertices in [first, last) by the arcs from their settled neighbours, which are nearer than
    // `settled`, if the sums are within the horizon. A vertex whose neighbours are all settled is final and not queued.
    // No other thread writes these vertices at the time.
    template <Writers writers>
    void pull(Vertex first, Vertex last, D settled, D horizon) {
        const Csr<W> graph = task().graph;
        D* const dist = task().query.dist;
        for_some<writers>(
            first, last, [&](D d) { return d >= settled; },
            [&](Vertex v) {
                D best = horizon;
                Vertex parent = no_vertex;
                bool all_settled = true;
                for (Offset arc = graph.offsets[v]; arc < graph.offsets[v + 1]; ++arc) {
                    const Vertex u = graph.heads[arc];
                    const D there = load<writers>(dist + u);
                    all_settled &= there < settled;
                    const D sum = there < settled ? add(there, graph.weight(arc)) : unreached<D>;
                    parent = sum < best ? u : parent;
                    best = sum < best ? sum : best;
                }
                this->edges_relaxed += static_cast<std::uint64_t>(graph.offsets[v + 1] - graph.offsets[v]);
                const bool reached = parent != no_vertex && best <= task().query.cutoff;
                store<writers>(dist + v, reached ? best : horizon);
                if (!reached)
                    return;
                if (parents == Parents::when_improved || (parents == Parents::when_settled && all_settled))
                    task().query.parent[v] = parent;
                this->vertices_processed += all_settled;
                taken += all_settled; // so that no entry seems to have been dropped
                if (!all_settled)
                    push(best, v, parent, true);
            });
    }

    ChunkPool<Item> pool;
    LevelQueue<Item> queue{pool};
    std::uint64_t taken = 0; // entries, stale ones among them

  private:
    // Not a second reference, which push() would have to load for every improvement.
    const DeltaTask<W, D>& task() const { return static_cast<const DeltaTask<W, D>&>(this->task_); }

    // Calls visit(v) for the vertices in [first, last) for whose distance is(dist) holds. Prefetches their arcs and the
    // distances of their first heads.
    template <Writers writers, class Is, class Visit>
    void for_some(Vertex first, Vertex last, Is&& is, Visit&& visit) {
        constexpr Vertex at_once = 1024, prefetched_heads = 4;
        const Csr<W> graph = task().graph;
        const D* const dist = task().query.dist;
        std::array<Vertex, at_once> some;
        for (; first < last; first += std::min(at_once, last - first)) {
            std::uint32_t count = 0;
            for (Vertex v = first; v < first + std::min(at_once, last - first); ++v) {
                some[count] = v;
                count += is(load<writers>(dist + v));
            }
            for (std::uint32_t i = 0; i < count; ++i) {
                if (i + ahead_vertex < count)
                    prefetch_arcs(graph, some[i + ahead_vertex]);
                if (i + ahead_arcs < count) {
                    const Offset from = graph.offsets[some[i + ahead_arcs]];
                    const Offset to =
                        std::min<Offset>(graph.offsets[some[i + ahead_arcs] + 1], from + prefetched_heads);
                    for (Offset arc = from; arc < to; ++arc)
                        prefetch(dist + graph.heads[arc]);
                }
                visit(some[i]);
            }
        }
    }
};

// What a trace counts besides the work, by passes over the distances: only if there is a trace.
template <class W, class D>
class LevelCounts {
  public:
    // Called before a level: all vertices in it or beyond it that have a distance wait in the queue.
    void begin(const DeltaTask<W, D>& task, std::uint64_t level, D horizon) {
        if (!task.query.trace)
            return;
        const D low = task.leveling.begin(level), end = task.leveling.end(level);
        near_ = count(task, [=](D dist) { return dist >= low && dist < end && dist < horizon; });
        far_ = count(task, [=](D dist) { return dist >= end && dist < horizon; });
    }

    // Called after it, with the totals of the search: completes its row.
    void finish(const DeltaTask<W, D>& task, D end, D horizon, std::uint64_t vertices, std::uint64_t taken,
                TraceRow& row) {
        row.delta = task.leveling.width();
        row.near = std::exchange(near_, 0);
        row.far = std::exchange(far_, 0);
        row.labelled = count(task, [=](D dist) { return dist < horizon; });
        row.final = count(task, [=](D dist) { return dist < end && dist < horizon; });
        row.discarded = taken - vertices - std::exchange(discarded_, taken - vertices);
    }

  private:
    template <class Is>
    static std::uint64_t count(const DeltaTask<W, D>& task, Is&& is) {
        return static_cast<std::uint64_t>(std::count_if(task.query.dist, task.query.dist + task.graph.n, is));
    }

    std::uint64_t near_ = 0, far_ = 0, discarded_ = 0;
};

// Counts a level that is done, or was left, given the totals of the search so far, and adds its row to the trace.
template <class W, class D>
void count_level(const DeltaTask<W, D>& task, std::uint64_t level, D horizon, std::uint64_t vertices,
                 std::uint64_t edges, std::uint64_t taken, LevelCounts<W, D>& counts, Outcome<D>& out,
                 bool done = true) {
    if (vertices == out.vertices_processed)
        return; // nothing but stale entries
    if (task.query.trace) {
        const double low = static_cast<double>(level) * task.leveling.width();
        TraceRow row{vertices - out.vertices_processed, edges - out.edges_relaxed, low, low + task.leveling.width()};
        counts.finish(task, done ? task.leveling.end(level) : task.leveling.begin(level), horizon, vertices, taken,
                      row);
        task.query.trace->push_back(row);
    }
    ++out.iterations;
    out.vertices_processed = vertices;
    out.edges_relaxed = edges;
}

// Counts the work after the last level, on vertices from `low` on that were never queued.
template <class W, class D>
void count_rest(const DeltaTask<W, D>& task, D low, std::uint64_t vertices, std::uint64_t edges, std::uint64_t taken,
                LevelCounts<W, D>& counts, Outcome<D>& out) {
    if (vertices == out.vertices_processed && edges == out.edges_relaxed)
        return;
    if (task.query.trace) {
        D high = low;
        for (Vertex v = 0; v < task.graph.n; ++v)
            high = std::max(high, task.query.dist[v] == unreached<D> ? low : task.query.dist[v]);
        TraceRow row{vertices - out.vertices_processed, edges - out.edges_relaxed, static_cast<double>(low),
                     static_cast<double>(high)};
        counts.finish(task, unreached<D>, unreached<D>, vertices, taken, row);
        task.query.trace->push_back(row);
    }
    ++out.iterations;
    out.vertices_processed = vertices;
    out.edges_relaxed = edges;
}

// Removes targets from the end of a list as long as they are final: nearer than the horizon, at or below a level that
// is done. Returns whether none is left.
template <class W, class D>
bool all_final(std::vector<Vertex>& targets, const DeltaTask<W, D>& task, std::uint64_t level, D horizon) {
    while (!targets.empty()) {
        const D dist = task.query.dist[targets.back()];
        if (dist >= horizon || task.leveling(dist) > level)
            return false;
        targets.pop_back();
    }
    return true;
}

} // namespace pathfront
