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
#include <vector>

#include "core/blocks.hpp"
#include "core/csr.hpp"
#include "core/distance.hpp"
#include "verify/violations.hpp"

namespace pathfront {

template <class W, class D>
class Certificate {
  public:
    Certificate(const Csr<W>& graph, Vertex source, const D* dist, const Vertex* parent, D radius, unsigned threads,
                std::size_t most, Watch& watch)
        : graph_(graph), source_(source), dist_(dist), parent_(parent), radius_(radius), threads_(threads),
          watch_(watch), violations_(threads, most), tight_(graph.n) {}

    Verdict check() {
        if (dist_[source_] != 0)
            violations_.note(0, {Flaw::source_not_zero, source_, no_vertex, -1});
        check_arcs();
        if (parent_)
            check_parents();
        else
            check_support();
        return violations_.collect();
    }

  private:
    bool reached(Vertex v) const { return dist_[v] != unreached<D>; }

    void check_arcs() {
        for_vertices(threads_, graph_.n, row_block, watch_, [&](unsigned id, Vertex u) {
            if (!(dist_[u] >= std::numeric_limits<D>::lowest()))
                violations_.note(id, {Flaw::not_a_distance, u, no_vertex, -1});
            else if (reached(u) && dist_[u] > radius_)
                violations_.note(id, {Flaw::beyond_radius, u, no_vertex, -1});
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
                violations_.note(id, {Flaw::improvable, u, v, arc});
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
                    violations_.note(id, {Flaw::parent_missing, v, p, -1});
            } else if (p >= graph_.n)
                violations_.note(id, {Flaw::parent_not_vertex, v, p, -1});
            else if (v == source_ || !reached(v))
                violations_.note(id, {Flaw::parent_needless, v, p, -1});
            else if (!tight_[v])
                violations_.note(id, {Flaw::parent_not_tight, v, p, -1});
        });
        find_cycles(parent_, graph_.n, watch_, violations_);
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
                violations_.note(0, {Flaw::unsupported, v, no_vertex, -1});
    }

    const Csr<W>& graph_;
    Vertex source_;
    const D* dist_;
    const Vertex* parent_;
    D radius_;
    unsigned threads_;
    Watch& watch_;
    Violations violations_;
    std::vector<std::uint8_t> tight_;
};

} // namespace pathfront
