// Searches that cost what they touch: balls, and paths between pairs of vertices.
#include "bindings/arrays.hpp"
#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/watching.hpp"
#include "bindings/width.hpp"
#include "engines/local/ball.hpp"
#include "engines/local/pairs.hpp"
#include "engines/local/spurs.hpp"

namespace pathfront {
namespace {

// The smallest, the largest and the mean weight.
struct Bounds {
    nb::object lightest, heaviest;
    double mean;

    template <class D>
    WeightBounds<D> typed() const {
        return {nb::cast<D>(lightest), nb::cast<D>(heaviest), mean};
    }
};

// (offsets, vertices, distances, overflow).
nb::tuple balls(const Arcs& arcs, In<Vertex> sources, const nb::object& cutoff, const Bounds& weights, bool wide,
                unsigned threads, const Progress& progress) {
    nb::tuple answer;
    with_graph_and_width(arcs, wide, [&]<class W, class D>(const Csr<W>& graph, D) {
        const bool limited = !cutoff.is_none();
        const D limit = limited ? nb::cast<D>(cutoff) : largest_distance<D>;
        const auto bounds = weights.typed<D>();
        auto found = without_lock(
            [&](Watch& watch) {
                return find_balls(graph, sources.data(), static_cast<std::int64_t>(sources.size()), limit, limited,
                                  bounds, threads, watch);
            },
            progress);
        answer = nb::make_tuple(to_numpy(std::move(found.offsets)), to_numpy(std::move(found.vertices)),
                                to_numpy(std::move(found.dist)), found.overflow);
    });
    return answer;
}

// (offsets, vertices, distances, overflow).
nb::tuple paths_between(const Arcs& arcs, const Arcs& in_arcs, In<Vertex> origins, In<Vertex> destinations,
                        const Bounds& weights, bool wide, unsigned threads, const Progress& progress) {
    require(origins.size() == destinations.size() && in_arcs.n() == arcs.n(), "arrays of one length expected");
    require(arcs.weights.has_value() == in_arcs.weights.has_value(), "the same weights expected");
    nb::tuple answer;
    with_graph_and_width(arcs, wide, [&]<class W, class D>(const Csr<W>& graph, D) {
        require(!in_arcs.weights || in_arcs.weights->dtype() == arcs.weights->dtype(), "the same weights expected");
        const Csr<W> in_graph =
            in_arcs.with(in_arcs.weights ? static_cast<const W*>(in_arcs.weights->data()) : nullptr);
        const auto bounds = weights.typed<D>();
        auto found = without_lock(
            [&](Watch& watch) {
                return find_paths(graph, in_graph, origins.data(), destinations.data(),
                                  static_cast<std::int64_t>(origins.size()), bounds, threads, watch);
            },
            progress);
        answer = nb::make_tuple(to_numpy(std::move(found.offsets)), to_numpy(std::move(found.vertices)),
                                to_numpy(std::move(found.dist)), found.overflow);
    });
    return answer;
}

// (offsets, vertices, distances, overflow).
nb::tuple spurs(const Arcs& arcs, const AnyIn& rest, In<Vertex> path, std::int64_t first, In<Vertex> banned,
                const Bounds& weights, unsigned threads, const Progress& progress) {
    require(rest.size() == arcs.n() && path.size() > 0 && first >= 0, "distances of all vertices and a path expected");
    nb::tuple answer;
    with_graph_and_distance(arcs, rest, [&]<class W, class D>(const Csr<W>& graph, const D* typed) {
        const auto bounds = weights.typed<D>();
        const std::vector<Vertex> excluded(banned.data(), banned.data() + banned.size());
        auto found = without_lock(
            [&](Watch& watch) {
                return find_spurs(graph, typed, {path.data(), static_cast<std::int64_t>(path.size())}, first, excluded,
                                  bounds, threads, watch);
            },
            progress);
        answer = nb::make_tuple(to_numpy(std::move(found.offsets)), to_numpy(std::move(found.vertices)),
                                to_numpy(std::move(found.dist)), found.overflow);
    });
    return answer;
}

} // namespace

void register_local(nb::module_& m) {
    nb::class_<Bounds> bounds(m, "Bounds", "The smallest, the largest and the mean weight of a graph.");
    bind_fields(bounds, Field{"lightest", &Bounds::lightest}, Field{"heaviest", &Bounds::heaviest},
                Field{"mean", &Bounds::mean});
    define(m, "balls", &balls, {"arcs", "sources", "cutoff", "weights", "wide", "threads", "progress"},
           nb::sig("def balls(arcs: Arcs, sources: object, cutoff: object, weights: Bounds, wide: bool, threads: int, "
                   "progress: object = None) -> tuple[NDArray, NDArray, NDArray, int]"));
    define(m, "paths_between", &paths_between,
           {"arcs", "in_arcs", "origins", "destinations", "weights", "wide", "threads", "progress"},
           nb::sig("def paths_between(arcs: Arcs, in_arcs: Arcs, origins: object, destinations: object, weights: "
                   "Bounds, wide: bool, threads: int, progress: object = None) -> tuple[NDArray, NDArray, NDArray, "
                   "int]"));
    define(m, "spurs", &spurs, {"arcs", "rest", "path", "first", "banned", "weights", "threads", "progress"},
           nb::sig("def spurs(arcs: Arcs, rest: object, path: object, first: int, banned: object, weights: Bounds, "
                   "threads: int, progress: object = None) -> tuple[NDArray, NDArray, NDArray, int]"));
}

} // namespace pathfront
