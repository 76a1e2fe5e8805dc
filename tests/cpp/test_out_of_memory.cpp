// Every allocation of every engine fails once: the caller gets std::bad_alloc or, where fewer threads do, the result,
// and the next search is right. Run under ThreadSanitizer, too.
#include <new>

#include "allocation_failure.hpp"
#include "check.hpp"
#include "colliding.hpp"
#include "engines/adds/adds.hpp"
#include "engines/bellman_ford.hpp"
#include "engines/bfs.hpp"
#include "engines/centrality/betweenness.hpp"
#include "engines/delta/donating.hpp"
#include "engines/delta/light_heavy.hpp"
#include "engines/delta/owned.hpp"
#include "engines/delta/serial.hpp"
#include "engines/dijkstra.hpp"
#include "engines/exact_bellman_ford.hpp"
#include "engines/local/ball.hpp"
#include "engines/local/pairs.hpp"
#include "engines/local/spurs.hpp"
#include "engines/schedule/machine.hpp"
#include "graph/light_arcs.hpp"
#include "programs.hpp"
#include "verify/certificate.hpp"

using namespace pathfront;

namespace {

using Dist = std::uint32_t;

// Calls act() with failures from every allocation on, of one allocation and of all later ones; check(done) follows each
// time, with whether act() ended without an error, and then act() again.
template <class Act, class Check>
void fail_everywhere(Act&& act, Check&& check) {
    constexpr std::int64_t too_many = 5000;
    act(); // starts the threads and fills the caches
    for (const std::int64_t count : {std::int64_t{1}, AllocationFailure::all_later}) {
        bool failed = true;
        for (std::int64_t first = 1; failed; ++first) {
            CHECK(first < too_many);
            bool done = false;
            AllocationFailure::arm(first, count);
            try {
                act();
                done = true;
            } catch (const std::bad_alloc&) {
            }
            failed = AllocationFailure::disarm();
            CHECK(done || failed);
            check(done);
            act();
            check(true);
        }
    }
}

// A graph with a hub and levels large enough to be shared, and its weights as hops.
struct Sample {
    OwnedGraph<Dist> weighted;
    std::vector<Dist> dist, expected;
    std::vector<Vertex> parent;

    Sample() {
        std::mt19937 rng(3);
        Triples triples;
        for (Vertex v = 1; v < 400; ++v)
            for (const Vertex u : {Vertex{0}, static_cast<Vertex>(rng() % 400), static_cast<Vertex>(rng() % 400)}) {
                const auto weight = static_cast<std::uint32_t>(1 + rng() % 200);
                triples.emplace_back(u, v, weight);
                triples.emplace_back(v, u, weight);
            }
        weighted = graph_of<Dist>(400, triples);
        dist.resize(400);
        parent.resize(400);
        expected = dist;
        Watch watch;
        dijkstra(view(), Query<Dist>{.source = 0, .dist = expected.data()}, Dist{200}, watch);
    }

    Csr<Dist> view() const { return weighted.view(); }
    Query<Dist> query() { return {.source = 0, .dist = dist.data(), .parent = parent.data()}; }

    // Fails every allocation of search(query, watch).
    template <class Search>
    void fail(Search&& search) {
        Watch watch;
        fail_everywhere([&] { search(query(), watch); }, [&](bool done) { CHECK(!done || dist == expected); });
    }

    // The same for search(task, team, watch) of a delta-stepping.
    template <class Search>
    void fail_team(unsigned threads, Search&& search) {
        fail([&](const Query<Dist>& query, Watch& watch) {
            const DeltaTask<Dist, Dist> task(view(), query, Dist{200}, 4, true);
            if (ThreadTeam team(threads - 1); team.size() > 1)
                search(task, team, watch);
            else
                delta_stepping_serial(task, watch);
        });
    }
};

} // namespace

TEST(memory_fails_in_serial_searches) {
    Sample sample;
    const auto graph = sample.view();
    sample.fail([&](const Query<Dist>& query, Watch& watch) { dijkstra(graph, query, Dist{200}, watch); });
    sample.fail([&](const Query<Dist>& query, Watch& watch) { bellman_ford(graph, query, watch); });
    sample.fail([&](const Query<Dist>& query, Watch& watch) {
        delta_stepping_serial(DeltaTask<Dist, Dist>(graph, query, Dist{200}, 4, true), watch);
    });
}

TEST(memory_fails_in_traces, threads) {
    Sample sample;
    const auto graph = sample.view();
    sample.fail([&](Query<Dist> query, Watch& watch) {
        Trace rows;
        query.trace = &rows;
        ThreadTeam team(2);
        const DeltaTask<Dist, Dist> task(graph, query, Dist{200}, 4, true);
        team.size() > 1 ? delta_stepping_donating(task, team, watch) : delta_stepping_serial(task, watch);
    });
}

TEST(memory_fails_in_teams, threads) {
    Sample sample;
    for (const unsigned threads : {2u, 5u}) {
        sample.fail_team(threads, [](const auto& task, ThreadTeam& team, Watch& watch) {
            delta_stepping_donating(task, team, watch);
        });
        sample.fail_team(threads, [](const auto& task, ThreadTeam& team, Watch& watch) {
            delta_stepping_owned(task, 3, team, watch);
        });
    }
}

TEST(memory_fails_with_light_arcs_first, threads) {
    Sample sample;
    const auto graph = sample.view();
    const Dist most = 60;
    std::vector<Offset> offsets(std::size_t{graph.n} + 1);
    Watch unwatched;
    count_light_arcs(graph, most, offsets.data(), 1, unwatched);
    std::vector<Vertex> heads(static_cast<std::size_t>(offsets.back()));
    std::vector<Dist> weights(heads.size());
    copy_light_arcs(graph, most, offsets.data(), heads.data(), weights.data(), 1, unwatched);
    for (const bool undirected : {false, true})
        for (const unsigned threads : {1u, 3u})
            sample.fail([&](const Query<Dist>& query, Watch& watch) {
                DeltaTask<Dist, Dist> task(graph, query, Dist{200}, 3, true);
                task.light = {graph.n, offsets.data(), heads.data(), weights.data()};
                task.heaviest_light = most;
                task.undirected = undirected;
                if (ThreadTeam team(threads - 1); team.size() > 1)
                    delta_stepping_donating(task, team, watch);
                else
                    delta_stepping_serial(task, watch);
            });
}

TEST(memory_fails_with_heavy_arcs_last, threads) {
    Sample sample;
    for (const unsigned threads : {1u, 3u})
        sample.fail([&](const Query<Dist>& query, Watch& watch) {
            const DeltaTask<Dist, Dist> task(sample.view(), query, Dist{200}, 60, true);
            ThreadTeam team(threads - 1);
            delta_stepping_light_heavy(task, team.size() > 1 ? &team : nullptr, watch);
        });
}

TEST(memory_fails_in_adds, threads) {
    Sample sample;
    const auto graph = sample.view();
    const adds::Settings settings{
        .width = 16, .lowest = 1, .highest = 0x1p20, .buckets = 4, .block_bits = 4, .segment_bits = 2, .patience = 60};
    for (const unsigned threads : {1u, 3u})
        sample.fail([&](const Query<Dist>& query, Watch& watch) {
            const Task<Dist, Dist> task(graph, query, Dist{200});
            adds::Report report;
            ThreadTeam team(threads - 1);
            adds_search(task, settings, team.size() > 1 ? &team : nullptr, watch, report);
        });
}

TEST(memory_fails_in_breadth_first_search, threads) {
    Sample sample;
    const Csr<Hop> graph{sample.view().n, sample.view().offsets, sample.view().heads, nullptr};
    Watch unwatched;
    dijkstra(graph, Query<Dist>{.source = 0, .dist = sample.expected.data()}, Dist{1}, unwatched);
    for (const Csr<Hop>* const backward : {static_cast<const Csr<Hop>*>(nullptr), &graph})
        for (const unsigned threads : {1u, 3u})
            sample.fail([&](const Query<Dist>& query, Watch& watch) {
                BreadthFirst<Dist>(graph, backward, query, threads, watch).run();
            });
}

TEST(memory_fails_in_betweenness, threads) {
    Sample sample;
    const auto graph = sample.view();
    std::vector<Vertex> sources(4);
    for (Vertex v = 0; v < 4; ++v)
        sources[v] = v;
    std::vector<double> found(400), expected(400);
    Watch watch;
    auto run = [&](unsigned threads) {
        std::fill(found.begin(), found.end(), 0.0);
        const BetweennessTask task{.sources = sources.data(), .source_count = 4, .totals = {.of_vertex = found.data()}};
        CHECK(betweenness(graph, Dist{200}, task, threads, watch).kind == SourceFailure::none);
    };
    run(1);
    expected = found;
    for (const unsigned threads : {1u, 3u})
        fail_everywhere([&] { run(threads); }, [&](bool done) { CHECK(!done || found == expected); });
}

TEST(memory_fails_in_schedules, threads) {
    Sample sample;
    const auto graph = sample.view();
    Recording recordings[] = {workfront(Traversal::load_balanced), near_far(Traversal::cooperative_blocks, 30)};
    for (Recording& recording : recordings)
        for (const unsigned threads : {1u, 3u})
            sample.fail([&](const Query<Dist>& query, Watch& watch) {
                const SearchState<Dist, Dist> state(graph, query, Dist{200});
                recording.program.scalar_count = static_cast<unsigned>(recording.scalars.size());
                RunStats stats;
                try {
                    Machine<Dist, Dist, Parents::when_settled>(recording.program, state, recording.scalars, threads,
                                                               {1, 1, 1}, watch, stats)
                        .run();
                } catch (...) {
                    recording.program.cached.reset(); // as in bindings/schedule.cpp
                    throw;
                }
            });
}

TEST(memory_fails_in_exact_sums, threads) {
    Sample sample;
    std::vector<double> weights(sample.weighted.weights.begin(), sample.weighted.weights.end()), dist(400);
    const Csr<double> graph{sample.view().n, sample.view().offsets, sample.view().heads, weights.data()};
    for (const unsigned threads : {1u, 3u}) {
        Watch watch;
        fail_everywhere(
            [&] {
                const Query<double> query{.source = 0, .dist = dist.data(), .parent = sample.parent.data()};
                exact_bellman_ford(graph, query, threads, watch);
            },
            [&](bool done) {
                CHECK(!done || std::equal(dist.begin(), dist.end(), sample.expected.begin(), sample.expected.end()));
            });
    }
}

TEST(memory_fails_in_local_searches, threads) {
    const Sample sample;
    const auto graph = sample.view(); // its own reverse
    const std::vector<Vertex> sources{0, 17, 0, 200}, targets{399, 1, 60, 60};
    const WeightBounds<Dist> weights{1, 200, 100};
    const Dist cutoff = 150;
    for (const unsigned threads : {1u, 3u}) {
        Watch watch;
        Balls<Dist> balls;
        fail_everywhere([&] { balls = find_balls(graph, sources.data(), 4, cutoff, true, weights, threads, watch); },
                        [&](bool done) {
                            for (Offset i = 0; done && i < balls.offsets[1]; ++i)
                                CHECK(balls.dist[i] == sample.expected[balls.vertices[i]]);
                        });
        PathsBetween<Dist> paths;
        fail_everywhere(
            [&] { paths = find_paths(graph, graph, sources.data(), targets.data(), 4, weights, threads, watch); },
            [&](bool done) { CHECK(!done || paths.dist[0] == sample.expected[399]); });
        const Trunk trunk{paths.vertices.data(), paths.offsets[1]};
        std::vector<Dist> rest(graph.n);
        Query<Dist> back{};
        back.source = trunk.target();
        back.dist = rest.data();
        dijkstra(graph, back, weights.heaviest, watch);
        Spurs<Dist> spurs;
        fail_everywhere([&] { spurs = find_spurs(graph, rest.data(), trunk, 0, {}, weights, threads, watch); },
                        [&](bool done) { CHECK(!done || spurs.dist[0] >= paths.dist[0]); });
    }
}

TEST(memory_fails_while_building_and_verifying, threads) {
    Sample sample;
    const auto graph = sample.view();
    std::vector<std::int64_t> tails, heads;
    for (Vertex u = 0; u < graph.n; ++u)
        for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc) {
            tails.push_back(u);
            heads.push_back(graph.heads[arc]);
        }
    std::vector<Offset> offsets(graph.n + std::size_t{1});
    std::vector<Vertex> built(tails.size());
    const EdgeList<std::int64_t, Hop> edges{graph.m(), tails.data(), heads.data(), nullptr};
    for (const unsigned threads : {1u, 3u}) {
        Watch watch;
        fail_everywhere(
            [&] {
                build_rows(edges, graph.n, false, offsets.data(), built.data(), static_cast<Hop*>(nullptr), threads,
                           watch);
            },
            [&](bool done) { CHECK(!done || (built == sample.weighted.heads && offsets == sample.weighted.offsets)); });
        std::uint64_t errors = 0;
        fail_everywhere(
            [&] {
                errors = Certificate<Dist, Dist>(graph, 0, sample.expected.data(), nullptr, unreached<Dist>, threads, 5,
                                                 watch)
                             .check()
                             .count;
            },
            [&](bool) { CHECK(errors == 0); });
    }
}
