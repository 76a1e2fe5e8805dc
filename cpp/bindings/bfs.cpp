// Breadth-first search.
#include "engines/bfs.hpp"

#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/request.hpp"

namespace pathfront {
namespace {

Answer run_bfs(const Request& request, const std::optional<Arcs>& in_arcs) {
    require(!in_arcs || in_arcs->n() == request.arcs.n(), "in-arcs of the same vertices expected");
    const Csr<Hop> arcs = request.arcs.unweighted();
    const Csr<Hop> reversed = in_arcs ? in_arcs->unweighted() : arcs;
    return run_search(request, [&]<class W, class D>(const Csr<W>&, const Query<D>& query, D, Watch& watch) {
        return BreadthFirst<D>(arcs, in_arcs ? &reversed : nullptr, query, request.threads, watch).run();
    });
}

} // namespace

void register_bfs(nb::module_& m) { define(m, "bfs", &run_bfs, {"request", "in_arcs"}); }

} // namespace pathfront
