// The proof that distances are shortest, in one pass over the arcs and no search:
//   the source has distance 0; no arc can improve its head; and tight arcs lead from the source to every reached
//   vertex.
// The second implies that no distance is too large, the third that none is too small. With parents the third means that
// each parent arc is tight and the parents form a tree; without, that the tight arcs reach every reached vertex.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "core/blocks.hpp"
#include "core/csr.hpp"
#include "core/distance.hpp"

namespace pathfront {

enum class Flaw : std::uint8_t {
    source_not_zero, // dist[source] is not 0
    not_a_distance,  // dist[vertex] is NaN or -infinity
    improvable,      // the arc vertex->other would shorten dist[other]
    parent_not_vertex,
    parent_missing,   // a reached vertex has no parent
    parent_needless,  // the source or an unreached vertex has one
    parent_not_tight, // no arc parent->vertex explains dist[vertex]
    parent_cycle,     // the parents of vertex lead back to it, or never to the source
    unsupported,      // no tight path from the source leads to vertex
    beyond_radius,    // farther than the radius up to which the distances are complete
};

struct Violation {
    Flaw flaw;
    Vertex vertex; // the tail for `improvable`
    Vertex other;  // the head, or the parent
    std::int64_t arc;
};

struct Verdict {
    std::uint64_t count = 0;
    std::vector<Violation> first; // the first of them, in order of flaw, then of vertex
};

template <class W, class D>
class Certificate {
  public:
    Certificate(const Csr<W>& graph, Vertex source, const D* dist, const Vertex* parent, D radius, unsigned threads,
                std::size_t most, Watch& watch)
        : graph_(graph), source_(source), dist_(dist), parent_(parent), radius_(radius), threads_(threads), most_(most),
          watch_(watch), found_(threads), tight_(graph.n) {}

    Verdict check() {
        if (dist_[source_] != 0)
            note(0, {Flaw::source_not_zero, source_, no_vertex, -1});
        check_arcs();
        if (parent_)
            check_parents();
        else
            check_support();
        return collect();
    }

  private:
    void note(unsigned id, Violation violation) {
        ++found_[id].count;
        found_[id].first.push_back(violation);
        if (found_[id].first.size() >= 64 * most_)
            keep_first(found_[id].first);
    }

    void keep_first(std::vector<Violation>& violations) const {
        std::sort(violations.begin(), violations.end(), [](const Violation& a, const Violation& b) {
            return std::tuple(a.flaw, a.vertex, a.arc) < std::tuple(b.flaw, b.vertex, b.arc);
        });
        if (violations.size() > most_)
            violations.resize(most_);
    }

    bool reached(Vertex v) const { return dist_[v] != unreached<D>; }

    void check_arcs() {
        for_vertices(threads_, graph_.n, row_block, watch_, [&](unsigned id, Vertex u) {
            if (!(dist_[u] >= std::numeric_limits<D>::lowest()))
                note(id, {Flaw::not_a_distance, u, no_vertex, -1});
            else if (reached(u) && dist_[u] > radius_)
                note(id, {Flaw::beyond_radius, u, no_vertex, -1});
            else if (reached(u))
                check_arcs_of(u, id);
        });
    }

    void check_arcs_of(Vertex u, unsigned id) {
        for (Offset arc = graph_.offsets[u]; arc < graph_.offsets[u + 1]; ++arc) {
            const Vertex v = graph_.heads[arc];
            D sum;
            // A sum above the type's range improves no distance, unless the head was left unreached because of
            // it. A sum below the range, which needs a negative distance, improves every distance.
            const bool fits = add_checked(dist_[u], graph_.weight(arc), sum);
            if (fits ? sum < dist_[v] && sum <= radius_ : dist_[u] < 0 || (!reached(v) && radius_ == unreached<D>))
                note(id, {Flaw::improvable, u, v, arc});
            // a byte that several threads may set to the same value
            else if (fits && sum == dist_[v] && (!parent_ || parent_[v] == u))
                std::atomic_ref(tight_[v]).store(1, std::memory_order_relaxed);
        }
    }

    void check_parents() {
        for_vertices(threads_, graph_.n, row_block, watch_, [&](unsigned id, Vertex v) {
            const Vertex p = parent_[v];
            if (p == no_vertex) {
                if (reached(v) && v != source_)
                    note(id, {Flaw::parent_missing, v, p, -1});
            } else if (p >= graph_.n)
                note(id, {Flaw::parent_not_vertex, v, p, -1});
            else if (v == source_ || !reached(v))
                note(id, {Flaw::parent_needless, v, p, -1});
            else if (!tight_[v])
                note(id, {Flaw::parent_not_tight, v, p, -1});
        });
        // Walk up from every vertex to a vertex of an earlier walk: each vertex is visited once.
        std::vector<std::uint8_t> state(graph_.n); // 0 unknown, 1 on this walk, 2 done
        std::vector<Vertex> walk;
        for (Vertex start = 0; start < graph_.n; ++start) {
            Vertex v = start;
            for (; v < graph_.n && state[v] == 0; v = parent_[v]) {
                state[v] = 1;
                walk.push_back(v);
            }
            if (v < graph_.n && state[v] == 1)
                note(0, {Flaw::parent_cycle, v, parent_[v], -1});
            watch_.tick(static_cast<std::int64_t>(walk.size()) + 1);
            for (; !walk.empty(); walk.pop_back())
                state[walk.back()] = 2;
        }
    }

    // Without parents a tight arc into every vertex is not enough: tight arcs of weight zero may form a cycle that
    // is not connected to the source. So they are followed from the source.
    void check_support() {
        std::vector<std::uint8_t> supported(graph_.n);
        std::vector<Vertex> queue;
        auto support = [&](Vertex v) {
            if (!supported[v]) {
                supported[v] = 1;
                queue.push_back(v);
            }
        };
        support(source_);
        while (!queue.empty()) {
            const Vertex u = queue.back();
            queue.pop_back();
            watch_.tick(graph_.offsets[u + 1] - graph_.offsets[u] + 1);
            for (Offset arc = graph_.offsets[u]; arc < graph_.offsets[u + 1]; ++arc) {
                D sum;
                if (reached(u) && add_checked(dist_[u], graph_.weight(arc), sum) && sum == dist_[graph_.heads[arc]])
                    support(graph_.heads[arc]);
            }
        }
        for (Vertex v = 0; v < graph_.n; ++v)
            if (reached(v) && !supported[v])
                note(0, {Flaw::unsupported, v, no_vertex, -1});
    }

    Verdict collect() {
        Verdict verdict;
        for (const Verdict& part : found_) {
            verdict.count += part.count;
            verdict.first.insert(verdict.first.end(), part.first.begin(), part.first.end());
        }
        keep_first(verdict.first);
        return verdict;
    }

    const Csr<W>& graph_;
    Vertex source_;
    const D* dist_;
    const Vertex* parent_;
    D radius_;
    unsigned threads_;
    std::size_t most_;
    Watch& watch_;
    std::vector<Verdict> found_; // of each thread
    std::vector<std::uint8_t> tight_;
};

} // namespace pathfront
