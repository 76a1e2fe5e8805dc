// Searches from many sources, each on one thread, into rows of a matrix: distances as doubles, infinite where there is
// no path, and predecessors as signed integers with a marker of the caller's.
//
// With more sources than threads this is faster than several threads for each search: searches share only the graph.
// A thread searches in arrays of its own, unless distances are doubles, and converts them while they are in its cache.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/jobs.hpp"
#include "core/search.hpp"

namespace pathfront {

// What is searched, and where the answers go: row i holds those of sources[i].
struct Rows {
    std::int64_t count;
    std::int64_t width; // of a row: the number of vertices
    const Vertex* sources;
    double* dist;
    std::int32_t* parent; // null when not wanted
    std::int32_t none;    // the predecessor of a vertex that has none
};

template <class D>
double as_double(D dist) {
    return dist == unreached<D> ? std::numeric_limits<double>::infinity() : static_cast<double>(dist);
}

// Replaces no_vertex by the marker, in place.
inline void mark_missing(Vertex* parent, std::int64_t n, std::int32_t none) {
    for (std::int64_t v = 0; v < n; ++v)
        parent[v] = parent[v] == no_vertex ? static_cast<Vertex>(none) : parent[v];
}

// Fills rows with search(query, watch), which returns an Outcome; the query's own source and arrays are ignored.
// Returns false if some distance does not fit D: nothing in the rows is an answer then. A double beyond the range is
// infinite, like that of a missing path.
template <class D, class Search>
bool search_rows(const Rows& rows, const Query<D>& common, unsigned threads, Watch& watch, Search&& search) {
    struct Stopped {};  // a search is not wanted any more
    struct TooLarge {}; // a distance does not fit
    constexpr bool direct = std::is_same_v<D, double>;
    constexpr std::int64_t between_beats = 1 << 14; // arcs
    std::vector<std::vector<D>> own(threads);
    try {
        for_jobs(threads, rows.count, 1, watch, [&](unsigned id, std::int64_t i, std::int64_t, Pulse& pulse) {
            Watch follower(
                [&](double) {
                    if (!pulse.beat(between_beats))
                        throw Stopped{};
                },
                std::chrono::milliseconds(0), between_beats);
            double* const dist = rows.dist + i * rows.width;
            Query<D> query = common;
            query.source = rows.sources[i];
            if constexpr (direct) {
                query.dist = dist;
            } else {
                own[id].resize(static_cast<std::size_t>(rows.width));
                query.dist = own[id].data();
            }
            // an object may be accessed as the unsigned type that corresponds to its own
            query.parent = rows.parent ? reinterpret_cast<Vertex*>(rows.parent + i * rows.width) : nullptr;
            try {
                if (search(query, follower).overflow && !direct)
                    throw TooLarge{};
            } catch (const Stopped&) {
                return;
            }
            if constexpr (!direct)
                std::transform(own[id].begin(), own[id].end(), dist, as_double<D>);
            if (query.parent)
                mark_missing(query.parent, rows.width, rows.none);
            pulse.beat(rows.width);
        });
    } catch (const TooLarge&) {
        return false;
    }
    return true;
}

} // namespace pathfront
