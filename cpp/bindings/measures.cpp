// Measures of a graph: components, and counts of arcs.
#include <nanobind/stl/tuple.h>

#include "bindings/arrays.hpp"
#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/watching.hpp"
#include "graph/components.hpp"
#include "graph/tally.hpp"

namespace pathfront {
namespace {

std::int64_t components(const Arcs& arcs, bool strong, Out<Vertex> component) {
    require(component.size() == arcs.n(), "an array of n entries expected");
    const Csr<Hop> graph = arcs.unweighted();
    return without_lock([&](Watch& watch) {
        return strong ? strong_components(graph, component.data(), watch)
                      : weak_components(graph, component.data(), watch);
    });
}

// (loops, parallel arcs, isolated vertices, largest in-degree).
nb::tuple tally(const Arcs& arcs) {
    const Tally found = without_lock([&](Watch& watch) { return tally_arcs(arcs.unweighted(), watch); });
    return nb::make_tuple(found.loops, found.parallel, found.isolated, found.most_entering);
}

} // namespace

void register_measures(nb::module_& m) {
    define(m, "components", &components, {"arcs", "strong", "component"});
    define(m, "tally", &tally, {"arcs"}, nb::sig("def tally(arcs: Arcs) -> tuple[int, int, int, int]"));
}

} // namespace pathfront
