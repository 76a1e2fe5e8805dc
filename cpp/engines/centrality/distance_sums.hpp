// What closeness, harmonic centrality and eccentricity need of the distances from each of many sources: a few sums per
// source, so that no matrix of distances is kept.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>

#include "engines/centrality/settling_search.hpp"
#include "engines/centrality/source_team.hpp"
#include "engines/centrality/totals.hpp"

namespace pathfront {

template <class D>
struct DistanceSums {
    const Vertex* sources;
    std::int64_t source_count;
    const bool* is_target = nullptr; // n, or null: `inverse` is over all vertices

    // For each source: of the vertices that it reaches, itself included, the number, the sum of their distances and the
    // largest; and the sum of 1 / distance over the targets at a distance that is not 0. Any may be null.
    std::int64_t* reached = nullptr;
    double* total = nullptr;
    D* farthest = nullptr;
    double* inverse = nullptr;

    double* inverse_of_vertex = nullptr; // n, all 0, or null: for each vertex the sum of 1 / distance over the sources
};

namespace detail {

// A sum of non-negative distances. That of integers is exact.
template <class D>
class DistanceSum {
  public:
    void add(D dist) {
        if constexpr (std::is_floating_point_v<D>) {
            sum_ += static_cast<double>(dist);
        } else {
            const std::uint64_t before = low_;
            low_ += static_cast<std::uint64_t>(dist);
            high_ += low_ < before;
        }
    }

    double value() const {
        if constexpr (std::is_floating_point_v<D>)
            return sum_;
        else
            return high_ == 0 ? static_cast<double>(low_)
                              : std::ldexp(static_cast<double>(high_), 64) + static_cast<double>(low_);
    }

  private:
    double sum_ = 0;
    std::uint64_t low_ = 0, high_ = 0;
};

template <class D, class Search>
void sum_up(const Search& search, const DistanceSums<D>& out, std::int64_t i, GroupTotals& group) {
    const auto& order = search.order();
    if (out.reached)
        out.reached[i] = static_cast<std::int64_t>(order.size());
    if (out.farthest)
        out.farthest[i] = search.dist(order.back());
    if (out.total) {
        DistanceSum<D> sum;
        for (const Vertex v : order)
            sum.add(search.dist(v));
        out.total[i] = sum.value();
    }
    if (out.inverse) {
        double sum = 0;
        for (const Vertex v : order)
            if (const D dist = search.dist(v); dist != 0 && (!out.is_target || out.is_target[v]))
                sum += 1 / static_cast<double>(dist);
        out.inverse[i] = sum;
    }
    if (group.of_vertices()) {
        group.note(order);
        for (const Vertex v : order)
            if (const D dist = search.dist(v); dist != 0)
                group.add_to_vertex(v, 1 / static_cast<double>(dist));
    }
}

} // namespace detail

// Fills the sums. Returns the first source from which a distance does not fit D, or no_vertex.
template <class W, class D>
Vertex distance_sums(const Csr<W>& graph, D heaviest, const DistanceSums<D>& out, unsigned threads, Watch& watch) {
    Vertex failed = no_vertex;
    SourceTeam team(threads, out.source_count, group_size(out.source_count), watch);
    team.run([&] {
        using Search = SettlingSearch<W, D, NoCount>;
        auto search = std::make_unique<Search>(graph, heaviest);
        const Totals totals{.of_vertex = out.inverse_of_vertex};
        auto totals_of_group = std::make_unique<GroupTotals>(graph.n, graph.offsets, totals);
        return [&, search = std::move(search), sums = std::move(totals_of_group)](
                   SourceTeam::Member& member, std::int64_t group, std::int64_t begin, std::int64_t end) {
            Vertex overflowed = no_vertex;
            for (std::int64_t i = begin; i < end && overflowed == no_vertex; ++i) {
                search->run(out.sources[i], [&](std::int64_t arcs) { member.tick(arcs); });
                if (search->overflow())
                    overflowed = out.sources[i];
                else
                    detail::sum_up(*search, out, i, *sums);
            }
            member.in_turn(group, [&] {
                if (overflowed != no_vertex) {
                    failed = overflowed;
                    member.stop_all();
                }
                sums->hand_over();
            });
        };
    });
    return failed;
}

} // namespace pathfront
