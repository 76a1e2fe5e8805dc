// Relaxing queued vertices: the inner loop of delta-stepping, ADDS and the schedules, for one thread and for several.
//
// What makes it fast, in order of effect:
// - A scan collects improvements, which are applied later. The scan has no branch that depends on a distance, so the
//   processor runs far ahead over arcs and vertices while memory loads are pending. Only the few improvements found are
//   then compared again, written and queued.
// - Prefetching: of a vertex's offsets when it is queued, of its distance a few entries before it is read, and of its
//   arcs a few entries before they are scanned.
#pragma once

#include <array>
#include <cstdint>

#include "core/chunks.hpp"
#include "relax/entry.hpp"
#include "relax/task.hpp"

namespace pathfront {

inline constexpr std::uint32_t ahead_vertex = 16; // entries between a distance's prefetch and its use
inline constexpr std::uint32_t ahead_arcs = 6;    // the same for arcs; both measured on roads, meshes and R-MAT
inline constexpr Offset arcs_at_once = 1024;      // of a hub, between two calls of `during`
inline constexpr std::size_t enough_found = 64;   // improvements to be applied together

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

// Some arcs of one vertex: what is left of a hub that several threads relax.
template <class D>
struct ArcRange {
    Vertex tail;
    D dist;
    Offset from = 0, to = 0;
};

// The work of one thread. `Self` is the derived class and has the queue: push(sum, vertex, parent, keep) queues an
// improved vertex; `keep` is false for dead ends, which are not stored. With Writers::owner it also has owns(vertex),
// and send(sum, vertex, parent) for improvements of vertices that it does not own. With `restores`, distances may have
// been overwritten by larger ones (Writers::racing); then it has restore<writers>(chunk).
template <class W, class D, Parents parents, class Self, bool restores = false>
class RelaxCore {
  public:
    using Item = Entry<D, parents>;

    explicit RelaxCore(const Task<W, D>& task) : task_(task) {}

    // Relaxes the vertices of a chunk, `size` many `items`, along the arcs in `rows`. `between(i)` is called every few
    // entries with the index of the next one, and may shorten the chunk. `during(tail, dist, arc, to)` is called
    // between the pieces of a hub, and may lower `to`.
    template <Writers writers, class Rows, class Items, class Between, class During>
    void relax_chunk(const Rows& rows, Items& chunk, Between&& between, During&& during) {
        drop_stale<writers>(chunk);
        relax_current<writers>(rows, chunk, between, during);
    }

    // Keeps the entries whose distance is still the vertex's. Where weights vary, most entries are stale: if they stood
    // between the current ones, the arcs of these would be prefetched too late.
    template <Writers writers, class Items>
    [[gnu::always_inline]] void drop_stale(Items& chunk) {
        const D* const dist = task_.query.dist;
        for (std::uint32_t i = 0; i < std::min(ahead_vertex, chunk.size); ++i)
            prefetch(dist + chunk.items[i].vertex);
        std::uint32_t current = 0;
        bool overwritten = false;
        for (std::uint32_t i = 0; i < chunk.size; ++i) {
            const Item entry = chunk.items[i];
            if (i + ahead_vertex < chunk.size)
                prefetch(dist + chunk.items[i + ahead_vertex].vertex);
            const D now = load<writers>(dist + entry.vertex);
            chunk.items[current] = entry;
            current += restores ? entry.dist <= now : entry.dist == now;
            overwritten |= restores && entry.dist < now;
        }
        chunk.size = current;
        if constexpr (restores)
            if (overwritten) [[unlikely]]
                self().template restore<writers>(chunk);
    }

    // Relaxes the vertices of a chunk without stale entries.
    template <Writers writers, class Rows, class Items, class Between, class During>
    void relax_current(const Rows& rows, Items& chunk, Between&& between, During&& during) {
#ifdef PATHFRONT_AVX512
        if constexpr (has_vector_scan<Rows, D>)
            if (task_.vector_scan)
                return with_vector_scan<writers>(task_.graph.n, [&](auto scan) {
                    relax_avx512<decltype(scan), writers>(rows, chunk, between, during);
                });
#endif
        relax_by<ScalarScan, writers>(rows, chunk, between, during);
    }

    // Relaxes some arcs of one vertex.
    template <Writers writers, class During>
    void relax_arcs(const ArcRange<D>& arcs, During&& during) {
        apply<writers>(task_.with_rows([&](const auto& rows) {
            return scan_pieces<writers>(rows, arcs.tail, arcs.dist, arcs.from, arcs.to, 0, during);
        }));
    }

    // Queues the sources.
    void start() {
        for_sources(task_.query, [&](Vertex v) {
            task_.query.dist[v] = 0;
            self().push(D{0}, v, no_vertex, true);
        });
    }

    D level_end = 0; // of the current level, where there are levels
    std::uint64_t vertices_processed = 0, edges_relaxed = 0;
    std::uint64_t improved_again = 0; // improvements of vertices that were in the current level already
    bool overflow = false;

  protected:
    static constexpr bool keeps_tails = parents != Parents::none;
    static constexpr std::size_t capacity = enough_found + arcs_at_once + scan_slack;

    const Task<W, D>& task_;
    std::array<Improvement<D>, capacity> found_;
    std::array<Vertex, keeps_tails ? capacity : 0> tails_; // of the arcs of those

    // Lowers a distance if that is still an improvement, and writes the parent if parents are written then.
    template <Writers writers>
    bool improve(Vertex v, D sum, [[maybe_unused]] Vertex u) {
        D* const dist = task_.query.dist;
        D before;
        if constexpr (writers == Writers::all && parents == Parents::when_improved) {
            if (!lower_with_parent(dist + v, task_.query.parent + v, sum, u, before))
                return false;
        } else if constexpr (writers == Writers::all) {
            if (!lower(dist + v, sum, before))
                return false;
        } else {
            if constexpr (writers == Writers::racing)
                if (task_.swaps)
                    return lower(dist + v, sum);
            before = load<writers>(dist + v);
            if (sum >= before)
                return false;
            store<writers>(dist + v, sum);
            if constexpr (parents == Parents::when_improved)
                task_.query.parent[v] = u;
        }
        improved_again += before < level_end;
        return true;
    }

    // Scans the arcs of a hub, in pieces, or those of a vertex whose sums have to be checked. No Row is passed: the
    // caller's loop would load tail and distance as one vector, and their use would come later, 7% of a search on
    // roads.
    template <Writers writers, class Rows, class During>
    [[gnu::noinline]] std::size_t scan_pieces(const Rows& rows, Vertex tail, D tail_dist, Offset from, Offset end,
                                              std::size_t found, During&& during) {
        const bool checked = task_.checks(tail_dist);
        const D* const dist = task_.query.dist;
        for (Offset to; from < end; from = to) {
            to = std::min(end, from + arcs_at_once);
            const Row<Rows, D> row{rows, tail, tail_dist, from, to};
            found = checked ? scan_checked<writers, keeps_tails>(row, dist, output(), found, overflow)
                            : scan_piece<writers>(row, found);
            edges_relaxed += static_cast<std::uint64_t>(to - from);
            if (found >= enough_found) {
                apply<writers>(found);
                found = 0;
            }
            if (to < end)
                during(tail, tail_dist, to, end);
        }
        return found;
    }

    // Writes the improvements found, and queues their vertices.
    template <Writers writers>
    [[gnu::noinline]] void apply(std::size_t found) {
        const D cutoff = task_.query.cutoff;
        if constexpr (writers == Writers::all || writers == Writers::racing) // all at once: each miss alone would wait
            for (std::size_t i = 0; i < found; ++i)
                prefetch_to_write(task_.query.dist + found_[i].vertex());
        if constexpr (parents == Parents::when_improved) // not in the cache yet: 10% of a search on roads
            for (std::size_t i = 0; i < found; ++i)
                prefetch_to_write(task_.query.parent + found_[i].vertex());
        for (std::size_t i = 0; i < found; ++i) {
            const D sum = found_[i].dist();
            const Vertex v = found_[i].vertex();
            Vertex u = no_vertex;
            if constexpr (keeps_tails)
                u = tails_[i];
            if constexpr (writers == Writers::owner)
                if (!self().owns(v)) {
                    if (sum <= cutoff)
                        self().send(sum, v, u);
                    continue;
                }
            if (sum <= cutoff && improve<writers>(v, sum, u)) {
                // Read soon; by then they are in the second-level cache. A schedule reads them in a later operation,
                // which prefetches them: here it cost 8 to 18% of a search on a large Kronecker graph.
                if constexpr (!restores)
                    task_.prefetch_offsets(v);
                enqueue(sum, v, u);
            }
        }
    }

    // Queues an improved vertex, unless it is a dead end.
    void enqueue(D sum, Vertex v, Vertex u) {
        const bool dead_end = task_.is_dead_end(v);
        if constexpr (parents == Parents::when_settled)
            if (dead_end)
                task_.query.parent[v] = u; // it is never taken out of the queue
        vertices_processed += dead_end;
        self().push(sum, v, u, !dead_end);
    }

  private:
    Self& self() { return static_cast<Self&>(*this); }

    ScanOutput<D> output() { return {found_.data(), tails_.data()}; }

#ifdef PATHFRONT_AVX512
    // The whole loop is compiled for AVX-512, and flattened: GCC does not inline its parts otherwise.
    template <class Scan, Writers writers, class Rows, class Items, class Between, class During>
    PATHFRONT_AVX512 [[gnu::flatten]] void relax_avx512(const Rows& rows, Items& chunk, Between&& between,
                                                        During&& during) {
        relax_by<Scan, writers>(rows, chunk, between, during);
    }
#endif

    template <class Scan, Writers writers, class Rows, class Items, class Between, class During>
    [[gnu::always_inline]] void relax_by(const Rows rows, Items& chunk, Between&& between, During&& during) {
        const D* const dist = task_.query.dist;
        [[maybe_unused]] Vertex* const parent = task_.query.parent;
        const D safe = task_.safe;
        const bool always_check = task_.always_check;
        for (std::uint32_t i = 0; i < std::min(ahead_arcs, chunk.size); ++i)
            prefetch_row<Scan>(rows, chunk.items[i].vertex);
        std::size_t found = 0;
        std::uint64_t vertices = 0;
        Offset edges = 0;
        for (std::uint32_t i = 0; i < chunk.size; ++i) {
            if (i % 8 == 0)
                between(i);
            if (i + ahead_arcs < chunk.size) {
                prefetch_row<Scan>(rows, chunk.items[i + ahead_arcs].vertex);
                if constexpr (parents == Parents::when_settled)
                    if (parent)
                        prefetch_to_write(parent + chunk.items[i + ahead_arcs].vertex);
            }
            const D here = chunk.items[i].dist;
            const Vertex u = chunk.items[i].vertex;
            if (load<writers>(dist + u) != here)
                continue; // improved since, along an arc from this chunk
            if constexpr (parents == Parents::when_settled)
                if (parent)
                    store<writers>(parent + u, chunk.items[i].parent);
            const Offset from = rows.offsets[u], to = rows.offsets[u + 1];
            if (to - from > arcs_at_once || here > safe || always_check) [[unlikely]] {
                found = scan_pieces<writers>(rows, u, here, from, to, found, during);
            } else {
                const Row<Rows, D> row{rows, u, here, from, to};
                found = to - from > Scan::longest_row
                            ? ScalarScan::scan<writers, keeps_tails>(row, dist, output(), found)
                            : Scan::template scan<writers, keeps_tails>(row, dist, output(), found);
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

    // Prefetches a row that begins in one cache line and may end in the next. The hardware prefetches the next line
    // during a scalar scan, but not during a vector scan.
    template <class Scan, class Rows>
    [[gnu::always_inline]] static void prefetch_row(const Rows& rows, Vertex u) {
        prefetch_arc(rows, rows.offsets[u]);
        if constexpr (!std::is_same_v<Scan, ScalarScan>)
            prefetch_arc(rows, rows.offsets[u + 1] - 1);
    }

    template <Writers writers, class Rows>
    std::size_t scan_piece(const Row<Rows, D>& row, std::size_t found) {
#ifdef PATHFRONT_AVX512
        if constexpr (has_vector_scan<Rows, D>)
            if (task_.vector_scan)
                return with_vector_scan<writers>(task_.graph.n, [&](auto scan) {
                    using Scan =
                        std::conditional_t<decltype(scan)::longest_row >= arcs_at_once, LongVectorScan, ScalarScan>;
                    return Scan::template scan<writers, keeps_tails>(row, task_.query.dist, output(), found);
                });
#endif
        return ScalarScan::scan<writers, keeps_tails>(row, task_.query.dist, output(), found);
    }
};

} // namespace pathfront
