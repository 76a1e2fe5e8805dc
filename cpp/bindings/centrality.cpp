// Betweenness, and sums of distances, from many sources.
#include "bindings/arrays.hpp"
#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/watching.hpp"
#include "bindings/width.hpp"
#include "engines/centrality/betweenness.hpp"
#include "engines/centrality/distance_sums.hpp"

namespace pathfront {
namespace {

using Mask = std::optional<In<bool>>;

template <class T>
T* data_or_null(const std::optional<Out<T>>& array, std::size_t size) {
    require(!array || array->size() == size, "an array of another length expected");
    return array ? array->data() : nullptr;
}

const bool* mask_or_null(const Mask& mask, std::size_t n) {
    require(!mask || mask->size() == n, "a mask of n entries expected");
    return mask ? mask->data() : nullptr;
}

void require_vertices(In<Vertex> sources, Vertex n) {
    require(std::all_of(sources.data(), sources.data() + sources.size(), [&](Vertex v) { return v < n; }),
            "a source is no vertex");
}

// (what failed: "", "distance" or "count"; the source it failed at).
nb::tuple betweenness_bound(const Arcs& arcs, bool wide, const nb::object& heaviest, In<Vertex> sources,
                            const Mask& is_target, bool endpoints, const std::optional<Out<double>>& of_vertex,
                            const std::optional<Out<double>>& of_arc, unsigned threads, const Progress& progress) {
    require_vertices(sources, arcs.n());
    const BetweennessTask task{
        .sources = sources.data(),
        .source_count = static_cast<std::int64_t>(sources.size()),
        .is_target = mask_or_null(is_target, arcs.n()),
        .endpoints = endpoints,
        .totals = {.of_vertex = data_or_null(of_vertex, arcs.n()), .of_arc = data_or_null(of_arc, arcs.heads.size())}};
    SourceFailure failure;
    with_graph_and_width(arcs, wide, [&]<class D>(const auto& graph, D) {
        const D most = nb::cast<D>(heaviest);
        failure = without_lock([&](Watch& watch) { return betweenness(graph, most, task, threads, watch); }, progress);
    });
    const char* const names[] = {"", "distance", "count"};
    return nb::make_tuple(names[failure.kind], failure.source);
}

// The first source from which a distance does not fit the type of `farthest`, or -1.
std::int64_t distance_sums_bound(const Arcs& arcs, const nb::object& heaviest, In<Vertex> sources,
                                 const Mask& is_target, const std::optional<Out<std::int64_t>>& reached,
                                 const std::optional<Out<double>>& total, const AnyOut& farthest,
                                 const std::optional<Out<double>>& inverse,
                                 const std::optional<Out<double>>& inverse_of_vertex, unsigned threads,
                                 const Progress& progress) {
    require_vertices(sources, arcs.n());
    const std::size_t count = sources.size();
    require(farthest.size() == count, "an entry for each source expected");
    Vertex failed = no_vertex;
    with_graph_and_distance(arcs, farthest, [&]<class W, class D>(const Csr<W>& graph, D* most_distant) {
        const D most = nb::cast<D>(heaviest);
        const DistanceSums<D> sums{.sources = sources.data(),
                                   .source_count = static_cast<std::int64_t>(count),
                                   .is_target = mask_or_null(is_target, arcs.n()),
                                   .reached = data_or_null(reached, count),
                                   .total = data_or_null(total, count),
                                   .farthest = most_distant,
                                   .inverse = data_or_null(inverse, count),
                                   .inverse_of_vertex = data_or_null(inverse_of_vertex, arcs.n())};
        failed = without_lock([&](Watch& watch) { return distance_sums(graph, most, sums, threads, watch); }, progress);
    });
    return failed == no_vertex ? -1 : std::int64_t{failed};
}

} // namespace

void register_centrality(nb::module_& m) {
    define(
        m, "betweenness", &betweenness_bound,
        {"arcs", "wide", "heaviest", "sources", "is_target", "endpoints", "of_vertex", "of_arc", "threads", "progress"},
        nb::sig("def betweenness(arcs: Arcs, wide: bool, heaviest: object, sources: object, is_target: object, "
                "endpoints: bool, of_vertex: object, of_arc: object, threads: int, progress: object) -> tuple[str, "
                "int]"));
    define(m, "distance_sums", &distance_sums_bound,
           {"arcs", "heaviest", "sources", "is_target", "reached", "total", "farthest", "inverse", "inverse_of_vertex",
            "threads", "progress"});
}

} // namespace pathfront
