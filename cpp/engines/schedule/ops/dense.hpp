// Graphs stored as matrices: whole rows are relaxed, many entries per instruction. A first pass without branches finds
// whether a piece of a row improves anything; only then are its entries relaxed one by one.
#pragma once

#include "engines/schedule/context.hpp"
#include "engines/schedule/ops/frontier.hpp"

namespace pathfront {

inline constexpr std::int64_t piece = 64; // entries of a row per first pass

// The weight that means "no edge" in a matrix.
template <class W>
inline constexpr W missing_weight = unreached<W>;

namespace vectors {

// base + weight. With a missing weight or base the sum may wrap; it is not used then.
template <class D, class W>
[[gnu::always_inline]] inline D wrapping_sum(D base, W weight) {
    if constexpr (std::is_floating_point_v<D>)
        return base + static_cast<D>(weight);
    else
        return static_cast<D>(static_cast<KeyOf<D>>(base) + static_cast<KeyOf<D>>(static_cast<D>(weight)));
}

template <class W, class D>
[[gnu::always_inline]] inline bool any_pushed(const W* row, const D* dist, D here) {
    unsigned any = 0;
    for (std::int64_t k = 0; k < piece; ++k)
        any |= static_cast<unsigned>(row[k] != missing_weight<W>) & (wrapping_sum(here, row[k]) < dist[k]);
    return any != 0;
}

template <class W, class D>
[[gnu::always_inline]] inline bool any_pulled(const W* row, const D* frontier, D best) {
    unsigned any = 0;
    for (std::int64_t k = 0; k < piece; ++k)
        any |= static_cast<unsigned>(row[k] != missing_weight<W>) & static_cast<unsigned>(frontier[k] != unreached<D>) &
               (wrapping_sum(frontier[k], row[k]) < best);
    return any != 0;
}

#if defined(__x86_64__)
template <class W, class D>
[[gnu::target("avx2")]] bool any_pushed_avx2(const W* row, const D* dist, D here) {
    return any_pushed(row, dist, here);
}
template <class W, class D>
[[gnu::target("avx2")]] bool any_pulled_avx2(const W* row, const D* frontier, D best) {
    return any_pulled(row, frontier, best);
}
inline const bool has_avx2 = __builtin_cpu_supports("avx2");
#endif

} // namespace vectors

// Whether `here` plus some of a row's next entries is below their distances.
template <class W, class D>
bool pushes(const W* row, const D* dist, D here) {
#if defined(__x86_64__)
    if (vectors::has_avx2)
        return vectors::any_pushed_avx2(row, dist, here);
#endif
    return vectors::any_pushed(row, dist, here);
}

// Whether some of the next entries of a row, plus the distances of the frontier there, are below `best`.
template <class W, class D>
bool pulls(const W* row, const D* frontier, D best) {
#if defined(__x86_64__)
    if (vectors::has_avx2)
        return vectors::any_pulled_avx2(row, frontier, best);
#endif
    return vectors::any_pulled(row, frontier, best);
}

// Relaxes the columns [from, to) of a vertex's row; no other thread writes them.
template <class W, class D, class ThreadState, class Routes>
void relax_columns(const SearchState<W, D>& state, ThreadState& thread, const Routes& routes,
                   const FrontierVertex<D>& entry, std::int64_t from, std::int64_t to) {
    const auto* const row = state.dense.rows + static_cast<std::size_t>(entry.vertex) * state.graph.n;
    D* const dist = state.query.dist;
    const bool checked = state.checks(entry.dist);
    for (std::int64_t at = from; at < to; at += piece) {
        const std::int64_t end = std::min(at + piece, to);
        if (!checked && end - at == piece && !pushes(row + at, dist + at, entry.dist))
            continue;
        for (std::int64_t v = at; v < end; ++v) {
            D sum;
            if (row[v] == missing_weight<WeightOf<W>>)
                continue;
            if (!add_checked(entry.dist, row[v], sum)) {
                thread.overflow = true;
            } else if (sum < dist[v] && sum <= state.query.cutoff) {
                dist[v] = sum;
                routes(sum).push({sum, static_cast<Vertex>(v), entry.vertex}, thread.pool);
            }
        }
    }
    thread.edges += static_cast<std::uint64_t>(to - from);
}

// Relaxes the rows of a queue's vertices. Threads divide the columns, so every distance has one writer.
template <class Context>
void relax_rows(const Instruction& it, Context& context) {
    take_frontier(it, context, [](Vertex) {});
    const auto& frontier = context.buffers.frontier;
    const std::int64_t n = context.state.graph.n;
    const std::int64_t width = std::max<std::int64_t>(512, n / (4 * context.threads) / piece * piece);
    Blocks columns(n, width);
    context.run(static_cast<std::int64_t>(frontier.size()) * n >= 8 * context.thresholds.sweeping, it, 1,
                [&](auto, auto& thread, const auto& routes, unsigned id) {
                    for (std::int64_t from, to; columns.next(from, to);)
                        for (const auto& entry : frontier) {
                            relax_columns(context.state, thread, routes, entry, from, to);
                            if (!context.pause(id, to - from))
                                return;
                        }
                });
}

// Scans the predecessors of a vertex for the frontier: `frontier` has its distances, and unreached elsewhere.
template <class W, class D, class ThreadState, class Routes>
void pull_row(const SearchState<W, D>& state, ThreadState& thread, const Routes& routes, const D* frontier,
              bool checked, Vertex v) {
    const std::int64_t n = state.graph.n;
    const auto* const row = state.dense_in.rows + static_cast<std::size_t>(v) * static_cast<std::size_t>(n);
    D best = state.query.dist[v];
    Vertex parent = no_vertex;
    for (std::int64_t at = 0; at < n; at += piece) {
        const std::int64_t end = std::min(at + piece, n);
        if (!checked && end - at == piece && !pulls(row + at, frontier + at, best))
            continue;
        for (std::int64_t u = at; u < end; ++u) {
            D sum;
            if (row[u] == missing_weight<WeightOf<W>> || frontier[u] == unreached<D>)
                continue;
            if (!add_checked(frontier[u], row[u], sum)) {
                thread.overflow = true;
            } else if (sum < best && sum <= state.query.cutoff) {
                best = sum;
                parent = static_cast<Vertex>(u);
            }
        }
    }
    thread.edges += static_cast<std::uint64_t>(n);
    if (parent == no_vertex)
        return;
    state.query.dist[v] = best;
    routes(best).push({best, v, parent}, thread.pool);
}

// Whether a sum that was dropped would have been a distance: see truly_overflowed.
template <class W, class D>
bool rows_truly_overflowed(const SearchState<W, D>& state) {
    const std::size_t n = state.graph.n;
    for (std::size_t u = 0; u < n; ++u)
        for (std::size_t v = 0; v < n && state.query.dist[u] != unreached<D>; ++v) {
            const auto weight = state.dense.rows[u * n + v];
            D sum;
            if (weight != missing_weight<WeightOf<W>> && state.query.dist[v] == unreached<D> &&
                !add_checked(state.query.dist[u], weight, sum))
                return true;
        }
    return false;
}

} // namespace pathfront
