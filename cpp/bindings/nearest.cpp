// The nearest of several sources for each vertex.
#include "bindings/arrays.hpp"
#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/watching.hpp"
#include "engines/k_nearest.hpp"
#include "graph/first_roots.hpp"

namespace pathfront {
namespace {

void first_roots(const Arcs& arcs, const AnyIn& dist, Out<Vertex> parent, Out<Vertex> rank, unsigned threads) {
    require(dist.size() == arcs.n() && parent.size() == dist.size() && rank.size() == dist.size(),
            "arrays of n entries expected");
    with_graph_and_distance(arcs, dist, [&](const auto& graph, const auto* typed) {
        without_lock(
            [&](Watch& watch) { prefer_first_roots(graph, typed, parent.data(), rank.data(), threads, watch); });
    });
}

// False if some distance does not fit the type of `dist`.
bool run_k_nearest(const Arcs& arcs, nb::object heaviest, In<Vertex> sources, const AnyOut& dist, Out<Vertex> rank,
                   std::optional<Out<Vertex>> parent, nb::object cutoff) {
    const std::size_t n = arcs.n(), size = dist.size();
    require(n > 0 && size > 0 && size % n == 0 && rank.size() == size && (!parent || parent->size() == size),
            "arrays of n times k entries expected");
    require(sources.size() > 0, "some source expected");
    bool fits = false;
    with_graph_and_distance(arcs, dist, [&]<class W, class D>(const Csr<W>& graph, D* typed) {
        NearestQuery<D> query{.sources = sources.data(),
                              .count = static_cast<std::int64_t>(sources.size()),
                              .k = static_cast<std::int64_t>(size / n),
                              .dist = typed,
                              .rank = rank.data(),
                              .parent = parent ? parent->data() : nullptr};
        query.has_cutoff = !cutoff.is_none();
        if (query.has_cutoff)
            query.cutoff = nb::cast<D>(cutoff);
        const D largest = nb::cast<D>(heaviest);
        fits = without_lock([&](Watch& watch) { return k_nearest(graph, query, largest, watch); });
    });
    return fits;
}

} // namespace

void register_nearest(nb::module_& m) {
    define(m, "first_roots", &first_roots, {"arcs", "dist", "parent", "rank", "threads"});
    define(m, "k_nearest", &run_k_nearest, {"arcs", "heaviest", "sources", "dist", "rank", "parent", "cutoff"});
}

} // namespace pathfront
