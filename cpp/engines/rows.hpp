// Searches from many sources, each on one thread, into rows of a matrix: distances as doubles, infinite where there is
// no path, and predecessors as signed integers with a marker of the caller's.
//
// With more sources than threads this is faster than several threads for each search: searches share only the graph.
// A thread searches in arrays of its own, unless distances are doubles, and converts them while they are in its cache.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/search.hpp"
#include "core/thread_pool.hpp"

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
    struct Stopped {};
    std::atomic<std::int64_t> next{0};
    std::atomic<bool> stop{false}, fits{true};
    auto work = [&](unsigned id) {
        std::vector<D> own(std::is_same_v<D, double> ? 0 : static_cast<std::size_t>(rows.width));
        // only the calling thread may call back; the others stop when it does
        Watch follower([&](double) {
            if (stop.load(std::memory_order_relaxed))
                throw Stopped{};
        });
        Query<D> query = common;
        for (std::int64_t i; !stop.load(std::memory_order_relaxed) &&
                             (i = next.fetch_add(1, std::memory_order_relaxed)) < rows.count;) {
            double* const dist = rows.dist + i * rows.width;
            query.source = rows.sources[i];
            if constexpr (std::is_same_v<D, double>)
                query.dist = dist;
            else
                query.dist = own.data();
            // an object may be accessed as the unsigned type that corresponds to its own
            query.parent = rows.parent ? reinterpret_cast<Vertex*>(rows.parent + i * rows.width) : nullptr;
            if (search(query, id == 0 ? watch : follower).overflow && !std::is_same_v<D, double>) {
                fits = false;
                stop = true;
                return;
            }
            if constexpr (!std::is_same_v<D, double>)
                std::transform(own.begin(), own.end(), dist, as_double<D>);
            if (query.parent)
                mark_missing(query.parent, rows.width, rows.none);
            (id == 0 ? watch : follower).tick(rows.width, static_cast<double>(i) / static_cast<double>(rows.count));
        }
    };
    ThreadTeam team(threads - 1);
    team.run([&](unsigned id) {
        try {
            work(id);
        } catch (const Stopped&) { // another thread failed
        } catch (...) {
            stop = true;
            throw;
        }
    });
    return fits;
}

} // namespace pathfront
