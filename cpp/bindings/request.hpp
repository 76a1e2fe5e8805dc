// The request and the answer of a search, and how a request becomes a typed search.
#pragma once

#include "bindings/arrays.hpp"
#include "bindings/watching.hpp"
#include "core/search.hpp"

namespace pathfront {

// The inputs of every engine.
struct Request {
    Arcs arcs;
    nb::object heaviest; // the largest weight
    Vertex source;
    std::optional<In<Vertex>> others; // further sources
    AnyOut dist;                      // n, to be filled
    std::optional<Out<Vertex>> parent;
    nb::object cutoff;
    std::optional<In<Vertex>> targets;
    unsigned threads;
    bool trace;
    Progress progress;
};

// What an engine reports of its run; the distances are in the request's array.
struct Answer {
    std::uint64_t iterations, vertices_processed, edges_relaxed;
    unsigned threads;
    bool overflow;
    nb::object radius; // None: complete
    std::int64_t on_cycle;
    double width;     // of the last bucket, where there are any
    nb::object trace; // None, or rows of doubles, flat: see flat_rows
};

template <class D>
Query<D> typed_query(const Request& request, D* dist) {
    Query<D> query{.source = request.source, .dist = dist};
    query.has_cutoff = !request.cutoff.is_none();
    if (query.has_cutoff)
        query.cutoff = nb::cast<D>(request.cutoff);
    if (request.targets) {
        query.targets = request.targets->data();
        query.target_count = static_cast<std::int64_t>(request.targets->size());
    }
    if (request.others) {
        query.others = request.others->data();
        query.other_count = static_cast<std::int64_t>(request.others->size());
    }
    if (request.parent)
        query.parent = request.parent->data();
    return query;
}

// Rows of eleven numbers, flat, NaN for what is unknown; `pathfront/problem.py` names them.
inline nb::object flat_rows(const std::vector<TraceRow>& rows) {
    std::vector<double> flat;
    flat.reserve(rows.size() * 11);
    for (const TraceRow& row : rows) {
        for (const std::uint64_t count :
             {row.frontier, row.edges_relaxed, row.near, row.far, row.labelled, row.final, row.discarded})
            flat.push_back(count == TraceRow::unknown ? std::numeric_limits<double>::quiet_NaN()
                                                      : static_cast<double>(count));
        flat.insert(flat.end(), {row.seconds, row.low, row.high, row.delta});
    }
    return to_numpy(std::move(flat));
}

// Runs search(graph, query, heaviest, watch) with the types that the arrays have.
template <class Search>
Answer run_search(const Request& request, Search&& search) {
    const std::size_t n = request.arcs.n();
    require(request.source < n && request.dist.size() == n && (!request.parent || request.parent->size() == n),
            "arrays of n entries expected");
    Answer answer;
    Watch watch = python_watch(request.progress);
    with_graph_and_distance(request.arcs, request.dist, [&]<class W, class D>(const Csr<W>& graph, D* dist) {
        Query<D> query = typed_query(request, dist);
        const D heaviest = nb::cast<D>(request.heaviest);
        Trace trace;
        if (request.trace)
            query.trace = &trace;
        Outcome<D> out;
        {
            Unlocked unlocked;
            out = search(graph, query, heaviest, watch);
        }
        answer = {out.iterations,
                  out.vertices_processed,
                  out.edges_relaxed,
                  std::max(out.threads, 1u),
                  out.overflow,
                  out.radius == unreached<D> ? nb::none() : nb::cast(out.radius),
                  out.on_cycle == no_vertex ? std::int64_t{-1} : std::int64_t{out.on_cycle},
                  out.width,
                  request.trace ? flat_rows(trace.rows()) : nb::none()};
    });
    return answer;
}

} // namespace pathfront
