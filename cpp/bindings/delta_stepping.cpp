// Delta-stepping, and the limit it is compared with.
#include "bindings/register.hpp"
#include "bindings/searching.hpp"
#include "engines/delta/donating.hpp"
#include "engines/delta/owned.hpp"
#include "engines/delta/serial.hpp"
#include "engines/one_pass.hpp"

namespace pathfront {
namespace {

Answer delta_stepping_bound(In<Offset> offsets, In<Vertex> heads, std::optional<AnyIn> weights, Vertex source,
                            AnyOut dist, std::optional<Out<Vertex>> parent, nb::object cutoff,
                            std::optional<In<Vertex>> targets, bool trace, nb::object heaviest, int exponent,
                            bool adaptive, unsigned threads, unsigned block_bits,
                            std::optional<In<std::uint64_t>> dead_ends, Progress progress,
                            std::optional<In<Vertex>> others, std::optional<In<Offset>> light_offsets,
                            std::optional<In<Vertex>> light_heads, std::optional<AnyIn> light_weights,
                            std::optional<In<std::uint32_t>> packed_offsets,
                            std::optional<In<std::uint32_t>> packed_arcs, nb::object heaviest_light, bool undirected) {
    require(!packed_offsets || (packed_offsets->size() == offsets.size() && packed_arcs &&
                                packed_offsets->data()[offsets.size() - 1] == packed_arcs->size()),
            "packed arcs expected");
    require(!light_offsets || (light_offsets->size() == offsets.size() && light_heads && light_weights && weights &&
                               light_weights->dtype() == weights->dtype() &&
                               light_offsets->data()[offsets.size() - 1] == static_cast<Offset>(light_heads->size()) &&
                               light_heads->size() == light_weights->size()),
            "light arcs like all arcs expected");
    require(!dead_ends || dead_ends->size() == (offsets.size() + 62) / 64, "a bit for each vertex expected");
    return run_search(offsets, heads, weights, source, dist, parent, cutoff, targets, trace, progress, others,
                      [&]<class W, class D>(const Csr<W>& graph, const Query<D>& query, Watch& watch) {
                          DeltaTask<W, D> task(graph, query, cast_locked<D>(heaviest), exponent, adaptive);
                          if (dead_ends)
                              task.dead_ends = dead_ends->data();
                          if constexpr (!std::is_same_v<W, Hop>)
                              if (light_offsets)
                                  task.light = {graph.n, light_offsets->data(), light_heads->data(),
                                                static_cast<const W*>(light_weights->data())};
                          if constexpr (std::is_integral_v<W>)
                              if (packed_offsets)
                                  task.packed_light = {graph.n, packed_offsets->data(), packed_arcs->data()};
                          if (task.light.offsets || task.packed_light.offsets)
                              task.heaviest_light = cast_locked<D>(heaviest_light);
                          task.undirected = undirected;
                          if (threads > 1)
                              if (ThreadTeam team(threads - 1); team.size() > 1)
                                  return block_bits > 0 ? delta_stepping(task, block_bits, team, watch)
                                                        : delta_stepping(task, team, watch);
                          return delta_stepping(task, watch);
                      });
}

void one_pass_bound(In<Offset> offsets, In<Vertex> heads, std::optional<AnyIn> weights, In<Vertex> order, AnyOut dist,
                    bool always_write) {
    require(dist.size() == offsets.size() - 1 && order.size() <= dist.size(), "arrays of n entries expected");
    with_weights_and_distance(weights, dist, [&](const auto* typed_weights, auto* typed_dist) {
        nb::gil_scoped_release unlocked;
        const auto graph = csr(offsets, heads, typed_weights);
        const auto count = static_cast<std::int64_t>(order.size());
        if (always_write)
            one_pass<true>(graph, order.data(), count, typed_dist);
        else
            one_pass<false>(graph, order.data(), count, typed_dist);
    });
}

} // namespace

void register_delta_stepping(nb::module_& m) {
    m.def("delta_stepping", &delta_stepping_bound, "offsets"_a.noconvert(), "heads"_a.noconvert(),
          "weights"_a.noconvert().none(), "source"_a, "dist"_a.noconvert(), "parent"_a.noconvert().none(),
          "cutoff"_a.none(), "targets"_a.noconvert().none(), "trace"_a, "heaviest"_a, "exponent"_a, "adaptive"_a,
          "threads"_a, "block_bits"_a, "dead_ends"_a.noconvert().none(), "progress"_a.none() = nb::none(),
          "others"_a.noconvert().none() = nb::none(), "light_offsets"_a.noconvert().none() = nb::none(),
          "light_heads"_a.noconvert().none() = nb::none(), "light_weights"_a.noconvert().none() = nb::none(),
          "packed_offsets"_a.noconvert().none() = nb::none(), "packed_arcs"_a.noconvert().none() = nb::none(),
          "heaviest_light"_a.none() = nb::none(), "undirected"_a = false);
    m.def("one_pass", &one_pass_bound, "offsets"_a.noconvert(), "heads"_a.noconvert(), "weights"_a.noconvert().none(),
          "order"_a.noconvert(), "dist"_a.noconvert(), "always_write"_a);
}

} // namespace pathfront
