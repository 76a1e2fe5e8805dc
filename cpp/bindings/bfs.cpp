// Breadth-first search.
#include "engines/bfs.hpp"

#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/request.hpp"

namespace pathfront {
namespace {

Answer run_bfs(const Request& request, std::optional<In<Offset>> in_offsets, std::optional<In<Vertex>> in_heads) {
    const Csr<Hop> arcs = csr<Hop>(request.offsets, request.heads, nullptr);
    const bool both = in_offsets && in_heads && in_offsets->size() == request.offsets.size();
    const Csr<Hop> in_arcs = both ? csr<Hop>(*in_offsets, *in_heads, nullptr) : arcs;
    return run_search(request, [&]<class W, class D>(const Csr<W>&, const Query<D>& query, D, Watch& watch) {
        return BreadthFirst<D>(arcs, both ? &in_arcs : nullptr, query, request.threads, watch).run();
    });
}

} // namespace

void register_bfs(nb::module_& m) { define(m, "bfs", &run_bfs, {"request", "in_offsets", "in_heads"}); }

} // namespace pathfront
