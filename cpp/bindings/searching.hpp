// What the bindings of all search engines share: the answer, and how a call becomes a typed search.
#pragma once

#include "bindings/arrays.hpp"
#include "bindings/watching.hpp"
#include "core/search.hpp"

namespace pathfront {

using namespace nb::literals;

// What an engine says of its run; the distances are in the array it was given.
struct Answer {
    std::uint64_t iterations, vertices_processed, edges_relaxed;
    bool overflow;
    nb::object radius; // None: complete
    std::int64_t on_cycle;
    int exponent;     // of the width of the last bucket, where there are any
    nb::object trace; // None, or rows x 4 doubles, flat
};

// Runs search(graph, query, watch) with the types that the arrays have.
template <class Search>
Answer run_search(const In<Offset>& offsets, const In<Vertex>& heads, const std::optional<AnyIn>& weights,
                  Vertex source, const AnyOut& dist, const std::optional<Out<Vertex>>& parent, const nb::object& cutoff,
                  const std::optional<In<Vertex>>& targets, bool trace, const Progress& progress,
                  const std::optional<In<Vertex>>& others, Search&& search) {
    const std::size_t n = offsets.size() - 1;
    require(source < n && dist.size() == n && (!parent || parent->size() == n), "arrays of n entries expected");
    Answer answer;
    Watch watch = python_watch(progress);
    std::vector<TraceRow> rows;
    with_weights_and_distance(weights, dist, [&]<class W, class D>(const W* typed_weights, D* typed_dist) {
        const Csr<W> graph = csr(offsets, heads, typed_weights);
        Query<D> query{.source = source, .dist = typed_dist};
        if (!cutoff.is_none())
            query.cutoff = nb::cast<D>(cutoff);
        if (targets) {
            query.targets = targets->data();
            query.target_count = static_cast<std::int64_t>(targets->size());
        }
        if (others) {
            query.others = others->data();
            query.other_count = static_cast<std::int64_t>(others->size());
        }
        if (parent)
            query.parent = parent->data();
        if (trace)
            query.trace = &rows;
        Outcome<D> out;
        {
            nb::gil_scoped_release unlocked;
            out = search(graph, query, watch);
        }
        answer = {out.iterations,
                  out.vertices_processed,
                  out.edges_relaxed,
                  out.overflow,
                  out.radius == unreached<D> ? nb::none() : nb::cast(out.radius),
                  out.on_cycle == no_vertex ? std::int64_t{-1} : std::int64_t{out.on_cycle},
                  out.exponent,
                  nb::none()};
    });
    if (trace) {
        std::vector<double> flat;
        flat.reserve(rows.size() * 4);
        for (const TraceRow& row : rows)
            flat.insert(flat.end(),
                        {static_cast<double>(row.frontier), static_cast<double>(row.edges_relaxed), row.low, row.high});
        answer.trace = to_numpy(std::move(flat));
    }
    return answer;
}

// A Python number as a D, from where the interpreter lock is not held.
template <class D>
D cast_locked(const nb::object& number) {
    nb::gil_scoped_acquire lock;
    return nb::cast<D>(number);
}

} // namespace pathfront
