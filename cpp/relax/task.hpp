// The inputs of a search: the arcs, the query, and which sums can overflow.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/prefetch.hpp"
#include "core/search.hpp"
#include "relax/scan.hpp"

namespace pathfront {

inline constexpr Offset vector_scan_degree = 5; // mean degree from which the vector scan is faster

template <class W, class D>
struct Task {
    Csr<W> graph;
    // The arcs along which vertices are relaxed: all arcs or the light ones, in packed rows if there are any.
    Csr<W> rows;
    PackedRows packed_rows;
    Query<D> query;
    D safe;             // up to here no sum can leave the range of D
    bool always_check;  // every sum may leave it, or weights are negative
    bool vector_scan;   // rows are long enough for the vector scan, and it is faster on this processor
    bool swaps = false; // with Writers::racing: by compare-and-swap after all, so that parents close no cycle
    // A bit for each vertex, set for dead ends (graph/dead_ends.hpp): these are not queued. Null if there are none.
    const std::uint64_t* dead_ends = nullptr;

    Task(const Csr<W>& g, const Query<D>& q, D heaviest, bool negative = false)
        : graph(g), query(q), safe(safe_distance(heaviest)), always_check(negative || heaviest > largest_distance<D>) {
        relax_along(g);
    }

    // Whether sums from this distance have to be checked for overflow.
    bool checks(D here) const { return here > safe || always_check; }

    bool is_dead_end(Vertex v) const { return dead_ends && (dead_ends[v / 64] >> v % 64 & 1); }

    // From now on vertices are relaxed along these arcs, or along the packed ones if there are any.
    void relax_along(const Csr<W>& arcs, const PackedRows& packed = {}) {
        rows = arcs;
        packed_rows = packed;
        const Offset m = with_rows([](const auto& any) { return any.m(); });
        vector_scan =
            m >= vector_scan_degree * Offset{graph.n} && can_scan_vectors(graph.n) && prefers_vectors(graph.n);
    }

    // Calls use(rows) with the rows along which vertices are relaxed.
    template <class Use>
    decltype(auto) with_rows(Use&& use) const {
        if constexpr (std::is_integral_v<W>)
            if (packed_rows.arcs)
                return use(packed_rows);
        return use(rows);
    }

    void prefetch_offsets(Vertex v) const {
        with_rows([v](const auto& any) { prefetch(any.offsets + v); });
    }
};

} // namespace pathfront
