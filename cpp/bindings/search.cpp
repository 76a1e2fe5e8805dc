// The serial engines.
#include "bindings/register.hpp"
#include "bindings/searching.hpp"
#include "engines/bellman_ford.hpp"
#include "engines/dijkstra.hpp"

namespace pathfront {
namespace {

Answer dijkstra_bound(In<Offset> offsets, In<Vertex> heads, std::optional<AnyIn> weights, Vertex source, AnyOut dist,
                      std::optional<Out<Vertex>> parent, nb::object cutoff, std::optional<In<Vertex>> targets,
                      bool trace, nb::object heaviest, Progress progress, std::optional<In<Vertex>> others) {
    return run_search(offsets, heads, weights, source, dist, parent, cutoff, targets, trace, progress, others,
                      [&]<class W, class D>(const Csr<W>& graph, const Query<D>& query, Watch& watch) {
                          return dijkstra(graph, query, cast_locked<D>(heaviest), watch);
                      });
}

Answer bellman_ford_bound(In<Offset> offsets, In<Vertex> heads, std::optional<AnyIn> weights, Vertex source,
                          AnyOut dist, Out<Vertex> parent, nb::object cutoff, std::optional<In<Vertex>> targets,
                          bool trace, Progress progress, std::optional<In<Vertex>> others) {
    return run_search(
        offsets, heads, weights, source, dist, parent, cutoff, targets, trace, progress, others,
        [&](const auto& graph, const auto& query, Watch& watch) { return bellman_ford(graph, query, watch); });
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
        .def_ro("exponent", &Answer::exponent)
        .def_ro("trace", &Answer::trace);
    m.def("dijkstra", &dijkstra_bound, "offsets"_a.noconvert(), "heads"_a.noconvert(), "weights"_a.noconvert().none(),
          "source"_a, "dist"_a.noconvert(), "parent"_a.noconvert().none(), "cutoff"_a.none(),
          "targets"_a.noconvert().none(), "trace"_a, "heaviest"_a, "progress"_a.none() = nb::none(),
          "others"_a.noconvert().none() = nb::none());
    m.def("bellman_ford", &bellman_ford_bound, "offsets"_a.noconvert(), "heads"_a.noconvert(),
          "weights"_a.noconvert().none(), "source"_a, "dist"_a.noconvert(), "parent"_a.noconvert(), "cutoff"_a.none(),
          "targets"_a.noconvert().none(), "trace"_a, "progress"_a.none() = nb::none(),
          "others"_a.noconvert().none() = nb::none());
}

} // namespace pathfront
