// Breadth-first search.
#include "engines/bfs.hpp"

#include "bindings/register.hpp"
#include "bindings/searching.hpp"

namespace pathfront {
namespace {

Answer bfs_bound(In<Offset> offsets, In<Vertex> heads, std::optional<AnyIn> weights, Vertex source, AnyOut dist,
                 std::optional<Out<Vertex>> parent, nb::object cutoff, std::optional<In<Vertex>> targets, bool trace,
                 std::optional<In<Offset>> backward_offsets, std::optional<In<Vertex>> backward_heads, unsigned threads,
                 Progress progress, std::optional<In<Vertex>> others) {
    const Csr<Hop> arcs = csr(offsets, heads, static_cast<const Hop*>(nullptr));
    const bool both = backward_offsets && backward_heads && backward_offsets->size() == offsets.size();
    const Csr<Hop> backward = both ? csr(*backward_offsets, *backward_heads, static_cast<const Hop*>(nullptr)) : arcs;
    return run_search(offsets, heads, weights, source, dist, parent, cutoff, targets, trace, progress, others,
                      [&]<class W, class D>(const Csr<W>&, const Query<D>& query, Watch& watch) {
                          return BreadthFirst<D>(arcs, both ? &backward : nullptr, query, threads, watch).run();
                      });
}

} // namespace

void register_bfs(nb::module_& m) {
    m.def("bfs", &bfs_bound, "offsets"_a.noconvert(), "heads"_a.noconvert(), "weights"_a.noconvert().none(), "source"_a,
          "dist"_a.noconvert(), "parent"_a.noconvert().none(), "cutoff"_a.none(), "targets"_a.noconvert().none(),
          "trace"_a, "backward_offsets"_a.noconvert().none(), "backward_heads"_a.noconvert().none(), "threads"_a,
          "progress"_a.none() = nb::none(), "others"_a.noconvert().none() = nb::none());
}

} // namespace pathfront
