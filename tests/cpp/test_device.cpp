// Recorded programs on small graphs, every operation shared by many more threads than cores. Run under ThreadSanitizer,
// too.
#include <stdexcept>

#include "check.hpp"
#include "colliding.hpp"
#include "engines/dijkstra.hpp"
#include "engines/schedule/machine.hpp"
#include "graphs.hpp"
#include "programs.hpp"
#include "verify/certificate.hpp"

using namespace pathfront;

using W = std::uint32_t;

namespace {

constexpr ParallelThresholds always{1, 1, 1};

struct Graph {
    OwnedGraph<W> out, in;
    std::vector<W> dense, dense_in;

    explicit Graph(OwnedGraph<W> graph) : out(std::move(graph)) {
        const std::size_t n = out.offsets.size() - 1;
        in.offsets.assign(n + 1, 0);
        for (Vertex head : out.heads)
            ++in.offsets[head + 1];
        for (std::size_t v = 0; v < n; ++v)
            in.offsets[v + 1] += in.offsets[v];
        auto next = in.offsets;
        in.heads.resize(out.heads.size());
        in.weights.resize(out.heads.size());
        dense.assign(n * n, missing_weight<W>);
        dense_in = dense;
        for (std::size_t u = 0; u < n; ++u)
            for (Offset arc = out.offsets[u]; arc < out.offsets[u + 1]; ++arc) {
                const Vertex v = out.heads[static_cast<std::size_t>(arc)];
                const W weight = out.weights[static_cast<std::size_t>(arc)];
                in.heads[static_cast<std::size_t>(next[v])] = static_cast<Vertex>(u);
                in.weights[static_cast<std::size_t>(next[v]++)] = weight;
                dense[u * n + v] = std::min(dense[u * n + v], weight);
                dense_in[v * n + u] = std::min(dense_in[v * n + u], weight);
            }
    }
};

std::vector<Graph> colliding() {
    std::mt19937 rng(23);
    std::vector<Graph> graphs;
    graphs.emplace_back(random_graph<W>(rng, 300, 6000, 20)); // many improvements of the same vertices
    OwnedGraph<W> positive = random_graph<W>(rng, 300, 6000, 20);
    for (W& weight : positive.weights)
        ++weight;
    graphs.emplace_back(std::move(positive));                   // the same, where nothing need be swapped
    graphs.emplace_back(random_graph<W>(rng, 40, 1600, 0));     // nothing but zeros
    graphs.emplace_back(random_graph<W>(rng, 1200, 3000, 500)); // long and thin
    OwnedGraph<W> hub;
    hub.offsets = {0, 40'000};
    for (Vertex v = 1; v < 300; ++v)
        hub.offsets.push_back(hub.offsets.back() + 1);
    for (int i = 0; i < 40'000; ++i) {
        hub.heads.push_back(i == 0 ? 299
                                   : 1 + static_cast<Vertex>(rng() % 298)); // one can be reached in one routes only
        hub.weights.push_back(static_cast<W>(rng() % 1000));
    }
    for (Vertex v = 1; v < 300; ++v) {
        hub.heads.push_back(v % 298 + 1);
        hub.weights.push_back(static_cast<W>(rng() % 50));
    }
    graphs.emplace_back(std::move(hub)); // a hub with many arcs to few vertices
    return graphs;
}

std::vector<D> expected(const Csr<W>& graph) {
    std::vector<D> dist(graph.n);
    Watch watch;
    dijkstra(graph, Query<D>{.source = 0, .dist = dist.data()}, W{1000}, watch);
    return dist;
}

template <Parents parents>
void prove(Recording recording, const Graph& graph, bool matrix = false) {
    const Csr<W> rows = graph.out.view();
    const std::vector<D> right = expected(rows);
    for (unsigned threads : {1u, 2u, 7u})
        for (int again = 0; again < 2; ++again) { // the second time with the buffers of the first
            std::vector<D> dist(rows.n);
            std::vector<Vertex> parent(rows.n);
            Query<D> query{.source = 0, .dist = dist.data()};
            if (parents != Parents::none)
                query.parent = parent.data();
            SearchState<W, D> state(rows, query, D{1000});
            state.in_arcs = graph.in.view();
            state.swaps = parents != Parents::none && std::ranges::min(graph.out.weights) == 0;
            if (matrix) {
                state.dense = {graph.dense.data()};
                state.dense_in = {graph.dense_in.data()};
            }
            recording.program.scalar_count = static_cast<unsigned>(recording.scalars.size());
            Watch watch;
            RunStats stats;
            Machine<W, D, parents> machine(recording.program, state, recording.scalars, threads, always, watch, stats);
            const Outcome<D> out = machine.run();
            CHECK(!out.overflow && out.iterations > 0);
            CHECK(dist == right);
            for (Vertex v = 1; parents != Parents::none && v < rows.n; ++v) {
                CHECK((parent[v] == no_vertex) == (dist[v] == unreached<D>));
                bool tight = parent[v] == no_vertex;
                for (Offset arc = tight ? 0 : rows.offsets[parent[v]]; !tight && arc < rows.offsets[parent[v] + 1];
                     ++arc)
                    tight = rows.heads[arc] == v && dist[parent[v]] + rows.weights[arc] == dist[v];
                CHECK(tight);
                Vertex at = v;
                for (Vertex steps = 0; at != 0 && at != no_vertex; ++steps, at = parent[at])
                    CHECK(steps <= rows.n); // a tree, whatever the zeros do
            }
        }
}

constexpr Traversal traversals[] = {Traversal::thread_per_list, Traversal::cooperative_blocks, Traversal::cta_warp_scan,
                                    Traversal::load_balanced};

template <class Make>
void prove_on_all(Make&& make, bool matrix = false) {
    for (const Graph& graph : colliding()) {
        prove<Parents::when_settled>(make(), graph, matrix);
        prove<Parents::none>(make(), graph, matrix);
    }
}

} // namespace

TEST(device_team_sweeps_a_workfront_in_four_ways, threads) {
    for (Traversal t : traversals)
        for (std::int64_t mode : {std::int64_t{0}, synchronous})
            prove_on_all([&] { return workfront(t, mode); });
}

TEST(device_team_splits_near_from_far, threads) {
    for (D delta : {1u, 20u, 5000u})
        prove_on_all([&] { return near_far(Traversal::load_balanced, delta); });
}

TEST(device_team_sorts_and_merges, threads) {
    prove_on_all([] { return sorted_buckets(15); });
}

TEST(device_team_relaxes_all_arcs, threads) {
    for (Op op : {Op::relax_edges, Op::relax_vertices})
        for (std::int64_t mode : {std::int64_t{0}, synchronous})
            prove_on_all([&] { return all_arcs(op, mode); });
}

TEST(device_team_pushes_and_pulls, threads) {
    prove_on_all([] { return martin(Op::relax); });
    prove_on_all([] { return martin(Op::pull); });
}

TEST(device_team_pushes_and_pulls_matrices, threads) {
    prove_on_all([] { return martin(Op::relax); }, true);
    prove_on_all([] { return martin(Op::pull); }, true);
}

TEST(device_team_is_left_when_interrupted, threads) {
    const std::vector<Graph> graphs = colliding();
    for (Traversal t : traversals)
        for (const Graph& graph : graphs) {
            Recording recording = workfront(t);
            const Csr<W> rows = graph.out.view();
            std::vector<D> dist(rows.n);
            const SearchState<W, D> state(rows, Query<D>{.source = 0, .dist = dist.data()}, D{1000});
            int calls = 0;
            Watch watch(
                [&](double) {
                    if (++calls == 3)
                        throw std::runtime_error("stop");
                },
                std::chrono::milliseconds(0), 1);
            RunStats stats;
            CHECK(caught<std::runtime_error>([&] {
                      Machine<W, D, Parents::none>(recording.program, state, {}, 4, always, watch, stats).run();
                  }) == "stop");
        }
}

TEST(bags_keep_their_order, threads) {
    ChunkPool<Entry<D, Parents::none>> pool;
    Bag<Entry<D, Parents::none>> bag, other;
    for (Vertex v = 0; v < 3000; ++v)
        (v < 2000 ? bag : other).push({v, v, no_vertex}, pool);
    bag.append(other.take());
    CHECK(bag.size() == 3000);
    Bag<Entry<D, Parents::none>> adopted;
    Bag<Entry<D, Parents::none>> taken = bag.take();
    CHECK(bag.empty() && bag.first() == nullptr);
    while (auto* chunk = taken.take_chunk()) {
        std::uint32_t even = 0;
        for (std::uint32_t i = 0; i < chunk->size; ++i)
            if (chunk->items[i].vertex % 2 == 0)
                chunk->items[even++] = chunk->items[i];
        chunk->size = even;
        adopted.adopt(chunk, pool);
    }
    CHECK(adopted.size() == 1500);
    Vertex next = 0, chunks = 0;
    for (const auto* chunk = adopted.first(); chunk; chunk = chunk->next, ++chunks)
        for (std::uint32_t i = 0; i < chunk->size; ++i, next += 2)
            CHECK(chunk->items[i].vertex == next);
    CHECK(next == 3000 && chunks <= 6);
}

namespace {

// Two threads lowered vertex 1 at the same time, and the larger distance was written last.
struct Overwritten {
    using Item = Entry<D, Parents::when_settled>;

    OwnedGraph<W> graph = graph_of<W>(4, {{0, 1, 10}, {0, 2, 6}, {2, 1, 6}, {1, 3, 1}});
    std::vector<D> dist{0, 12, 6, unreached<D>};
    std::vector<Vertex> parent = std::vector<Vertex>(4, no_vertex);
    SearchState<W, D> state{graph.view(), Query<D>{.source = 0, .dist = dist.data(), .parent = parent.data()}, D{1000}};
    ThreadState<D, Item> thread;
    Bag<Item> again;
    Routes<Item, D> routes{{&again}, {}, 0};

    // Relaxes the entries of vertex 1, of which the smaller comes `first` or second, and returns those it has kept.
    template <Writers writers>
    std::vector<D> take(bool first) {
        auto* chunk = thread.pool.get(nullptr);
        for (bool smaller : {first, !first})
            chunk->items[chunk->size++] = smaller ? Item{10, 1, 0} : Item{12, 1, 2};
        QueueRelaxer<W, D, Parents::when_settled> relaxer(state, thread, routes);
        relaxer.template take<writers>(*chunk);
        relaxer.template relax_current<writers>(
            state.graph, *chunk, [](std::uint32_t) {}, [](Vertex, D, Offset, Offset&) {});
        std::vector<D> left;
        for (std::uint32_t i = 0; i < chunk->size; ++i)
            left.push_back(chunk->items[i].dist);
        return left;
    }
};

} // namespace

TEST(team_writes_an_overwritten_distance_again, threads) {
    for (bool first : {true, false}) {
        Overwritten alone, among_others, passing;
        CHECK(alone.take<Writers::one>(first) == std::vector<D>{10});
        CHECK(alone.dist[1] == 10 && alone.parent[1] == 0 && alone.dist[3] == 11 && alone.again.size() == 1);

        CHECK(among_others.take<Writers::racing>(first).empty()); // for another turn
        CHECK(among_others.dist[1] == 10 && among_others.again.size() == 1 &&
              among_others.again.first()->items[0].dist == 10 && among_others.again.first()->items[0].parent == 0);

        auto* chunk = passing.thread.pool.get(nullptr);
        chunk->items[chunk->size++] = {10, 1, 0};
        keep_current_entries(*chunk, passing.dist.data(), [](const auto&, bool current) { CHECK(current); });
        CHECK(chunk->size == 1 && passing.dist[1] == 10);
    }
}

// Two threads lower the same vertices at the same time, over and over, each of them being right about half.
TEST(device_team_loses_no_distance_to_another_member, threads) {
    using Item = Entry<D, Parents::when_settled>;
    constexpr Vertex heads = 64;
    Triples arcs;
    for (Vertex v = 0; v < heads; ++v)
        for (Vertex u : {0u, 1u})
            arcs.push_back({u, 2 + v, v % 2 == u ? 5 : 9});
    const auto graph = graph_of<W>(2 + heads, arcs);
    std::vector<D> dist(2 + heads);
    std::vector<Vertex> parent(2 + heads);
    const SearchState<W, D> state{graph.view(), Query<D>{.source = 0, .dist = dist.data(), .parent = parent.data()},
                                  D{1000}};
    std::array<ThreadState<D, Item>, 2> thread_states;
    std::array<Bag<Item>, 2> bags;
    std::atomic<int> come{0};
    int wrong = 0;
    run_team(2, [&](unsigned id) {
        int times = 0;
        auto meet = [&] {
            for (come.fetch_add(1), ++times; come.load() < 2 * times;)
                std::this_thread::yield();
        };
        const Routes<Item, D> routes{{&bags[id]}, {}, 0};
        for (int round = 0; round < 20'000; ++round) {
            if (id == 0)
                std::fill_n(dist.begin() + 2, heads, unreached<D>);
            meet();
            QueueRelaxer<W, D, Parents::when_settled>(state, thread_states[id], routes)
                .relax_arcs<Writers::racing>({id, D{0}, graph.offsets[id], graph.offsets[id + 1]},
                                             [](Vertex, D, Offset, Offset&) {});
            meet();
            for (std::size_t i = 0; id == 0 && i < 2; ++i)
                while (auto* chunk = bags[i].take_chunk()) {
                    QueueRelaxer<W, D, Parents::when_settled> relaxer(state, thread_states[i], routes);
                    relaxer.take<Writers::one>(*chunk);
                    relaxer.settle<Writers::one>(chunk->items, chunk->items + chunk->size);
                    thread_states[i].pool.put(chunk);
                }
            for (Vertex v = 0; id == 0 && v < heads; ++v)
                wrong += dist[2 + v] != 5 || parent[2 + v] != v % 2;
        }
    });
    CHECK(wrong == 0);
}
