// Light arcs first, by many more threads than cores. Run under ThreadSanitizer, too.
#include <stdexcept>

#include "check.hpp"
#include "colliding.hpp"
#include "core/thread_pool.hpp"
#include "engines/delta/donating.hpp"
#include "engines/delta/serial.hpp"
#include "engines/dijkstra.hpp"
#include "graph/light_arcs.hpp"
#include "verify/certificate.hpp"

using namespace pathfront;

namespace {

// Everything is near: some hubs with many arcs, others with few, and a few that hang on one or are alone.
template <class W>
OwnedGraph<W> near_graph(Vertex n, int arcs, std::uint32_t heaviest, bool undirected) {
    std::mt19937 rng(n);
    Triples triples;
    for (int i = 0; i < arcs; ++i) {
        const Vertex u = i % 3 == 0 ? rng() % 40 : rng() % (n - n / 8), v = rng() % (n - n / 16);
        const std::uint32_t weight = rng() % heaviest;
        triples.emplace_back(u, v, weight);
        if (undirected)
            triples.emplace_back(v, u, weight);
    }
    return graph_of<W>(n, triples);
}

// A core that light arcs settle, and an island of heavy arcs behind it, on which only a few vertices are settled then.
template <class W>
OwnedGraph<W> island_graph(Vertex core, Vertex island) {
    std::mt19937 rng(core);
    Triples triples;
    for (Vertex i = 0; i < 10 * core; ++i)
        triples.emplace_back(rng() % core, rng() % core, 1 + rng() % 20);
    for (Vertex v = core; v < core + island; ++v) {
        for (int i = 0; i < 3; ++i)
            triples.emplace_back(v, core + rng() % island, 100 + rng() % 150);
        if (v % 300 == 0)
            triples.emplace_back(rng() % core, v, 1);
    }
    return graph_of<W>(core + island, triples);
}

template <class W>
struct OwnedLight {
    OwnedLight(const Csr<W>& graph, W most) : offsets(std::size_t{graph.n} + 1), heaviest(most) {
        Watch watch;
        count_light_arcs(graph, most, offsets.data(), 2, watch);
        heads.resize(static_cast<std::size_t>(offsets.back()));
        weights.resize(heads.size());
        copy_light_arcs(graph, most, offsets.data(), heads.data(), weights.data(), 2, watch);
        if constexpr (std::is_integral_v<W>) {
            packed_offsets.assign(offsets.begin(), offsets.end());
            packed_arcs.resize(heads.size());
            pack_light_arcs(graph, most, packed_offsets.data(), packed_arcs.data(), 2, watch);
        }
    }

    template <class D>
    void give_to(DeltaTask<W, D>& task, bool undirected, bool packed = false) const {
        if (packed)
            task.packed_light = {task.graph.n, packed_offsets.data(), packed_arcs.data()};
        else
            task.light = {task.graph.n, offsets.data(), heads.data(), weights.data()};
        task.heaviest_light = static_cast<D>(heaviest);
        task.undirected = undirected;
    }

    std::vector<Offset> offsets;
    std::vector<Vertex> heads;
    std::vector<W> weights;
    std::vector<std::uint32_t> packed_offsets, packed_arcs;
    W heaviest;
};

template <class W, class D>
void light_first_agrees(const OwnedGraph<W>& owned, bool undirected, bool packed = false) {
    const auto graph = owned.view();
    Watch watch;
    std::vector<D> expected(graph.n), dist(graph.n);
    std::vector<Vertex> parent(graph.n);
    dijkstra(graph, Query<D>{.source = 0, .dist = expected.data()}, D{300}, watch);
    for (int light : {10, 60, 150, 299}) {
        const OwnedLight<W> arcs(graph, static_cast<W>(light));
        for (unsigned threads : {1u, 2u, 16u})
            for (bool with_parents : {false, true}) {
                const Query<D> query{
                    .source = 0, .dist = dist.data(), .parent = with_parents ? parent.data() : nullptr};
                DeltaTask<W, D> task(graph, query, D{300}, 3, true);
                arcs.give_to(task, undirected, packed);
                if (threads == 1) {
                    delta_stepping_serial(task, watch);
                } else {
                    ThreadTeam team(threads - 1);
                    delta_stepping_donating(task, team, watch);
                }
                CHECK(dist == expected);
                CHECK(
                    (Certificate<W, D>(graph, 0, dist.data(), query.parent, unreached<D>, 1, 5, watch).check().count ==
                     0));
            }
    }
}

} // namespace

TEST(team_takes_light_arcs_first, threads) {
    for (bool undirected : {true, false}) {
        const auto small = near_graph<std::uint32_t>(20'000, 80'000, 300, undirected);
        light_first_agrees<std::uint32_t, std::uint32_t>(small, undirected);
        light_first_agrees<std::uint32_t, std::uint32_t>(small, undirected, true);
        light_first_agrees<std::int64_t, std::int64_t>(near_graph<std::int64_t>(20'000, 80'000, 300, undirected),
                                                       undirected, true);
        light_first_agrees<double, double>(near_graph<double>(20'000, 80'000, 300, undirected), undirected);
    }
}

TEST(team_goes_on_from_few_settled_vertices, threads) {
    light_first_agrees<std::uint32_t, std::uint32_t>(island_graph<std::uint32_t>(9000, 12'000), false, true);
}

// A word that holds any head and any weight: neither may spill into the other.
TEST(light_arcs_fill_a_word) {
    constexpr Vertex n = (1u << 20) + 1; // 21 bits, and 11 for weights
    const auto owned = graph_of<std::int32_t>(n, {{0, n - 1, 2047}, {0, 1, 2048}, {0, n - 2, 0}, {n - 1, n - 1, 1}});
    const auto graph = owned.view();
    const OwnedLight<std::int32_t> light(graph, 2047);
    const PackedRows rows(n, light.packed_offsets.data(), light.packed_arcs.data());
    CHECK(rows.m() == 3 && rows.offsets[1] == 2 && rows.offsets[n - 1] == 2 && rows.offsets[n] == 3);
    for (Offset arc = 0; arc < rows.m(); ++arc)
        CHECK(rows.head(arc) == light.heads[static_cast<std::size_t>(arc)] &&
              rows.weight(arc) == static_cast<std::uint32_t>(light.weights[static_cast<std::size_t>(arc)]));
}

TEST(team_survives_an_interrupt_between_stages, threads) {
    for (bool undirected : {true, false}) {
        const auto owned = near_graph<std::uint32_t>(20'000, 80'000, 300, undirected);
        const auto graph = owned.view();
        const OwnedLight<std::uint32_t> arcs(graph, 60);
        std::vector<std::uint32_t> dist(graph.n);
        const Query<std::uint32_t> query{.source = 0, .dist = dist.data()};
        bool finished = false;
        for (int after = 0; !finished; after += 3) {
            DeltaTask<std::uint32_t, std::uint32_t> task(graph, query, 300u, 3, false);
            arcs.give_to(task, undirected, !undirected);
            Interrupt interrupt(after);
            ThreadTeam team(7);
            finished = caught<std::runtime_error>([&] { delta_stepping_donating(task, team, interrupt.watch); }) !=
                       "interrupted";
        }
    }
}
