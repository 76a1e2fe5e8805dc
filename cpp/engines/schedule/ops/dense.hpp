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

// Whether a row's vertex improves a column's: `dist` is the column's distance, `here` the row's.
struct Pushing {
    template <class W, class D>
    [[gnu::always_inline]] static unsigned improves(W weight, D dist, D here) {
        return static_cast<unsigned>(weight != missing_weight<W>) & (wrapping_sum(here, weight) < dist);
    }
};

// Whether a column's vertex improves the row's: `dist` is unreached outside the frontier, `best` the row's distance.
struct Pulling {
    template <class W, class D>
    [[gnu::always_inline]] static unsigned improves(W weight, D dist, D best) {
        return static_cast<unsigned>(weight != missing_weight<W>) & static_cast<unsigned>(dist != unreached<D>) &
               (wrapping_sum(dist, weight) < best);
    }
};

template <class Direction, class W, class D>
[[gnu::always_inline]] inline bool any_improves(const W* row, const D* dist, D of_row) {
    unsigned any = 0;
    for (std::int64_t k = 0; k < piece; ++k)
        any |= Direction::improves(row[k], dist[k], of_row);
    return any != 0;
}

#if defined(__x86_64__)
template <class Direction, class W, class D>
[[gnu::target("avx2")]] bool any_improves_avx2(const W* row, const D* dist, D of_row) {
    return any_improves<Direction>(row, dist, of_row);
}
inline const bool has_avx2 = __builtin_cpu_supports("avx2");
#endif

} // namespace vectors

// Whether any of a row's next entries improves a distance.
template <class Direction, class W, class D>
bool any_improves(const W* row, const D* dist, D of_row) {
#if defined(__x86_64__)
    if (vectors::has_avx2)
        return vectors::any_improves_avx2<Direction>(row, dist, of_row);
#endif
    return vectors::any_improves<Direction>(row, dist, of_row);
}

// Calls visit(k) for the edges among the entries [from, to) of a row. Unless sums have to be `checked`, pieces that
// improve nothing are skipped.
template <class Direction, class W, class D, class Visit>
void for_edges(const W* row, const D* dist, const D& of_row, bool checked, std::int64_t from, std::int64_t to,
               Visit&& visit) {
    for (std::int64_t at = from; at < to; at += piece) {
        const std::int64_t end = std::min(at + piece, to);
        if (!checked && end - at == piece && !any_improves<Direction>(row + at, dist + at, of_row))
            continue;
        for (std::int64_t k = at; k < end; ++k)
            if (row[k] != missing_weight<W>)
                visit(k);
    }
}

// Relaxes the columns [from, to) of a vertex's row; no other thread writes them.
template <class W, class D, class ThreadState, class Routes>
void relax_columns(const SearchState<W, D>& state, ThreadState& thread, const Routes& routes,
                   const FrontierVertex<D>& entry, std::int64_t from, std::int64_t to) {
    const auto* const row = state.dense.rows + static_cast<std::size_t>(entry.vertex) * state.graph.n;
    D* const dist = state.query.dist;
    for_edges<vectors::Pushing>(row, dist, entry.dist, state.checks(entry.dist), from, to, [&](std::int64_t v) {
        D sum;
        if (!add_checked(entry.dist, row[v], sum)) {
            thread.overflow = true;
        } else if (sum < dist[v] && sum <= state.query.cutoff) {
            dist[v] = sum;
            routes(sum).push({sum, static_cast<Vertex>(v), entry.vertex}, thread.pool);
        }
    });
    thread.edges += static_cast<std::uint64_t>(to - from);
}

// Relaxes the rows of a queue's vertices. Threads divide the columns, so every distance has one writer.
template <class Context>
void relax_rows(const Instruction& it, Context& context) {
    take_frontier(it, context, [](Vertex) {});
    const auto& frontier = context.buffers.frontier;
    const std::int64_t n = context.state.graph.n;
    const std::int64_t width = std::max<std::int64_t>(512, n / (4 * context.threads) / piece * piece);
    context.for_blocks(static_cast<std::int64_t>(frontier.size()) * n >= 8 * context.thresholds.sweeping, it, 1, n,
                       width,
                       [&](auto, auto& thread, const auto& routes, unsigned id, std::int64_t from, std::int64_t to) {
                           for (const auto& entry : frontier) {
                               relax_columns(context.state, thread, routes, entry, from, to);
                               if (!context.poll(id, to - from))
                                   break;
                           }
                           return std::int64_t{0};
                       });
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
