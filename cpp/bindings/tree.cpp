// Paths and trees, read from parents; tight arcs, read from distances.
#include "graph/tree.hpp"
#include "bindings/arrays.hpp"
#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/watching.hpp"
#include "graph/tight.hpp"

namespace pathfront {
namespace {

nb::object path_to(In<Vertex> parent, Vertex target) {
    std::vector<Vertex> path;
    {
        Unlocked unlocked;
        path = path_from_root(parent.data(), static_cast<Vertex>(parent.size()), target);
    }
    return to_numpy(std::move(path));
}

void arcs_of_path(const Arcs& arcs, In<Vertex> path, Out<Offset> out) {
    require(path.size() == out.size() + 1, "one arc less than vertices expected");
    arcs.typed([&](const auto& graph) {
        Unlocked unlocked;
        path_arcs(graph, path.data(), static_cast<std::int64_t>(out.size()), out.data());
    });
}

void arcs_of_tree(const Arcs& arcs, In<Vertex> parent, Out<Offset> out, unsigned threads) {
    require(parent.size() == arcs.n() && out.size() == parent.size(), "arrays of n entries expected");
    arcs.typed([&](const auto& graph) {
        without_lock([&](Watch& watch) { tree_arcs(graph, parent.data(), out.data(), threads, watch); });
    });
}

void roots(In<Vertex> parent, Out<Vertex> root) {
    require(root.size() == parent.size(), "arrays of n entries expected");
    without_lock(
        [&](Watch& watch) { find_roots(parent.data(), static_cast<Vertex>(parent.size()), root.data(), watch); });
}

// (offsets, tails, positions) of the tight arcs, by head.
nb::tuple tight_arcs(const Arcs& arcs, const AnyIn& dist, bool unique, unsigned threads) {
    require(dist.size() == arcs.n(), "an array of n entries expected");
    TightRows rows;
    with_graph_and_distance(arcs, dist, [&](const auto& graph, const auto* typed) {
        rows = without_lock([&](Watch& watch) { return find_tight_arcs(graph, typed, unique, threads, watch); });
    });
    return nb::make_tuple(to_numpy(std::move(rows.offsets)), to_numpy(std::move(rows.tails)),
                          to_numpy(std::move(rows.arcs)));
}

} // namespace

void register_tree(nb::module_& m) {
    define(m, "path_to", &path_to, {"parent", "target"});
    define(m, "roots", &roots, {"parent", "root"});
    define(m, "tight_arcs", &tight_arcs, {"arcs", "dist", "unique", "threads"},
           nb::sig("def tight_arcs(arcs: Arcs, dist: object, unique: bool, threads: int) -> tuple[NDArray, NDArray, "
                   "NDArray]"));
    define(m, "path_arcs", &arcs_of_path, {"arcs", "path", "out"});
    define(m, "tree_arcs", &arcs_of_tree, {"arcs", "parent", "out", "threads"});
}

} // namespace pathfront
