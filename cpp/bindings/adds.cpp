// ADDS: one function, its settings, and what it reports.
#include "engines/adds/adds.hpp"
#include "bindings/register.hpp"
#include "bindings/searching.hpp"

namespace pathfront {
namespace {

// What a search reports besides its answer, as Python sees it.
nb::dict report_of(adds::Report&& report) {
    nb::dict dict;
    nb::list deltas;
    for (const auto& [seconds, delta] : report.deltas)
        deltas.append(nb::make_tuple(seconds, delta));
    dict["deltas"] = deltas;
    dict["delta_raised"] = report.raised;
    dict["delta_lowered"] = report.lowered;
    dict["sweeps"] = report.sweeps;
    dict["assignments"] = report.assignments;
    dict["most_buckets"] = report.most_buckets;
    dict["most_urgent"] = report.most_urgent;
    dict["pushed"] = report.pushed;
    dict["clipped"] = report.clipped;
    dict["blocks_high_water"] = report.blocks_high_water;
    dict["items_high_water"] = report.items_high_water;
    dict["excess_blocks"] = report.excess_blocks;
    dict["utilisation"] = report.utilisation;
    return dict;
}

// Rows of ten numbers, flat.
nb::object samples_of(const std::vector<adds::Sample>& samples) {
    std::vector<double> flat;
    flat.reserve(samples.size() * 10);
    for (const adds::Sample& s : samples) {
        flat.insert(flat.end(), {s.seconds, s.head, s.delta});
        for (const std::uint64_t count : {s.buckets, s.urgent, s.workers, s.items, s.blocks, s.vertices, s.edges})
            flat.push_back(static_cast<double>(count));
    }
    return to_numpy(std::move(flat));
}

nb::tuple adds_bound(In<Offset> offsets, In<Vertex> heads, std::optional<AnyIn> weights, Vertex source, AnyOut dist,
                     std::optional<Out<Vertex>> parent, nb::object cutoff, std::optional<In<Vertex>> targets,
                     bool trace, nb::object heaviest, const adds::Settings& settings, unsigned threads,
                     Progress progress, std::optional<In<Vertex>> others) {
    adds::Report report;
    Answer answer = run_search(offsets, heads, weights, source, dist, parent, cutoff, targets, trace, progress, others,
                               [&]<class W, class D>(const Csr<W>& graph, const Query<D>& query, Watch& watch) {
                                   const Task<W, D> task(graph, query, cast_locked<D>(heaviest));
                                   if (threads > 1)
                                       if (ThreadTeam team(threads - 1); team.size() > 1)
                                           return adds_search(task, settings, &team, watch, report);
                                   return adds_search(task, settings, nullptr, watch, report);
                               });
    nb::object samples = trace ? samples_of(report.samples) : nb::none();
    return nb::make_tuple(std::move(answer), report_of(std::move(report)), samples);
}

} // namespace

void register_adds(nb::module_& m) {
    nb::class_<adds::Settings>(m, "AddsSettings", "What an ADDS search is told besides its problem.")
        .def(
            "__init__",
            [](adds::Settings* self, int exponent, int lowest, int highest, bool adaptive, std::uint32_t buckets,
               unsigned block_bits, unsigned segment_bits, std::size_t most_blocks, double patience) {
                new (self) adds::Settings{exponent,   lowest,       highest,     adaptive, buckets,
                                          block_bits, segment_bits, most_blocks, patience};
            },
            nb::kw_only(), "exponent"_a, "lowest"_a, "highest"_a, "adaptive"_a, "buckets"_a, "block_bits"_a,
            "segment_bits"_a, "most_blocks"_a, "patience"_a);
    m.def("adds", &adds_bound, "offsets"_a.noconvert(), "heads"_a.noconvert(), "weights"_a.noconvert().none(),
          "source"_a, "dist"_a.noconvert(), "parent"_a.noconvert().none(), "cutoff"_a.none(),
          "targets"_a.noconvert().none(), "trace"_a, "heaviest"_a, "settings"_a, "threads"_a,
          "progress"_a.none() = nb::none(), "others"_a.noconvert().none() = nb::none());
}

} // namespace pathfront
