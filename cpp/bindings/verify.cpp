// The certificate.
#include "bindings/arrays.hpp"
#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/watching.hpp"
#include "verify/certificate.hpp"
#include "verify/exact_certificate.hpp"

namespace pathfront {
namespace {

// (number of violations, [(flaw, vertex, other, arc), ...] for the first few)
nb::tuple described(const Verdict& verdict) {
    nb::list first;
    for (const Violation& v : verdict.first)
        first.append(nb::make_tuple(static_cast<int>(v.flaw), v.vertex, v.other, v.arc));
    return nb::make_tuple(verdict.count, first);
}

nb::tuple certify(const Arcs& arcs, Vertex source, AnyIn dist, std::optional<In<Vertex>> parent, nb::object radius,
                  unsigned threads, std::size_t most) {
    const std::size_t n = arcs.n();
    require(source < n && dist.size() == n && (!parent || parent->size() == n), "arrays of n entries expected");
    Verdict verdict;
    with_graph_and_distance(arcs, dist, [&]<class W, class D>(const Csr<W>& graph, const D* typed_dist) {
        const D limit = radius.is_none() ? unreached<D> : nb::cast<D>(radius);
        const Vertex* const parents = parent ? parent->data() : nullptr;
        verdict = without_lock([&](Watch& watch) {
            return Certificate<W, D>(graph, source, typed_dist, parents, limit, threads, most, watch).check();
        });
    });
    return described(verdict);
}

// The same for floating-point weights of which some are negative.
nb::tuple certify_exactly(const Arcs& arcs, Vertex source, AnyIn dist, In<Vertex> parent, unsigned threads,
                          std::size_t most) {
    const std::size_t n = arcs.n();
    require(source < n && dist.size() == n && parent.size() == n, "arrays of n entries expected");
    Verdict verdict;
    with_graph_and_distance(arcs, dist, [&]<class W, class D>(const Csr<W>& graph, const D* typed_dist) {
        require(std::is_floating_point_v<W>, "floating-point weights expected");
        if constexpr (std::is_floating_point_v<W>)
            verdict = without_lock([&](Watch& watch) {
                return with_exact_weights(graph, threads, watch, [&]<int words>(const ExactCsr<W, words>& exact) {
                    return ExactCertificate<W, D, words>(exact, source, typed_dist, parent.data(), threads, most, watch)
                        .check();
                });
            });
    });
    return described(verdict);
}

} // namespace

void register_verify(nb::module_& m) {
    define(m, "certify", &certify, {"arcs", "source", "dist", "parent", "radius", "threads", "most"},
           nb::sig("def certify(arcs: Arcs, source: int, dist: object, parent: object | None, radius: object | None, "
                   "threads: int, most: int) -> tuple[int, list[tuple[int, int, int, int]]]"));
    define(m, "certify_exactly", &certify_exactly, {"arcs", "source", "dist", "parent", "threads", "most"},
           nb::sig("def certify_exactly(arcs: Arcs, source: int, dist: object, parent: object, threads: int, "
                   "most: int) -> tuple[int, list[tuple[int, int, int, int]]]"));
}

} // namespace pathfront
