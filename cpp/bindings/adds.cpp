// ADDS: one function, its settings, and what it reports.
#include "engines/adds/adds.hpp"
#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/request.hpp"

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
    dict["resorted"] = report.resorted;
    dict["blocks_high_water"] = report.blocks_high_water;
    dict["items_high_water"] = report.items_high_water;
    dict["excess_blocks"] = report.excess_blocks;
    dict["utilisation"] = report.utilisation;
    return dict;
}

// Rows of numbers, flat: see SAMPLE in methods/adds.py.
nb::object samples_of(const std::vector<adds::Sample>& samples) {
    std::vector<double> flat;
    flat.reserve(samples.size() * 15);
    for (const adds::Sample& s : samples) {
        flat.insert(flat.end(), {s.seconds, s.head, s.delta});
        for (const std::uint64_t count : {s.near, s.far, s.labelled, s.buckets, s.urgent, s.workers, s.items, s.blocks,
                                          s.vertices, s.edges, s.resorted, s.discarded})
            flat.push_back(static_cast<double>(count));
    }
    return to_numpy(std::move(flat));
}

nb::tuple run_adds(const Request& request, const adds::Settings& settings) {
    adds::Report report;
    Answer answer = run_search(
        request, [&]<class W, class D>(const Csr<W>& graph, const Query<D>& query, D heaviest, Watch& watch) {
            const Task<W, D> task(graph, query, heaviest);
            if (request.threads > 1)
                if (ThreadTeam team(request.threads - 1); team.size() > 1)
                    return adds_search(task, settings, &team, watch, report);
            return adds_search(task, settings, nullptr, watch, report);
        });
    nb::object samples = request.trace ? samples_of(report.samples) : nb::none();
    return nb::make_tuple(std::move(answer), report_of(std::move(report)), samples);
}

} // namespace

void register_adds(nb::module_& m) {
    nb::exception<adds::NoProgress>(m, "NoProgressError", PyExc_RuntimeError);
    nb::exception<adds::PoolExhausted>(m, "PoolExhaustedError", PyExc_MemoryError);
    using Settings = adds::Settings;
    nb::class_<Settings> settings(m, "AddsSettings", "The settings of ADDS, besides its request.");
    bind_fields(settings, Field{"width", &Settings::width}, Field{"lowest", &Settings::lowest},
                Field{"highest", &Settings::highest}, Field{"adaptive", &Settings::adaptive},
                Field{"buckets", &Settings::buckets}, Field{"block_bits", &Settings::block_bits},
                Field{"segment_bits", &Settings::segment_bits}, Field{"most_blocks", &Settings::most_blocks},
                Field{"patience", &Settings::patience}, Field{"cores", &Settings::cores});
    define(m, "adds", &run_adds, {"request", "settings"});
}

} // namespace pathfront
