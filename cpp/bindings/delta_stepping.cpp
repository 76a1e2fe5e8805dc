// Delta-stepping, rows of searches (engines/rows.hpp), and the one-pass limit (engines/one_pass.hpp).
#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/request.hpp"
#include "engines/delta/donating.hpp"
#include "engines/delta/light_heavy.hpp"
#include "engines/delta/owned.hpp"
#include "engines/delta/serial.hpp"
#include "engines/dijkstra.hpp"
#include "engines/one_pass.hpp"
#include "engines/rows.hpp"

namespace pathfront {
namespace {

enum class DeltaEngine { serial, donating, owned, light_heavy };

// The settings of delta-stepping, besides its request.
struct DeltaSettings {
    DeltaEngine engine;
    unsigned block_bits; // of the owned blocks
    double width;        // of the buckets
    bool adaptive;       // the width may change
    std::optional<In<std::uint64_t>> dead_ends;
    // Light arcs first: the light arcs as a graph, or packed; none for plain delta-stepping.
    std::optional<Arcs> light_arcs;
    std::optional<In<std::uint32_t>> packed_offsets, packed_arcs;
    nb::object heaviest_light;
    bool undirected;

    void check(const Request& request) const {
        const std::size_t rows = request.arcs.offsets.size();
        require(!packed_offsets || (packed_offsets->size() == rows && packed_arcs &&
                                    packed_offsets->data()[rows - 1] == packed_arcs->size()),
                "packed arcs expected");
        require(!light_arcs || (light_arcs->n() == request.arcs.n() && light_arcs->weights && request.arcs.weights &&
                                light_arcs->weights->dtype() == request.arcs.weights->dtype() &&
                                light_arcs->offsets.data()[rows - 1] == static_cast<Offset>(light_arcs->heads.size())),
                "light arcs like all arcs expected");
        require(!dead_ends || dead_ends->size() == (rows + 62) / 64, "a bit for each vertex expected");
    }

    template <class W, class D>
    DeltaTask<W, D> task(const Csr<W>& graph, const Query<D>& query, D heaviest) const {
        DeltaTask<W, D> task(graph, query, heaviest, width, adaptive);
        if (dead_ends)
            task.dead_ends = dead_ends->data();
        if constexpr (!std::is_same_v<W, Hop>)
            if (light_arcs)
                task.light = light_arcs->with(static_cast<const W*>(light_arcs->weights->data()));
        if constexpr (std::is_integral_v<W>)
            if (packed_offsets)
                task.packed_light = {graph.n, packed_offsets->data(), packed_arcs->data()};
        if (task.light.offsets || task.packed_light.offsets) {
            Locked lock;
            task.heaviest_light = nb::cast<D>(heaviest_light);
        }
        task.undirected = undirected;
        return task;
    }
};

Answer run_delta_stepping(const Request& request, const DeltaSettings& settings) {
    settings.check(request);
    return run_search(
        request, [&]<class W, class D>(const Csr<W>& graph, const Query<D>& query, D heaviest, Watch& watch) {
            const DeltaTask<W, D> task = settings.task(graph, query, heaviest);
            if (settings.engine != DeltaEngine::serial && request.threads > 1)
                if (ThreadTeam team(request.threads - 1); team.size() > 1) { // the system may refuse to start threads
                    if (settings.engine == DeltaEngine::light_heavy)
                        return delta_stepping_light_heavy(task, &team, watch);
                    return settings.engine == DeltaEngine::owned
                               ? delta_stepping_owned(task, settings.block_bits, team, watch)
                               : delta_stepping_donating(task, team, watch);
                }
            if (settings.engine == DeltaEngine::light_heavy)
                return delta_stepping_light_heavy(task, nullptr, watch);
            return delta_stepping_serial(task, watch);
        });
}

template <class T>
using Matrix = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>; // to be filled

// Returns whether all distances fit the type of the request's array, which is not written to, nor are the parents.
// Without settings the method is Dijkstra's.
bool run_rows(const Request& request, const std::optional<DeltaSettings>& settings, In<Vertex> sources,
              Matrix<double> dist, const std::optional<Matrix<std::int32_t>>& parent, std::int32_t none) {
    const std::size_t n = request.arcs.n();
    require(request.dist.size() == n && dist.shape(0) == sources.size() && dist.shape(1) == n &&
                (!parent || (parent->shape(0) == sources.size() && parent->shape(1) == n)),
            "a row of n entries for each source expected");
    if (settings)
        settings->check(request);
    const Rows rows{static_cast<std::int64_t>(sources.size()),
                    static_cast<std::int64_t>(n),
                    sources.data(),
                    dist.data(),
                    parent ? parent->data() : nullptr,
                    none};
    bool fits = true;
    Watch watch = python_watch(request.progress);
    with_graph_and_distance(request.arcs, request.dist, [&]<class W, class D>(const Csr<W>& graph, D* unused) {
        const Query<D> query = typed_query(request, unused);
        const D heaviest = nb::cast<D>(request.heaviest);
        Unlocked unlocked;
        if (!settings) {
            fits = search_rows(rows, query, request.threads, watch, [&](const Query<D>& each, Watch& its_watch) {
                return dijkstra(graph, each, heaviest, its_watch);
            });
            return;
        }
        const DeltaTask<W, D> task = settings->task(graph, query, heaviest);
        fits = search_rows(rows, query, request.threads, watch, [&](const Query<D>& each, Watch& its_watch) {
            DeltaTask<W, D> own = task;
            own.query = each;
            return delta_stepping_serial(own, its_watch);
        });
    });
    return fits;
}

void run_one_pass(const Arcs& arcs, In<Vertex> order, AnyOut dist, bool always_write) {
    require(dist.size() == arcs.n() && order.size() <= dist.size(), "arrays of n entries expected");
    with_graph_and_distance(arcs, dist, [&](const auto& graph, auto* typed_dist) {
        Unlocked unlocked;
        const auto count = static_cast<std::int64_t>(order.size());
        if (always_write)
            one_pass<true>(graph, order.data(), count, typed_dist);
        else
            one_pass<false>(graph, order.data(), count, typed_dist);
    });
}

} // namespace

void register_delta_stepping(nb::module_& m) {
    nb::enum_<DeltaEngine>(m, "DeltaEngine", "The engines of delta-stepping.")
        .value("serial", DeltaEngine::serial)
        .value("donating", DeltaEngine::donating)
        .value("owned", DeltaEngine::owned)
        .value("light_heavy", DeltaEngine::light_heavy);
    using Settings = DeltaSettings;
    nb::class_<Settings> settings(m, "DeltaSettings", "The settings of delta-stepping, besides its request.");
    bind_fields(settings, Field{"engine", &Settings::engine}, Field{"block_bits", &Settings::block_bits},
                Field{"width", &Settings::width}, Field{"adaptive", &Settings::adaptive},
                Field{"dead_ends", &Settings::dead_ends}, Field{"light_arcs", &Settings::light_arcs},
                Field{"packed_offsets", &Settings::packed_offsets}, Field{"packed_arcs", &Settings::packed_arcs},
                Field{"heaviest_light", &Settings::heaviest_light}, Field{"undirected", &Settings::undirected});
    define(m, "delta_stepping", &run_delta_stepping, {"request", "settings"});
    define(m, "search_rows", &run_rows, {"request", "settings", "sources", "dist", "parent", "none"});
    define(m, "one_pass", &run_one_pass, {"arcs", "order", "dist", "always_write"});
}

} // namespace pathfront
