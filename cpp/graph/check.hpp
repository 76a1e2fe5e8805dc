// Everything that must hold before a routine may trust a graph's arrays, in one pass at memory speed.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/blocks.hpp"
#include "core/csr.hpp"

namespace pathfront {

inline constexpr std::int64_t check_block = 1 << 16;
inline constexpr std::int64_t nowhere = -1;

namespace detail {

inline std::int64_t earliest(const std::vector<std::int64_t>& places) {
    std::int64_t best = nowhere;
    for (std::int64_t place : places)
        if (place != nowhere && (best == nowhere || place < best))
            best = place;
    return best;
}

} // namespace detail

// Where the rows first stop being rows (offsets[0] != 0, falling, or not ending at m), or nowhere.
inline std::int64_t first_bad_offset(const Offset* offsets, std::uint64_t n, std::int64_t m, unsigned threads,
                                     Watch& watch) {
    if (offsets[0] != 0)
        return 0;
    std::vector<std::int64_t> bad(threads, nowhere);
    for_blocks(threads, static_cast<std::int64_t>(n), check_block, watch,
               [&](unsigned id, std::int64_t begin, std::int64_t end) {
                   bool falls = false;
                   for (std::int64_t v = begin; v < end; ++v)
                       falls |= offsets[v + 1] < offsets[v];
                   for (std::int64_t v = begin; falls && bad[id] == nowhere && v < end; ++v)
                       if (offsets[v + 1] < offsets[v])
                           bad[id] = v + 1;
               });
    const std::int64_t found = detail::earliest(bad);
    return found == nowhere && offsets[n] != m ? static_cast<std::int64_t>(n) : found;
}

// The first arc whose head is not a vertex, or nowhere.
inline std::int64_t first_bad_head(const Vertex* heads, std::int64_t m, std::uint64_t n, unsigned threads,
                                   Watch& watch) {
    std::vector<std::int64_t> bad(threads, nowhere);
    for_blocks(threads, m, check_block, watch, [&](unsigned id, std::int64_t begin, std::int64_t end) {
        Vertex largest = 0;
        for (std::int64_t i = begin; i < end; ++i)
            largest = std::max(largest, heads[i]);
        for (std::int64_t i = begin; largest >= n && bad[id] == nowhere && i < end; ++i)
            if (heads[i] >= n)
                bad[id] = i;
    });
    return detail::earliest(bad);
}

// What the weights of a graph are like. Positions are arcs, or nowhere.
template <class W>
struct WeightSummary {
    W lightest = 0, heaviest = 0;
    double sum = 0;
    std::int64_t first_negative = nowhere;
    std::int64_t first_not_finite = nowhere;
};

template <class W>
WeightSummary<W> summarise_weights(const W* weights, std::int64_t m, unsigned threads, Watch& watch) {
    WeightSummary<W> all;
    if (m == 0)
        return all;
    // The sum is taken per block and added up in block order, so that it does not depend on the thread count.
    std::vector<double> sums(static_cast<std::size_t>((m + check_block - 1) / check_block));
    std::vector<WeightSummary<W>> found(threads);
    for (auto& part : found) {
        part.lightest = std::numeric_limits<W>::max();
        part.heaviest = std::numeric_limits<W>::lowest();
    }
    for_blocks(threads, m, check_block, watch, [&](unsigned id, std::int64_t begin, std::int64_t end) {
        WeightSummary<W>& part = found[id];
        W low = part.lightest, high = part.heaviest;
        double sum = 0;
        bool finite = true;
        for (std::int64_t i = begin; i < end; ++i) {
            const W w = weights[i];
            low = w < low ? w : low;
            high = w > high ? w : high;
            if constexpr (std::is_floating_point_v<W>)
                finite &= std::fabs(w) <= std::numeric_limits<W>::max(); // false for NaN too
            sum += static_cast<double>(w);
        }
        for (std::int64_t i = begin; !finite && part.first_not_finite == nowhere && i < end; ++i)
            if (!std::isfinite(static_cast<double>(weights[i])))
                part.first_not_finite = i;
        if constexpr (std::is_signed_v<W>)
            for (std::int64_t i = begin; low < 0 && part.first_negative == nowhere && i < end; ++i)
                if (weights[i] < 0)
                    part.first_negative = i;
        part.lightest = low;
        part.heaviest = high;
        sums[static_cast<std::size_t>(begin / check_block)] = sum;
    });
    all = found[0];
    std::vector<std::int64_t> negative, not_finite;
    for (const auto& part : found) {
        all.lightest = std::min(all.lightest, part.lightest);
        all.heaviest = std::max(all.heaviest, part.heaviest);
        negative.push_back(part.first_negative);
        not_finite.push_back(part.first_not_finite);
    }
    all.first_negative = detail::earliest(negative);
    all.first_not_finite = detail::earliest(not_finite);
    all.sum = 0;
    for (double sum : sums)
        all.sum += sum;
    return all;
}

// The first arc that leads where an earlier arc of the same vertex does, or nowhere. One mark per vertex, in one pass:
// far cheaper than sorting the rows.
inline std::int64_t first_parallel_arc(const Csr<Hop>& graph, Watch& watch) {
    std::vector<Vertex> last_tail(graph.n, no_vertex);
    for (Vertex u = 0; u < graph.n; ++u) {
        for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc) {
            Vertex& last = last_tail[graph.heads[arc]];
            if (last == u)
                return arc;
            last = u;
        }
        watch.tick(graph.offsets[u + 1] - graph.offsets[u] + 1);
    }
    return nowhere;
}

// The largest out-degree.
inline Offset largest_degree(const Offset* offsets, std::uint64_t n, unsigned threads, Watch& watch) {
    std::vector<Offset> found(threads, 0);
    for_blocks(threads, static_cast<std::int64_t>(n), check_block, watch,
               [&](unsigned id, std::int64_t begin, std::int64_t end) {
                   Offset largest = found[id];
                   for (std::int64_t v = begin; v < end; ++v)
                       largest = std::max(largest, offsets[v + 1] - offsets[v]);
                   found[id] = largest;
               });
    return *std::max_element(found.begin(), found.end());
}

} // namespace pathfront
