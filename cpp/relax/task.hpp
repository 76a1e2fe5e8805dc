// What the threads of a search share, and what waits in their queues.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/level.hpp"
#include "core/prefetch.hpp"
#include "core/search.hpp"
#include "relax/scan.hpp"

namespace pathfront {

inline constexpr Offset least_arcs_for_eight = 5; // of a vertex, on average, to be looked at eight at once

// When parents are written. With the improvement, always right, also among threads; or when the vertex is taken out of
// the queue, from its entry: one write for each vertex instead of one for each improvement, at a time when the vertex
// is at hand anyway. Among threads an old entry's write could come after a newer one's.
enum class Parents { none, when_improved, when_settled };

// A vertex in the queue, at the distance it had when it was put there.
template <class D, Parents parents>
struct Entry {
    D dist;
    Vertex vertex;
};
template <class D>
struct Entry<D, Parents::when_settled> {
    D dist;
    Vertex vertex, parent;
};

// What a search knows besides its queue.
template <class W, class D>
struct Task {
    const Csr<W>& graph;
    // The arcs along which a vertex is relaxed when it is taken out of the queue: all, or the light ones; and instead
    // of these, if there are any, the same in packed rows.
    Csr<W> rows;
    PackedRows packed_rows;
    const Query<D>& query;
    Leveling<D> leveling;
    bool adaptive;    // the width of the buckets may change during the search
    D safe;           // up to here no sum can leave the range of D
    bool always_look; // even the first sum may
    // A bit for each vertex, set where there is no need to go on (graph/dead_ends.hpp), or null: then one goes on
    // always.
    const std::uint64_t* dead_ends = nullptr;
    bool eight_at_once; // whether rows are long enough for that, and the processor can do it: see finding.hpp
    // Where light arcs come first (stages.hpp): these arcs, packed or not, and what they weigh at most.
    Csr<W> light{};
    PackedRows packed_light;
    D heaviest_light = 0;
    bool undirected = false; // every arc has its opposite, of the same weight

    Task(const Csr<W>& g, const Query<D>& q, D heaviest, int exponent, bool adapts)
        : graph(g), rows(g), query(q), leveling(exponent), adaptive(adapts), safe(safe_distance(heaviest)),
          always_look(heaviest > largest_distance<D>) {
        go_along(g);
    }

    bool is_dead_end(Vertex v) const { return dead_ends && (dead_ends[v / 64] >> v % 64 & 1); }

    // From now on vertices are relaxed along these arcs, or along the packed ones, if there are any.
    void go_along(const Csr<W>& arcs, const PackedRows& packed = {}) {
        rows = arcs;
        packed_rows = packed;
        const Offset m = with_rows([](const auto& any) { return any.m(); });
        eight_at_once = m >= least_arcs_for_eight * Offset{graph.n} && can_find_eight_at_once(graph.n);
    }

    // Calls use(rows) with those along which vertices are relaxed.
    template <class Use>
    decltype(auto) with_rows(Use&& use) const {
        if constexpr (std::is_integral_v<W>)
            if (packed_rows.arcs)
                return use(packed_rows);
        return use(rows);
    }

    void prefetch_row(Vertex v) const {
        with_rows([v](const auto& any) { prefetch(any.offsets + v); });
    }

    template <Parents parents>
    std::uint64_t operator()(const Entry<D, parents>& entry) const {
        return leveling(entry.dist);
    }
};

} // namespace pathfront
