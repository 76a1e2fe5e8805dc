// Recorded programs on small graphs, every operation shared by many more threads than cores. Run under ThreadSanitizer,
// too.
#include <stdexcept>

#include "check.hpp"
#include "device/machine.hpp"
#include "engines/dijkstra.hpp"
#include "graphs.hpp"
#include "verify/certificate.hpp"

using namespace pathfront;

using D = std::uint32_t;
using W = std::uint32_t;

namespace {

constexpr Worth always{1, 1, 1};

struct Recording {
    Program program;
    std::vector<D> scalars;

    std::size_t add(Op op, std::vector<unsigned> queues = {}, std::vector<unsigned> values = {},
                    std::int64_t number = 0) {
        for (unsigned queue : queues)
            program.queue_count = std::max(program.queue_count, queue + 1);
        program.code.push_back({op, std::move(queues), std::move(values), number, 0});
        return program.code.size() - 1;
    }

    void close(std::size_t repeat) {
        program.code[add(Op::again)].jump = repeat;
        program.code[repeat].jump = program.code.size();
    }
};

Recording workfront(Traversal traversal) {
    Recording r;
    r.add(Op::start, {0});
    const std::size_t loop = r.add(Op::repeat, {0});
    r.add(Op::relax, {0, 0}, {}, static_cast<std::int64_t>(traversal));
    r.add(Op::unique, {0, 0});
    r.close(loop);
    return r;
}

// Near (0) and far (1); limit, step, lowest.
Recording near_far(Traversal traversal, D delta) {
    Recording r;
    r.scalars = {delta, delta, 0};
    r.add(Op::start, {0});
    const std::size_t outer = r.add(Op::repeat, {0, 1});
    const std::size_t inner = r.add(Op::repeat, {0});
    r.add(Op::relax, {0, 0, 1}, {0}, static_cast<std::int64_t>(traversal));
    r.close(inner);
    r.add(Op::lowest, {1, 1}, {2});
    r.add(Op::raise, {}, {0, 2, 1});
    r.add(Op::split, {1, 0, 1}, {0});
    r.close(outer);
    return r;
}

// One bucket, sorted and merged: lowest (0), found (1), pile (2), far (3); end, step, base.
Recording sorted_buckets(D delta) {
    Recording r;
    r.scalars = {delta, delta, 0};
    r.add(Op::start, {2});
    const std::size_t outer = r.add(Op::repeat, {2, 3});
    r.add(Op::split, {2, 0, 2}, {0}, 1);
    const std::size_t inner = r.add(Op::repeat, {0});
    r.add(Op::relax, {0, 1, 3}, {0}, static_cast<std::int64_t>(Traversal::cooperative_blocks));
    r.add(Op::sort, {1});
    r.add(Op::merge, {1, 2});
    r.add(Op::split, {2, 0, 2}, {0}, 1);
    r.close(inner);
    r.add(Op::lowest, {3, 3}, {2});
    r.add(Op::raise, {}, {0, 2, 1});
    r.add(Op::split, {3, 2, 3}, {0});
    r.add(Op::sort, {2});
    r.close(outer);
    return r;
}

Recording all_edges() {
    Recording r;
    r.add(Op::start, {0});
    const std::size_t loop = r.add(Op::repeat, {0});
    r.add(Op::relax_edges, {0});
    r.close(loop);
    return r;
}

// Front (0) and waiting (1); lowest.
Recording martin(Op relaxing) {
    Recording r;
    r.scalars = {0};
    r.add(Op::start, {1});
    const std::size_t loop = r.add(Op::repeat, {1});
    r.add(Op::lowest, {1, 1}, {0});
    r.add(Op::split, {1, 0, 1}, {0});
    r.add(relaxing, {0, 1});
    r.close(loop);
    return r;
}

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
    graphs.emplace_back(random_graph<W>(rng, 300, 6000, 20));   // many improvements of the same vertices
    graphs.emplace_back(random_graph<W>(rng, 40, 1600, 0));     // nothing but zeros
    graphs.emplace_back(random_graph<W>(rng, 1200, 3000, 500)); // long and thin
    OwnedGraph<W> hub;
    hub.offsets = {0, 40'000};
    for (Vertex v = 1; v < 300; ++v)
        hub.offsets.push_back(hub.offsets.back() + 1);
    for (int i = 0; i < 40'000; ++i) {
        hub.heads.push_back(1 + static_cast<Vertex>(rng() % 299));
        hub.weights.push_back(static_cast<W>(rng() % 1000));
    }
    for (Vertex v = 1; v < 300; ++v) {
        hub.heads.push_back(v % 299 + 1);
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

template <bool keeps_parents>
void prove(Recording recording, const Graph& graph, bool matrix = false) {
    const Csr<W> rows = graph.out.view();
    const std::vector<D> right = expected(rows);
    for (unsigned threads : {1u, 2u, 7u})
        for (int again = 0; again < 2; ++again) { // the second time with the buffers of the first
            std::vector<D> dist(rows.n);
            std::vector<Vertex> parent(rows.n);
            Query<D> query{.source = 0, .dist = dist.data()};
            if (keeps_parents)
                query.parent = parent.data();
            Board<W, D> board{rows, query, safe_distance(D{1000}), false, graph.in.view()};
            if (matrix) {
                board.dense = {graph.dense.data()};
                board.dense_in = {graph.dense_in.data()};
            }
            recording.program.scalar_count = static_cast<unsigned>(recording.scalars.size());
            Watch watch;
            Account account;
            Machine<W, D, keeps_parents> machine(recording.program, board, recording.scalars, threads, always, watch,
                                                 account);
            const Outcome<D> out = machine.run();
            CHECK(!out.overflow && out.iterations > 0);
            CHECK(dist == right);
            for (Vertex v = 1; keeps_parents && v < rows.n; ++v) {
                CHECK((parent[v] == no_vertex) == (dist[v] == unreached<D>));
                Vertex at = v;
                for (Vertex steps = 0; at != 0 && at != no_vertex; ++steps, at = parent[at])
                    CHECK(steps <= rows.n); // a tree, whatever the zeros do
            }
        }
}

template <class Make>
void prove_on_all(Make&& make, bool matrix = false) {
    for (const Graph& graph : colliding()) {
        prove<true>(make(), graph, matrix);
        prove<false>(make(), graph, matrix);
    }
}

} // namespace

TEST(device_team_sweeps_a_workfront_in_three_ways) {
    for (Traversal t : {Traversal::cooperative_blocks, Traversal::cta_warp_scan, Traversal::load_balanced})
        prove_on_all([&] { return workfront(t); });
}

TEST(device_team_splits_near_from_far) {
    for (D delta : {1u, 20u, 5000u})
        prove_on_all([&] { return near_far(Traversal::load_balanced, delta); });
}

TEST(device_team_sorts_and_merges) {
    prove_on_all([] { return sorted_buckets(15); });
}

TEST(device_team_relaxes_all_edges) {
    prove_on_all([] { return all_edges(); });
}

TEST(device_team_pushes_and_pulls) {
    prove_on_all([] { return martin(Op::relax); });
    prove_on_all([] { return martin(Op::pull); });
}

TEST(device_team_pushes_and_pulls_matrices) {
    prove_on_all([] { return martin(Op::relax); }, true);
    prove_on_all([] { return martin(Op::pull); }, true);
}

TEST(device_team_is_left_when_interrupted) {
    const std::vector<Graph> graphs = colliding();
    for (Traversal t : {Traversal::cooperative_blocks, Traversal::cta_warp_scan, Traversal::load_balanced})
        for (const Graph& graph : graphs) {
            Recording recording = workfront(t);
            const Csr<W> rows = graph.out.view();
            std::vector<D> dist(rows.n);
            const Board<W, D> board{rows, Query<D>{.source = 0, .dist = dist.data()}, safe_distance(D{1000}), false};
            int calls = 0;
            Watch watch(
                [&](double) {
                    if (++calls == 3)
                        throw std::runtime_error("stop");
                },
                std::chrono::milliseconds(0), 1);
            Account account;
            CHECK(caught<std::runtime_error>([&] {
                      Machine<W, D, false>(recording.program, board, {}, 4, always, watch, account).run();
                  }) == "stop");
        }
}

TEST(bags_keep_their_order) {
    ChunkPool<Waiting<D, false>> pool;
    Bag<Waiting<D, false>> bag, other;
    for (Vertex v = 0; v < 3000; ++v)
        (v < 2000 ? bag : other).push({v, v, no_vertex}, pool);
    bag.append(std::move(other));
    CHECK(bag.size() == 3000);
    Bag<Waiting<D, false>> adopted;
    Bag<Waiting<D, false>> taken = bag.take();
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
