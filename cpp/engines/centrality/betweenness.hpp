// Betweenness (Brandes, "A faster algorithm for betweenness centrality", 2001; variants: "On variants of shortest-path
// betweenness centrality and their generic computation", 2008), parallel over the sources.
//
// For a source s, let count[v] be the number of shortest paths to v, and share[v] = delta[v] / count[v] + x[v] /
// count[v], where delta[v] is the part of all shortest paths from s that lead through v, and x[v] is 1 if paths that
// end at v matter. Then delta[u] = count[u] * the sum of share[v] over the tight arcs u->v, and the part that leads
// through such an arc is count[u] * share[v]. Vertices are visited farthest first, and a share takes the place of its
// count, so that a vertex has one number.
//
// Counts are floating-point numbers; they grow exponentially with the length of paths in grids. Where they leave the
// range of double, the search is repeated with long double, which on x86 holds numbers up to 10^4932.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "engines/centrality/settling_search.hpp"
#include "engines/centrality/source_team.hpp"
#include "engines/centrality/totals.hpp"

namespace pathfront {

struct BetweennessTask {
    const Vertex* sources;
    std::int64_t source_count;
    const bool* is_target = nullptr; // n, or null: paths to every vertex matter
    bool endpoints = false;          // paths lead through their ends, too
    Totals totals;                   // to be added to; all 0
};

// What kept a source from being counted, if anything.
struct SourceFailure {
    enum Kind { none, distance, count };
    Kind kind = none;
    Vertex source = no_vertex;
};

namespace detail {

// The largest count whose reciprocal still has all its digits.
template <class Count>
const Count largest_count = std::ldexp(Count{1}, std::numeric_limits<Count>::max_exponent - 64);

// Adds one source's parts to the group's; false, and nothing is added, if a count is out of range.
template <class W, class D, class Count>
bool accumulate(const Csr<W>& graph, SettlingSearch<W, D, Count>& search, const BetweennessTask& task, Vertex source,
                GroupTotals& group, SourceTeam::Member& member) {
    const auto& order = search.order();
    for (const Vertex v : order)
        if (!(search.count(v) <= largest_count<Count>))
            return false;
    group.note(order);
    if (task.endpoints && group.of_vertices())
        group.add_to_vertex(source, static_cast<double>(order.size() - 1));
    for (std::size_t i = order.size(); i-- > 0;) {
        const Vertex u = order[i];
        const Count count = search.count(u);
        Count sum = 0;
        const Offset from = graph.offsets[u], to = graph.offsets[u + 1];
        for (Offset arc = from; arc < to; ++arc)
            if (search.tight(u, arc)) {
                const Count share = search.count(graph.heads[arc]);
                sum += share;
                if (group.of_arcs())
                    group.add_to_arc(arc, static_cast<double>(count * share));
            }
        if (u != source && group.of_vertices())
            group.add_to_vertex(u, static_cast<double>(count * sum) + (task.endpoints ? 1 : 0));
        const bool ends = !task.is_target || task.is_target[u];
        search.count(u) = ends ? 1 / count + sum : sum;
        member.tick(to - from + 1);
    }
    return true;
}

template <class W, class D>
class BetweennessWorker {
  public:
    BetweennessWorker(const Csr<W>& graph, D heaviest, const BetweennessTask& task)
        : graph_(graph), heaviest_(heaviest), task_(task), search_(graph, heaviest),
          group_(graph.n, graph.offsets, task.totals) {}

    // Adds a source to the group.
    SourceFailure::Kind add(Vertex source, SourceTeam::Member& member) {
        search_.run(source, [&](std::int64_t arcs) { member.tick(arcs); });
        if (search_.overflow())
            return SourceFailure::distance;
        if (accumulate(graph_, search_, task_, source, group_, member))
            return SourceFailure::none;
        if (!wide_)
            wide_ = std::make_unique<SettlingSearch<W, D, long double>>(graph_, heaviest_);
        wide_->run(source, [&](std::int64_t arcs) { member.tick(arcs); });
        return accumulate(graph_, *wide_, task_, source, group_, member) ? SourceFailure::none : SourceFailure::count;
    }

    void hand_over() { group_.hand_over(); }

  private:
    const Csr<W>& graph_;
    D heaviest_;
    const BetweennessTask& task_;
    SettlingSearch<W, D, double> search_;
    std::unique_ptr<SettlingSearch<W, D, long double>> wide_;
    GroupTotals group_;
};

} // namespace detail

// Fills the task's totals: sums over its sources of the parts of shortest paths that lead through each vertex or arc.
// The graph has no parallel arcs; weights are positive.
template <class W, class D>
SourceFailure betweenness(const Csr<W>& graph, D heaviest, const BetweennessTask& task, unsigned threads,
                          Watch& watch) {
    SourceFailure failure;
    SourceTeam team(threads, task.source_count, group_size(task.source_count), watch);
    team.run([&] {
        auto worker = std::make_unique<detail::BetweennessWorker<W, D>>(graph, heaviest, task);
        return [&, worker = std::move(worker)](SourceTeam::Member& member, std::int64_t group, std::int64_t begin,
                                               std::int64_t end) {
            SourceFailure found;
            for (std::int64_t i = begin; i < end && found.kind == SourceFailure::none; ++i)
                found = {worker->add(task.sources[i], member), task.sources[i]};
            member.in_turn(group, [&] {
                if (found.kind != SourceFailure::none) { // in turn: the first failure is reported, whoever meets it
                    failure = found;
                    member.stop_all();
                }
                worker->hand_over();
            });
        };
    });
    return failure;
}

} // namespace pathfront
