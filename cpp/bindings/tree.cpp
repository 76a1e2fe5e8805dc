// Paths and trees, read from parents.
#include "graph/tree.hpp"
#include "bindings/arrays.hpp"
#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/watching.hpp"

namespace pathfront {
namespace {

nb::object path_to(In<Vertex> parent, Vertex target) {
    std::vector<Vertex> path;
    {
        nb::gil_scoped_release unlocked;
        path = path_from_root(parent.data(), static_cast<Vertex>(parent.size()), target);
    }
    return to_numpy(std::move(path));
}

// Calls f with the typed graph and an output array of its weight type.
template <class F>
void with_typed_weights(const In<Offset>& offsets, const In<Vertex>& heads, const AnyIn& weights, const AnyOut& out,
                        F&& f) {
    require(weights.dtype() == out.dtype(), "weights of one type expected");
    with_numbers(weights, [&]<class W>(const W* typed) {
        nb::gil_scoped_release unlocked;
        f(csr(offsets, heads, typed), static_cast<W*>(out.data()));
    });
}

void weights_of_path(In<Offset> offsets, In<Vertex> heads, const AnyIn& weights, In<Vertex> path, const AnyOut& out) {
    require(path.size() == out.size() + 1, "one weight less than vertices expected");
    with_typed_weights(offsets, heads, weights, out, [&](const auto& graph, auto* found) {
        path_weights(graph, path.data(), static_cast<std::int64_t>(out.size()), found);
    });
}

void weights_of_tree(In<Offset> offsets, In<Vertex> heads, const AnyIn& weights, In<Vertex> parent, const AnyOut& out,
                     unsigned threads) {
    require(parent.size() == offsets.size() - 1 && out.size() == parent.size(), "arrays of n entries expected");
    Watch watch = python_watch();
    with_typed_weights(offsets, heads, weights, out, [&](const auto& graph, auto* found) {
        tree_weights(graph, parent.data(), found, threads, watch);
    });
}

void roots(In<Vertex> parent, Out<Vertex> root) {
    require(root.size() == parent.size(), "arrays of n entries expected");
    nb::gil_scoped_release unlocked;
    find_roots(parent.data(), static_cast<Vertex>(parent.size()), root.data());
}

} // namespace

void register_tree(nb::module_& m) {
    define(m, "path_to", &path_to, {"parent", "target"});
    define(m, "roots", &roots, {"parent", "root"});
    define(m, "path_weights", &weights_of_path, {"offsets", "heads", "weights", "path", "out"});
    define(m, "tree_weights", &weights_of_tree, {"offsets", "heads", "weights", "parent", "out", "threads"});
}

} // namespace pathfront
