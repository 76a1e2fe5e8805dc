// A* for one pair (Hart, Nilsson and Raphael 1968): Dijkstra's method, with vertices in the order of their distance
// plus an estimate of what is left to the target.
//
// A vertex is scanned again if a shorter path to it is found after it has been scanned, so that an estimate must never
// be too large for the result to be a shortest path, but need not be consistent. Equal priorities are taken first in,
// first out. Only what is seen takes memory: with a good estimate that is little.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/csr.hpp"
#include "core/distance.hpp"
#include "core/watch.hpp"

namespace pathfront {

template <class D>
struct AStarAnswer {
    std::vector<Vertex> path; // from the source to the target; empty: none was found
    D distance = 0;
    bool overflow = false;
};

// `estimate(v)` is called once for every vertex that is queued, and what it throws ends the search. Nothing is queued
// whose distance and estimate together exceed the limit.
template <class D, class W, class Estimate>
AStarAnswer<D> astar(const Csr<W>& graph, Vertex source, Vertex target, Estimate&& estimate,
                     std::optional<double> limit, Watch& watch) {
    struct Entry {
        double priority;
        std::uint64_t number;
        Vertex vertex, parent;
        D dist;
        bool operator<(const Entry& other) const { // the standard queue gives the largest first
            return priority != other.priority ? priority > other.priority : number > other.number;
        }
    };
    struct Seen {
        D dist;
        double estimate;
        bool scanned = false;
        Vertex parent = no_vertex; // once it is scanned
    };
    std::priority_queue<Entry> queue;
    std::unordered_map<Vertex, Seen> seen;
    std::uint64_t number = 0;
    queue.push({0, number++, source, no_vertex, D{0}});
    bool source_scanned = false;
    while (!queue.empty()) {
        const Entry entry = queue.top();
        queue.pop();
        const Vertex u = entry.vertex;
        if (u == target) {
            AStarAnswer<D> answer{{u}, entry.dist};
            for (Vertex v = entry.parent; v != no_vertex; v = v == source ? no_vertex : seen.at(v).parent)
                answer.path.push_back(v);
            std::reverse(answer.path.begin(), answer.path.end());
            return answer;
        }
        if (u == source) {
            if (std::exchange(source_scanned, true))
                continue;
        } else {
            Seen& known = seen.at(u);
            if (known.scanned && known.dist < entry.dist)
                continue;
            known.scanned = true;
            known.parent = entry.parent;
        }
        watch.tick(graph.offsets[u + 1] - graph.offsets[u] + 1);
        for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc) {
            const Vertex v = graph.heads[arc];
            D dist;
            if (!add_checked(entry.dist, graph.weight(arc), dist))
                return {.path = {}, .overflow = true};
            const auto found = seen.find(v);
            if (found != seen.end() && found->second.dist <= dist)
                continue;
            const double left = found != seen.end() ? found->second.estimate : estimate(v);
            const double priority = static_cast<double>(dist) + left;
            if (limit && priority > *limit)
                continue;
            if (found != seen.end())
                found->second.dist = dist;
            else
                seen.emplace(v, Seen{dist, left});
            queue.push({priority, number++, v, u, dist});
        }
    }
    return {};
}

} // namespace pathfront
