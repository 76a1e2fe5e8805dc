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
#include "relax/task.hpp"

namespace pathfront {

inline constexpr std::uint32_t ahead_vertex = 16, ahead_arcs = 6; // entries; measured on roads, meshes and rmat
inline constexpr Offset arcs_at_once = 1024;                      // of a hub, between two looks at anything else
inline constexpr std::size_t enough_found = 64;                   // improvements to be applied together

template <class W>
void prefetch_arc(const Csr<W>& graph, Offset arc) {
    prefetch(graph.heads + arc);
    if constexpr (!std::is_same_v<W, Hop>)
        prefetch(graph.weights + arc);
}

inline void prefetch_arc(const PackedRows& rows, Offset arc) { prefetch(rows.arcs + arc); }

template <class Rows>
void prefetch_arcs(const Rows& rows, Vertex u) {
    prefetch_arc(rows, rows.offsets[u]);
}

// The work of one thread. Where improved vertices are queued is up to `Self`, the class that is made of this one: it
// has a push(sum, vertex, parent, keep); and where vertices have owners, an owns(vertex) and a tell(sum, vertex,
// parent) for the improvements of others' vertices.
template <class W, class D, Parents parents, class Self>
class Relaxing {
  public:
    using Item = Entry<D, parents>;

    explicit Relaxing(const Task<W, D>& task) : task_(task) {}

    // Relaxes the vertices of a chunk, `size` many `items`, along the arcs in `rows`. `between(i)` is called every few
    // entries, with the place of the next one: it may shorten the chunk; `during(u, here, arc, to)` between the pieces
    // of a hub, and may lower `to`.
    template <Writers writers, class Rows, class Items, class Between, class During>
    void relax_along(const Rows rows, Items& chunk, Between&& between, During&& during) {
#ifdef PATHFRONT_EIGHT_AT_ONCE
        if constexpr (finds_eight_at_once<Rows, D>)
            if (task_.eight_at_once)
                return relax_eight_at_once<writers>(rows, chunk, between, during);
#endif
        relax_by<OneByOne, writers>(rows, chunk, between, during);
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
    std::array<Improvement<D>, enough_found + arcs_at_once + behind_finds> found_;
    std::array<Vertex, parents == Parents::none ? 0 : enough_found + arcs_at_once + behind_finds> parents_; // of those

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

    // The arcs of a hub, in pieces, or of a vertex so far away that a sum may leave the range of D.
    template <Writers writers, class Rows, class During>
    [[gnu::noinline]] std::size_t find_all(const Rows& rows, Vertex u, D here, Offset from, Offset to,
                                           std::size_t found, During&& during) {
        const bool careful = here > task_.safe || task_.always_look;
        for (Offset arc = from; arc < to;) {
            const Offset end = std::min(to, arc + arcs_at_once);
            found = careful ? find_carefully<writers>(rows, u, here, arc, end, found)
                            : find<writers>(Row<Rows, D>{rows, u, here, arc, end}, found);
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

    // Writes the improvements that were found, and queues their vertices.
    template <Writers writers>
    [[gnu::noinline]] void apply(std::size_t found) {
        const D cutoff = task_.query.cutoff;
        if constexpr (writers == Writers::all) // all lines at once; a compare-and-swap would wait for each by itself
            for (std::size_t i = 0; i < found; ++i)
                prefetch_to_write(task_.query.dist + found_[i].vertex());
        if constexpr (parents == Parents::when_improved) // nobody has looked at these: 10% of a search on roads
            for (std::size_t i = 0; i < found; ++i)
                prefetch_to_write(task_.query.parent + found_[i].vertex());
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
                task_.prefetch_row(v); // its turn comes soon; by then the second cache will have it
                enqueue(sum, v, u);
            }
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
    static constexpr bool keeps_tails = parents != Parents::none;

    Self& self() { return static_cast<Self&>(*this); }

    static constexpr Vertex locked = no_vertex - 1; // in the parents: somebody is writing this vertex

    // Keeps the entries whose distance is still the vertex's, and asks memory for the first arcs of those. Where
    // weights vary, most entries are stale: they must not stand between the live ones, whose arcs are asked for in good
    // time only if something happens in between.
    template <class Find, Writers writers, class Rows, class Items>
    void drop_stale(const Rows& rows, Items& chunk) {
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
            prefetch_row<Find>(rows, chunk.items[i].vertex);
    }

#ifdef PATHFRONT_EIGHT_AT_ONCE
    // The loop by itself, so that all of it is compiled for that processor, and flattened, since GCC would not see that
    // what is in it may be inlined there.
    template <Writers writers, class Rows, class Items, class Between, class During>
    PATHFRONT_EIGHT_AT_ONCE [[gnu::flatten]] void relax_eight_at_once(const Rows& rows, Items& chunk, Between&& between,
                                                                      During&& during) {
        relax_by<EightAtOnce, writers>(rows, chunk, between, during);
    }
#endif

    template <class Find, Writers writers, class Rows, class Items, class Between, class During>
    [[gnu::always_inline]] void relax_by(const Rows rows, Items& chunk, Between&& between, During&& during) {
        const D* const dist = task_.query.dist;
        const D safe = task_.safe;
        const bool always_look = task_.always_look;
        drop_stale<Find, writers>(rows, chunk);
        std::size_t found = 0;
        std::uint64_t vertices = 0;
        Offset edges = 0;
        for (std::uint32_t i = 0; i < chunk.size; ++i) {
            if (i % 8 == 0)
                between(i);
            if (i + ahead_arcs < chunk.size) {
                prefetch_row<Find>(rows, chunk.items[i + ahead_arcs].vertex);
                if constexpr (parents == Parents::when_settled)
                    prefetch_to_write(task_.query.parent + chunk.items[i + ahead_arcs].vertex);
            }
            const D here = chunk.items[i].dist;
            const Vertex u = chunk.items[i].vertex;
            if (load<writers>(dist + u) != here)
                continue; // improved since, by a neighbour in this very chunk
            if constexpr (parents == Parents::when_settled)
                task_.query.parent[u] = chunk.items[i].parent;
            const Offset from = rows.offsets[u], to = rows.offsets[u + 1];
            if (to - from > arcs_at_once || here > safe || always_look) [[unlikely]] {
                found = find_all<writers>(rows, u, here, from, to, found, during);
            } else {
                found = Find::template find<writers, keeps_tails>(Row<Rows, D>{rows, u, here, from, to}, dist, finds(),
                                                                  found);
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

    Finds<D> finds() { return {found_.data(), parents_.data()}; }

    // Asks memory for a row that begins in one line and may end in the next. The processor asks for that by itself when
    // it sees one arc after the other looked at, but not when it sees eight at once.
    template <class Find, class Rows>
    [[gnu::always_inline]] static void prefetch_row(const Rows& rows, Vertex u) {
        prefetch_arc(rows, rows.offsets[u]);
        if constexpr (!std::is_same_v<Find, OneByOne>)
            prefetch_arc(rows, rows.offsets[u + 1] - 1);
    }

    template <Writers writers, class Rows>
    std::size_t find(const Row<Rows, D>& row, std::size_t found) {
        const D* const dist = task_.query.dist;
#ifdef PATHFRONT_EIGHT_AT_ONCE
        if constexpr (finds_eight_at_once<Rows, D>)
            if (task_.eight_at_once)
                return EightAtOnce::find<writers, keeps_tails>(row, dist, finds(), found);
#endif
        return OneByOne::find<writers, keeps_tails>(row, dist, finds(), found);
    }

    // The same where a sum may leave the range of D.
    template <Writers writers, class Rows>
    std::size_t find_carefully(const Rows& rows, [[maybe_unused]] Vertex u, D here, Offset from, Offset to,
                               std::size_t found) {
        for (Offset arc = from; arc < to; ++arc) {
            D sum;
            if (!add_checked(here, rows.weight(arc), sum)) {
                overflow = true;
                continue;
            }
            found_[found] = {sum, rows.head(arc)};
            if constexpr (parents != Parents::none)
                parents_[found] = u;
            found += sum < load<writers>(task_.query.dist + rows.head(arc));
        }
        return found;
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
};

} // namespace pathfront
