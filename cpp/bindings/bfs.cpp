// Breadth-first search.
#include "engines/bfs.hpp"

#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/request.hpp"
#include "graph/bfs_order.hpp"

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

std::int64_t order_breadth_first(const Arcs& arcs, const std::optional<Arcs>& reversed, Vertex source,
                                 Out<std::int32_t> order, Out<std::int32_t> parent) {
    require(source < arcs.n() && order.size() == arcs.n() && parent.size() == arcs.n() &&
                (!reversed || reversed->n() == arcs.n()),
            "arrays of n entries expected");
    const Csr<Hop> graph = arcs.unweighted(), back = reversed ? reversed->unweighted() : graph;
    return without_lock([&](Watch& watch) {
        return bfs_order(graph, reversed ? &back : nullptr, source, order.data(), parent.data(), watch);
    });
}

} // namespace

void register_bfs(nb::module_& m) {
    define(m, "bfs", &run_bfs, {"request", "in_arcs"});
    define(m, "bfs_order", &order_breadth_first, {"arcs", "reversed", "source", "order", "parent"});
}

} // namespace pathfront
