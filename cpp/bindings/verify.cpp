// The certificate.
#include "bindings/arrays.hpp"
#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/watching.hpp"
#include "verify/certificate.hpp"

namespace pathfront {
namespace {

// (number of violations, [(flaw, vertex, other, arc), ...] for the first few)
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
    nb::list first;
    for (const Violation& v : verdict.first)
        first.append(nb::make_tuple(static_cast<int>(v.flaw), v.vertex, v.other, v.arc));
    return nb::make_tuple(verdict.count, first);
}

} // namespace

void register_verify(nb::module_& m) {
    define(m, "certify", &certify, {"arcs", "source", "dist", "parent", "radius", "threads", "most"},
           nb::sig("def certify(arcs: Arcs, source: int, dist: object, parent: object | None, radius: object | None, "
                   "threads: int, most: int) -> tuple[int, list[tuple[int, int, int, int]]]"));
}

} // namespace pathfront
