// The query and the outcome of every search engine.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/csr.hpp"
#include "core/distance.hpp"
#include "core/watch.hpp"

namespace pathfront {

// One row per iteration, if a trace is wanted; `pathfront/problem.py` defines the columns.
struct TraceRow {
    static constexpr std::uint64_t unknown = ~std::uint64_t{0}; // a count that an engine does not know, in no row

    std::uint64_t frontier = 0; // vertices processed in this iteration
    std::uint64_t edges_relaxed = 0;
    double low = 0, high = 0;                                // the distance window of the frontier
    double delta = std::numeric_limits<double>::quiet_NaN(); // of methods that have one
    std::uint64_t near = unknown, far = unknown;             // vertices that wait, at the start
    std::uint64_t labelled = unknown, final = unknown; // vertices that have a distance, and a final one, at the end
    std::uint64_t discarded = unknown;                 // stale and duplicate entries dropped
    double seconds = 0;                                // at the end, since the search began: filled in by Trace
};

// The rows of a search.
class Trace {
  public:
    // Adds a row that ends now.
    void push_back(TraceRow row) {
        row.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
        rows_.push_back(row);
    }

    const std::vector<TraceRow>& rows() const { return rows_; }

  private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point began_ = Clock::now();
    std::vector<TraceRow> rows_;
};

template <class D>
struct Query {
    Vertex source;
    const Vertex* others = nullptr; // further sources, at distance 0 like the first
    std::int64_t other_count = 0;
    D cutoff = largest_distance<D>;  // nothing farther is explored
    bool has_cutoff = false;         // one was given, perhaps that
    const Vertex* targets = nullptr; // stop when all of these are final
    std::int64_t target_count = 0;
    D* dist;                  // n, filled by the engine
    Vertex* parent = nullptr; // n, or null when not wanted
    Trace* trace = nullptr;
};

template <class D>
struct Outcome {
    std::uint64_t iterations = 0;
    std::uint64_t vertices_processed = 0;
    std::uint64_t edges_relaxed = 0;
    unsigned threads = 0;        // threads that relaxed an arc; 0 if there was only one thread
    bool overflow = false;       // some sum left the range of D: see truly_overflowed
    D radius = unreached<D>;     // answers are complete up to here; unreached: all of them are
    double width = 0;            // of the last bucket, for methods with buckets
    Vertex on_cycle = no_vertex; // a vertex on a negative cycle; the parents lead around it
};

// Clears the answers of the vertices [from, to): their distances become `beyond`.
template <class D>
void clear_answers(const Query<D>& query, std::uint64_t from, std::uint64_t to, D beyond = unreached<D>) {
    std::fill(query.dist + from, query.dist + to, beyond);
    if (query.parent)
        std::fill(query.parent + from, query.parent + to, no_vertex);
}

// Calls take(v) for every source once.
template <class D, class Take>
void for_sources(const Query<D>& query, Take&& take) {
    take(query.source);
    for (std::int64_t i = 0; i < query.other_count; ++i)
        take(query.others[i]);
}

template <class D>
bool all_targets_reached(const Query<D>& query) {
    return query.target_count > 0 && std::all_of(query.targets, query.targets + query.target_count,
                                                 [&](Vertex v) { return query.dist[v] != unreached<D>; });
}

// A dropped sum matters only if it would have been the head's distance: because no other path reached the head, or
// because the sum was below the range. Whether the result must be widened thus depends on the graph alone, never on the
// order in which a method relaxed it.
template <class W, class D>
bool truly_overflowed(const Csr<W>& graph, const Query<D>& query) {
    for (Vertex u = 0; u < graph.n; ++u) {
        if (query.dist[u] == unreached<D>)
            continue;
        for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc) {
            D sum;
            const bool fits = add_checked(query.dist[u], graph.weight(arc), sum);
            if (!fits && (query.dist[graph.heads[arc]] == unreached<D> || query.dist[u] < 0))
                return true;
        }
    }
    return false;
}

// Up to this distance no sum can leave the range of D. Halved for floats, so that rounding plays no part.
template <class D>
D safe_distance(D heaviest) {
    const D room = heaviest <= largest_distance<D> ? largest_distance<D> - heaviest : D{0};
    return std::is_floating_point_v<D> ? room / 2 : room;
}

// The last steps of every search: sets the radius, clears the answers beyond it, and checks whether a sum overflowed.
template <class W, class D>
Outcome<D> finish(const Csr<W>& graph, const Query<D>& query, Outcome<D> out, bool targets_final) {
    if (targets_final) {
        D farthest = 0;
        for (std::int64_t i = 0; i < query.target_count; ++i)
            farthest = std::max(farthest, query.dist[query.targets[i]]);
        out.radius = farthest;
        for (Vertex v = 0; v < graph.n; ++v)
            if (query.dist[v] > farthest) // it may not be final
                clear_answers(query, v, std::uint64_t{v} + 1);
    } else if (query.has_cutoff) {
        out.radius = query.cutoff;
    }
    out.overflow = out.overflow && out.radius == unreached<D> && truly_overflowed(graph, query);
    return out;
}

} // namespace pathfront
