// Relaxing the vertices of a bucket: the inner loop of delta-stepping, for one thread and for several.
//
// What makes it fast, in order of effect:
// - Improvements are found first and applied later. Finding has no branch that depends on a distance, so that the
//   processor can run far ahead over arcs and vertices while memory answers; only the few improvements found are then
//   looked at again, written and queued.
// - The next vertices are known long before they are needed: the offsets of a vertex are asked for when it is queued,
//   its distance a few entries before it is looked at, and its arcs a few entries before they are relaxed.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>

#include "core/chunks.hpp"
#include "core/improvement.hpp"
#include "core/level.hpp"
#include "core/level_queue.hpp"
#include "core/prefetch.hpp"
#include "engines/search.hpp"

namespace pathfront {

inline constexpr std::uint32_t ahead_vertex = 16, ahead_arcs = 6; // entries; measured on roads, meshes and rmat
inline constexpr Offset arcs_at_once = 1024;                      // of a hub, between two looks at anything else
inline constexpr std::size_t enough_found = 64;                   // improvements to be applied together

template <class W>
void prefetch_arcs(const Csr<W>& graph, Vertex u) {
    const Offset arc = graph.offsets[u];
    prefetch(graph.heads + arc);
    if constexpr (!std::is_same_v<W, Hop>)
        prefetch(graph.weights + arc);
}

// When parents are written. With the improvement, always right, also among threads; or when the vertex is taken out of
// the queue, from its entry: one write for each vertex instead of one for each improvement, at a time when the vertex
// is at hand anyway. Among threads an old entry's write could come after a newer one's.
enum class Parents { none, when_improved, when_settled };

// Who writes distances while a thread relaxes: itself alone; all threads, any of them, so that each write is a
// compare-and-swap; or all threads, but for each vertex only the one that owns it.
enum class Writers { one, all, owner };

// A vertex in the queue, at the distance it had when it was put there.
template <class D, Parents parents>
struct Entry {
    D dist;
    Vertex vertex;
};
template <class D>
struct Entry<D, Parents::when_settled> {
    D dist;
    Vertex vertex, parent;
};

// What a search knows besides its queue.
template <class W, class D>
struct Task {
    const Csr<W>& graph;
    Csr<W> rows; // the arcs along which a vertex is relaxed when it is taken out of the queue: all, or the light ones
    const Query<D>& query;
    Leveling<D> leveling;
    bool adaptive;    // the width of the buckets may change during the search
    D safe;           // up to here no sum can leave the range of D
    bool always_look; // even the first sum may
    // A bit for each vertex, set where there is no need to go on (graph/dead_ends.hpp), or null: then one goes on
    // always.
    const std::uint64_t* dead_ends = nullptr;
    // Where light arcs come first (stages.hpp): these arcs, and what they weigh at most.
    Csr<W> light{};
    D heaviest_light = 0;
    bool undirected = false; // every arc has its opposite, of the same weight

    Task(const Csr<W>& g, const Query<D>& q, D heaviest, int exponent, bool adapts)
        : graph(g), rows(g), query(q), leveling(exponent), adaptive(adapts), safe(safe_distance(heaviest)),
          always_look(heaviest > largest_distance<D>) {}

    bool is_dead_end(Vertex v) const { return dead_ends && (dead_ends[v / 64] >> v % 64 & 1); }

    template <Parents parents>
    std::uint64_t operator()(const Entry<D, parents>& entry) const {
        return leveling(entry.dist);
    }
};

// The work of one thread. Where improved vertices are queued is up to `Self`, the class that is made of this one: it
// has a push(sum, vertex, parent, keep); and where vertices have owners, an owns(vertex) and a tell(sum, vertex,
// parent) for the improvements of others' vertices.
template <class W, class D, Parents parents, class Self>
class Relaxing {
  public:
    using Item = Entry<D, parents>;

    explicit Relaxing(const Task<W, D>& task) : task_(task) {}

    // Relaxes the vertices of a chunk: `size` many `items`. `between(i)` is called every few entries, with the place of
    // the next one: it may shorten the chunk; `during(u, here, arc, to)` between the pieces of a hub, and may lower
    // `to`.
    template <Writers writers, class Items, class Between, class During>
    void relax(Items& chunk, Between&& between, During&& during) {
        const Csr<W> graph = task_.rows;
        const D* const dist = task_.query.dist;
        const D safe = task_.safe;
        const bool always_look = task_.always_look;
        drop_stale<writers>(chunk);
        std::size_t found = 0;
        std::uint64_t vertices = 0;
        Offset edges = 0;
        for (std::uint32_t i = 0; i < chunk.size; ++i) {
            if (i % 8 == 0)
                between(i);
            if (i + ahead_arcs < chunk.size)
                prefetch_arcs(graph, chunk.items[i + ahead_arcs].vertex);
            const D here = chunk.items[i].dist;
            const Vertex u = chunk.items[i].vertex;
            if (load<writers>(dist + u) != here)
                continue; // improved since, by a neighbour in this very chunk
            if constexpr (parents == Parents::when_settled)
                task_.query.parent[u] = chunk.items[i].parent;
            const Offset from = graph.offsets[u], to = graph.offsets[u + 1];
            if (to - from > arcs_at_once || here > safe || always_look) [[unlikely]] {
                found = find_all<writers>(graph, u, here, from, to, found, during);
            } else {
                found = find<writers>(graph, dist, u, here, from, to, found);
                edges += to - from;
                if (found >= enough_found) {
                    apply<writers>(found);
                    found = 0;
                }
            }
            ++vertices;
        }
        apply<writers>(found);
        vertices_processed += vertices;
        edges_relaxed += static_cast<std::uint64_t>(edges);
    }

    // Relaxes some arcs of one vertex.
    template <Writers writers, class During>
    void relax_arcs(Vertex u, D here, Offset from, Offset to, During&& during) {
        apply<writers>(find_all<writers>(task_.rows, u, here, from, to, 0, during));
    }

    // Relaxes vertices once more, along all of their arcs: those from `first` up to `last` that are nearer than
    // `settled`.
    template <Writers writers>
    void relax_again(Vertex first, Vertex last, D settled) {
        const Csr<W> graph = task_.graph;
        std::size_t found = 0;
        for_some<writers>(
            first, last, [&](D dist) { return dist < settled; },
            [&](Vertex u) {
                const D here = load<writers>(task_.query.dist + u);
                found = find_all<writers>(graph, u, here, graph.offsets[u], graph.offsets[u + 1], found,
                                          [](Vertex, D, Offset, Offset&) {});
            });
        apply<writers>(found);
    }

    // Gives distances, if they are within the horizon, to vertices next to settled ones, which are nearer than
    // `settled`, seen along the same arcs backwards: to those from `first` up to `last` that are not settled
    // themselves. They are final, and not queued, unless they have other neighbours too. Nobody else writes them
    // meanwhile.
    template <Writers writers>
    void look_back(Vertex first, Vertex last, D settled, D horizon) {
        const Csr<W> graph = task_.graph;
        D* const dist = task_.query.dist;
        for_some<writers>(
            first, last, [&](D d) { return d >= settled; },
            [&](Vertex v) {
                D best = horizon;
                Vertex parent = no_vertex;
                bool all_settled = true;
                for (Offset arc = graph.offsets[v]; arc < graph.offsets[v + 1]; ++arc) {
                    const Vertex u = graph.heads[arc];
                    const D there = load<writers>(dist + u);
                    all_settled &= there < settled;
                    const D sum = there < settled ? add(there, graph.weight(arc)) : unreached<D>;
                    parent = sum < best ? u : parent;
                    best = sum < best ? sum : best;
                }
                edges_relaxed += static_cast<std::uint64_t>(graph.offsets[v + 1] - graph.offsets[v]);
                const bool reached = parent != no_vertex && best <= task_.query.cutoff;
                store<writers>(dist + v, reached ? best : horizon);
                if (!reached)
                    return;
                if (parents == Parents::when_improved || (parents == Parents::when_settled && all_settled))
                    task_.query.parent[v] = parent;
                vertices_processed += all_settled;
                if (!all_settled)
                    self().push(best, v, parent, true);
            });
    }

    // Puts the sources into the queue.
    void start() {
        for_sources(task_.query, [&](Vertex v) {
            task_.query.dist[v] = 0;
            self().push(D{0}, v, no_vertex, true);
        });
    }

    static Item item_of(D sum, Vertex v, [[maybe_unused]] Vertex u) {
        if constexpr (parents == Parents::when_settled)
            return {sum, v, u};
        else
            return {sum, v};
    }

    D level_end = 0; // of the current level, where there are levels
    std::uint64_t vertices_processed = 0, edges_relaxed = 0;
    std::uint64_t improved_again = 0; // improvements of vertices that were in the current level already
    bool overflow = false;

  protected:
    const Task<W, D>& task_;

    // Writes a distance if it is still an improvement, and the parent with it if it is time.
    template <Writers writers>
    bool improve(Vertex v, D sum, [[maybe_unused]] Vertex u) {
        D* const dist = task_.query.dist;
        if constexpr (writers != Writers::all) {
            const D before = dist[v];
            if (sum >= before)
                return false;
            store<writers>(dist + v, sum);
            improved_again += before < level_end;
            if constexpr (parents == Parents::when_improved)
                task_.query.parent[v] = u;
            return true;
        } else if constexpr (parents == Parents::none) {
            std::atomic_ref<D> place(dist[v]);
            D now = place.load(std::memory_order_relaxed);
            while (sum < now)
                if (place.compare_exchange_weak(now, sum, std::memory_order_relaxed)) {
                    improved_again += now < level_end;
                    return true;
                } // else somebody wrote it, or nothing happened: look again
            return false;
        } else {
            static_assert(parents == Parents::when_improved);
            return improve_locked(v, sum, u);
        }
    }

    // Queues an improved vertex, unless it leads nowhere.
    void enqueue(D sum, Vertex v, Vertex u) {
        const bool dead_end = task_.is_dead_end(v);
        if constexpr (parents == Parents::when_settled)
            if (dead_end)
                task_.query.parent[v] = u; // it will not be taken out of the queue
        vertices_processed += dead_end;
        self().push(sum, v, u, !dead_end);
    }

  private:
    Self& self() { return static_cast<Self&>(*this); }

    static constexpr Vertex locked = no_vertex - 1; // in the parents: somebody is writing this vertex

    template <Writers writers>
    static D load(const D* dist) {
        if constexpr (writers != Writers::one)
            return std::atomic_ref<D>(*const_cast<D*>(dist)).load(std::memory_order_relaxed);
        else
            return *dist;
    }

    template <Writers writers>
    static void store(D* dist, D sum) {
        if constexpr (writers != Writers::one)
            std::atomic_ref<D>(*dist).store(sum, std::memory_order_relaxed);
        else
            *dist = sum;
    }

    // Keeps the entries whose distance is still the vertex's, and asks memory for the first arcs of those. Where
    // weights vary, most entries are stale: they must not stand between the live ones, whose arcs are asked for in good
    // time only if something happens in between.
    template <Writers writers, class Items>
    void drop_stale(Items& chunk) {
        const D* const dist = task_.query.dist;
        for (std::uint32_t i = 0; i < std::min(ahead_vertex, chunk.size); ++i)
            prefetch(dist + chunk.items[i].vertex);
        std::uint32_t live = 0;
        for (std::uint32_t i = 0; i < chunk.size; ++i) {
            const Item entry = chunk.items[i];
            if (i + ahead_vertex < chunk.size)
                prefetch(dist + chunk.items[i + ahead_vertex].vertex);
            chunk.items[live] = entry;
            live += load<writers>(dist + entry.vertex) == entry.dist;
        }
        chunk.size = live;
        for (std::uint32_t i = 0; i < std::min(ahead_arcs, live); ++i)
            prefetch_arcs(task_.rows, chunk.items[i].vertex);
    }

    // The arcs of a hub, in pieces, or of a vertex so far away that a sum may leave the range of D.
    template <Writers writers, class During>
    std::size_t find_all(const Csr<W>& graph, Vertex u, D here, Offset from, Offset to, std::size_t found,
                         During&& during) {
        const bool careful = here > task_.safe || task_.always_look;
        for (Offset arc = from; arc < to;) {
            const Offset end = std::min(to, arc + arcs_at_once);
            found = careful ? find_carefully<writers>(graph, u, here, arc, end, found)
                            : find<writers>(graph, task_.query.dist, u, here, arc, end, found);
            edges_relaxed += static_cast<std::uint64_t>(end - arc);
            arc = end;
            if (found >= enough_found) {
                apply<writers>(found);
                found = 0;
            }
            if (arc < to)
                during(u, here, arc, to);
        }
        return found;
    }

    // Calls visit(v) for the vertices from `first` up to `last` whose distance is as asked, whose arcs and nearest
    // heads' distances memory is asked for in good time.
    template <Writers writers, class Is, class Visit>
    void for_some(Vertex first, Vertex last, Is&& is, Visit&& visit) {
        constexpr Vertex at_once = 1024, looked_at = 4;
        const Csr<W> graph = task_.graph;
        const D* const dist = task_.query.dist;
        std::array<Vertex, at_once> some;
        for (; first < last; first += std::min(at_once, last - first)) {
            std::uint32_t count = 0;
            for (Vertex v = first; v < first + std::min(at_once, last - first); ++v) {
                some[count] = v;
                count += is(load<writers>(dist + v));
            }
            for (std::uint32_t i = 0; i < count; ++i) {
                if (i + ahead_vertex < count)
                    prefetch_arcs(graph, some[i + ahead_vertex]);
                if (i + ahead_arcs < count) {
                    const Offset from = graph.offsets[some[i + ahead_arcs]];
                    const Offset to = std::min<Offset>(graph.offsets[some[i + ahead_arcs] + 1], from + looked_at);
                    for (Offset arc = from; arc < to; ++arc)
                        prefetch(dist + graph.heads[arc]);
                }
                visit(some[i]);
            }
        }
    }

    template <Writers writers>
    std::size_t find(const Csr<W>& graph, const D* dist, [[maybe_unused]] Vertex u, D here, Offset from, Offset to,
                     std::size_t found) {
        for (Offset arc = from; arc < to; ++arc) {
            const D sum = add(here, graph.weight(arc));
            const Vertex v = graph.heads[arc];
            found_[found] = {sum, v};
            if constexpr (parents != Parents::none)
                parents_[found] = u;
            found += sum < load<writers>(dist + v);
        }
        return found;
    }

    // The same where a sum may leave the range of D.
    template <Writers writers>
    std::size_t find_carefully(const Csr<W>& graph, [[maybe_unused]] Vertex u, D here, Offset from, Offset to,
                               std::size_t found) {
        for (Offset arc = from; arc < to; ++arc) {
            D sum;
            if (!add_checked(here, graph.weight(arc), sum)) {
                overflow = true;
                continue;
            }
            found_[found] = {sum, graph.heads[arc]};
            if constexpr (parents != Parents::none)
                parents_[found] = u;
            found += sum < load<writers>(task_.query.dist + graph.heads[arc]);
        }
        return found;
    }

    template <Writers writers>
    void apply(std::size_t found) {
        const D cutoff = task_.query.cutoff;
        if constexpr (writers == Writers::all) // all lines at once; a compare-and-swap would wait for each by itself
            for (std::size_t i = 0; i < found; ++i)
                prefetch_to_write(task_.query.dist + found_[i].vertex());
        for (std::size_t i = 0; i < found; ++i) {
            const D sum = found_[i].dist();
            const Vertex v = found_[i].vertex();
            Vertex u = no_vertex;
            if constexpr (parents != Parents::none)
                u = parents_[i];
            if constexpr (writers == Writers::owner)
                if (!self().owns(v)) {
                    if (sum <= cutoff)
                        self().tell(sum, v, u);
                    continue;
                }
            if (sum <= cutoff && improve<writers>(v, sum, u)) {
                prefetch(task_.rows.offsets + v); // its turn comes soon; by then the second cache will have it
                enqueue(sum, v, u);
            }
        }
    }

    // Two words cannot be swapped at once: the parent's is taken away while both are written.
    bool improve_locked(Vertex v, D sum, Vertex u) {
        std::atomic_ref<D> place(task_.query.dist[v]);
        if (sum >= place.load(std::memory_order_relaxed))
            return false;
        std::atomic_ref<Vertex> parent(task_.query.parent[v]);
        Vertex before;
        // acquire: what the last holder wrote to the distance is seen
        for (int tries = 1; (before = parent.exchange(locked, std::memory_order_acquire)) == locked; ++tries)
            if (tries % 64 == 0)
                std::this_thread::yield(); // the holder may wait for this core
        const D now = place.load(std::memory_order_relaxed);
        const bool better = sum < now;
        if (better) {
            place.store(sum, std::memory_order_relaxed);
            improved_again += now < level_end;
        }
        parent.store(better ? u : before, std::memory_order_release);
        return better;
    }

    std::array<Improvement<D>, enough_found + arcs_at_once> found_;
    std::array<Vertex, parents == Parents::none ? 0 : enough_found + arcs_at_once> parents_; // of those found
};

// One thread with a queue of its own.
template <class W, class D, Parents parents>
class Relaxer : public Relaxing<W, D, parents, Relaxer<W, D, parents>> {
  public:
    using Base = Relaxing<W, D, parents, Relaxer>;
    using typename Base::Item;
    using Bucket = Chunk<Item>;

    using Base::Base;

    // Goes on to the next level, which must not be beyond the queue's next.
    void move_to(std::uint64_t level) {
        queue.move_to(level, this->task_);
        this->level_end = this->task_.leveling.end(level);
    }

    void push(D sum, Vertex v, Vertex u, bool keep) {
        queue.push(this->task_.leveling(sum), Base::item_of(sum, v, u), keep);
    }

    ChunkPool<Item> pool;
    LevelQueue<Item> queue{pool};
};

// Counts a level that is done, given what the search has taken up to now, and adds its row to the trace.
template <class W, class D>
void count_level(const Task<W, D>& task, std::uint64_t level, std::uint64_t vertices, std::uint64_t edges,
                 Outcome<D>& out) {
    if (vertices == out.vertices_processed)
        return; // nothing but stale entries
    if (task.query.trace) {
        const double low = static_cast<double>(level) * task.leveling.width();
        task.query.trace->push_back(
            {vertices - out.vertices_processed, edges - out.edges_relaxed, low, low + task.leveling.width()});
    }
    ++out.iterations;
    out.vertices_processed = vertices;
    out.edges_relaxed = edges;
}

// Counts what was done after the last level, with vertices from `low` on that were never queued.
template <class W, class D>
void count_rest(const Task<W, D>& task, D low, std::uint64_t vertices, std::uint64_t edges, Outcome<D>& out) {
    if (vertices == out.vertices_processed && edges == out.edges_relaxed)
        return;
    if (task.query.trace) {
        D high = low;
        for (Vertex v = 0; v < task.graph.n; ++v)
            high = std::max(high, task.query.dist[v] == unreached<D> ? low : task.query.dist[v]);
        task.query.trace->push_back({vertices - out.vertices_processed, edges - out.edges_relaxed,
                                     static_cast<double>(low), static_cast<double>(high)});
    }
    ++out.iterations;
    out.vertices_processed = vertices;
    out.edges_relaxed = edges;
}

// Takes targets from the end of a list as long as they are final: nearer than the horizon, at or below a level that is
// done.
template <class W, class D>
bool all_final(std::vector<Vertex>& targets, const Task<W, D>& task, std::uint64_t level, D horizon) {
    while (!targets.empty()) {
        const D dist = task.query.dist[targets.back()];
        if (dist >= horizon || task.leveling(dist) > level)
            return false;
        targets.pop_back();
    }
    return true;
}

} // namespace pathfront
