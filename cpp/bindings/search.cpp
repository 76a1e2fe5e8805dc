// The search engines.
#include "bindings/arrays.hpp"
#include "bindings/register.hpp"
#include "bindings/watching.hpp"
#include "engines/bellman_ford.hpp"
#include "engines/delta_stepping.hpp"
#include "engines/delta_stepping_team.hpp"
#include "engines/dijkstra.hpp"
#include "engines/one_pass.hpp"

namespace pathfront {
namespace {

using namespace nb::literals;

struct Answer {
    std::uint64_t iterations, vertices_processed, edges_relaxed;
    bool overflow;
    nb::object radius; // None: complete
    std::int64_t on_cycle;
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

Answer dijkstra_bound(In<Offset> offsets, In<Vertex> heads, std::optional<AnyIn> weights, Vertex source, AnyOut dist,
                      std::optional<Out<Vertex>> parent, nb::object cutoff, std::optional<In<Vertex>> targets,
                      bool trace, nb::object heaviest, Progress progress, std::optional<In<Vertex>> others) {
    return run_search(offsets, heads, weights, source, dist, parent, cutoff, targets, trace, progress, others,
                      [&]<class W, class D>(const Csr<W>& graph, const Query<D>& query, Watch& watch) {
                          return dijkstra(graph, query, cast_locked<D>(heaviest), watch);
                      });
}

Answer delta_stepping_bound(In<Offset> offsets, In<Vertex> heads, std::optional<AnyIn> weights, Vertex source,
                            AnyOut dist, std::optional<Out<Vertex>> parent, nb::object cutoff,
                            std::optional<In<Vertex>> targets, bool trace, nb::object heaviest, int exponent,
                            unsigned threads, Progress progress, std::optional<In<Vertex>> others) {
    return run_search(offsets, heads, weights, source, dist, parent, cutoff, targets, trace, progress, others,
                      [&]<class W, class D>(const Csr<W>& graph, const Query<D>& query, Watch& watch) {
                          const Task<W, D> task(graph, query, cast_locked<D>(heaviest), exponent);
                          if (threads > 1)
                              if (Crew crew(threads - 1); crew.size() > 1)
                                  return delta_stepping(task, crew, watch);
                          return delta_stepping(task, watch);
                      });
}

Answer bellman_ford_bound(In<Offset> offsets, In<Vertex> heads, std::optional<AnyIn> weights, Vertex source,
                          AnyOut dist, Out<Vertex> parent, nb::object cutoff, std::optional<In<Vertex>> targets,
                          bool trace, Progress progress, std::optional<In<Vertex>> others) {
    return run_search(
        offsets, heads, weights, source, dist, parent, cutoff, targets, trace, progress, others,
        [&](const auto& graph, const auto& query, Watch& watch) { return bellman_ford(graph, query, watch); });
}

void one_pass_bound(In<Offset> offsets, In<Vertex> heads, std::optional<AnyIn> weights, In<Vertex> order, AnyOut dist) {
    require(dist.size() == offsets.size() - 1 && order.size() <= dist.size(), "arrays of n entries expected");
    with_weights_and_distance(weights, dist, [&](const auto* typed_weights, auto* typed_dist) {
        nb::gil_scoped_release unlocked;
        one_pass(csr(offsets, heads, typed_weights), order.data(), static_cast<std::int64_t>(order.size()), typed_dist);
    });
}

} // namespace

void register_search(nb::module_& m) {
    nb::class_<Answer>(m, "Answer", "What an engine says of its run; the distances are in the array it was given.")
        .def_ro("iterations", &Answer::iterations)
        .def_ro("vertices_processed", &Answer::vertices_processed)
        .def_ro("edges_relaxed", &Answer::edges_relaxed)
        .def_ro("overflow", &Answer::overflow)
        .def_ro("radius", &Answer::radius)
        .def_ro("on_cycle", &Answer::on_cycle)
        .def_ro("trace", &Answer::trace);
    m.def("dijkstra", &dijkstra_bound, "offsets"_a.noconvert(), "heads"_a.noconvert(), "weights"_a.noconvert().none(),
          "source"_a, "dist"_a.noconvert(), "parent"_a.noconvert().none(), "cutoff"_a.none(),
          "targets"_a.noconvert().none(), "trace"_a, "heaviest"_a, "progress"_a.none() = nb::none(),
          "others"_a.noconvert().none() = nb::none());
    m.def("delta_stepping", &delta_stepping_bound, "offsets"_a.noconvert(), "heads"_a.noconvert(),
          "weights"_a.noconvert().none(), "source"_a, "dist"_a.noconvert(), "parent"_a.noconvert().none(),
          "cutoff"_a.none(), "targets"_a.noconvert().none(), "trace"_a, "heaviest"_a, "exponent"_a, "threads"_a,
          "progress"_a.none() = nb::none(), "others"_a.noconvert().none() = nb::none());
    m.def("one_pass", &one_pass_bound, "offsets"_a.noconvert(), "heads"_a.noconvert(), "weights"_a.noconvert().none(),
          "order"_a.noconvert(), "dist"_a.noconvert());
    m.def("bellman_ford", &bellman_ford_bound, "offsets"_a.noconvert(), "heads"_a.noconvert(),
          "weights"_a.noconvert().none(), "source"_a, "dist"_a.noconvert(), "parent"_a.noconvert(), "cutoff"_a.none(),
          "targets"_a.noconvert().none(), "trace"_a, "progress"_a.none() = nb::none(),
          "others"_a.noconvert().none() = nb::none());
}

} // namespace pathfront
