// The certificate.
#include "bindings/arrays.hpp"
#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/watching.hpp"
#include "verify/certificate.hpp"

namespace pathfront {
namespace {

// (number of violations, [(flaw, vertex, other, arc), ...] for the first few)
nb::tuple certify(In<Offset> offsets, In<Vertex> heads, std::optional<AnyIn> weights, Vertex source, AnyIn dist,
                  std::optional<In<Vertex>> parent, nb::object radius, unsigned threads, std::size_t most) {
    const std::size_t n = offsets.size() - 1;
    require(source < n && dist.size() == n && (!parent || parent->size() == n), "arrays of n entries expected");
    Verdict verdict;
    Watch watch = python_watch();
    with_weights_and_distance(weights, dist, [&]<class W, class D>(const W* typed_weights, const D* typed_dist) {
        const Csr<W> graph = csr(offsets, heads, typed_weights);
        const D limit = radius.is_none() ? unreached<D> : nb::cast<D>(radius);
        nb::gil_scoped_release unlocked;
        verdict =
            Certificate<W, D>(graph, source, typed_dist, parent ? parent->data() : nullptr, limit, threads, most, watch)
                .check();
    });
    nb::list first;
    for (const Violation& v : verdict.first)
        first.append(nb::make_tuple(static_cast<int>(v.flaw), v.vertex, v.other, v.arc));
    return nb::make_tuple(verdict.count, first);
}

} // namespace

void register_verify(nb::module_& m) {
    define(m, "certify", &certify,
           {"offsets", "heads", "weights", "source", "dist", "parent", "radius", "threads", "most"},
           nb::sig("def certify(offsets: object, heads: object, weights: object | None, source: int, dist: object, "
                   "parent: object | None, radius: object | None, threads: int, most: int) "
                   "-> tuple[int, list[tuple[int, int, int, int]]]"));
}

} // namespace pathfront
