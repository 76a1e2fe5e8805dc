// The certificate where distances are exact sums, rounded once: with negative floating-point weights.
//
// Rounded distances do not determine the exact ones, but a tree does: the exact distances are the lengths of its paths.
// So the parents must form a tree of arcs; no arc may improve an exact distance; and each distance must be the exact
// one, rounded.
#pragma once

#include <limits>
#include <vector>

#include "core/exact_csr.hpp"
#include "verify/violations.hpp"

namespace pathfront {

template <class W, class D, int words>
class ExactCertificate {
  public:
    using Number = FixedPoint<words>;

    ExactCertificate(const ExactCsr<W, words>& graph, Vertex source, const D* dist, const Vertex* parent,
                     unsigned threads, std::size_t most, Watch& watch)
        : graph_(graph), source_(source), dist_(dist), parent_(parent), threads_(threads), watch_(watch),
          violations_(threads, most), exact_(graph.n, unreached<Number>) {}

    Verdict check() {
        check_tree();
        Verdict verdict = violations_.collect();
        if (verdict.count == 0) {
            sum_along_tree();
            check_distances();
            verdict = violations_.collect();
        }
        return verdict;
    }

  private:
    bool reached(Vertex v) const { return dist_[v] != unreached<D>; }

    // Checks that the parents form a tree of arcs, and sets the exact distance of each vertex to the weight of the
    // lightest arc from its parent.
    void check_tree() {
        if (dist_[source_] != 0)
            violations_.note(0, {Flaw::source_not_zero, source_, no_vertex, -1});
        for_vertices(threads_, graph_.n, row_block, watch_, [&](unsigned, Vertex u) {
            for (Offset arc = graph_.offsets[u]; reached(u) && arc < graph_.offsets[u + 1]; ++arc)
                if (const Vertex v = graph_.heads[arc]; parent_[v] == u) // only this thread writes to v
                    exact_[v] = std::min(exact_[v], graph_.weight(arc));
        });
        for_vertices(threads_, graph_.n, row_block, watch_, [&](unsigned id, Vertex v) {
            const Vertex p = parent_[v];
            if (!(dist_[v] >= std::numeric_limits<D>::lowest()))
                violations_.note(id, {Flaw::not_a_distance, v, no_vertex, -1});
            else if (p == no_vertex) {
                if (reached(v) && v != source_)
                    violations_.note(id, {Flaw::parent_missing, v, p, -1});
            } else if (p >= graph_.n)
                violations_.note(id, {Flaw::parent_not_vertex, v, p, -1});
            else if (v == source_ || !reached(v))
                violations_.note(id, {Flaw::parent_needless, v, p, -1});
            else if (exact_[v] == unreached<Number>)
                violations_.note(id, {Flaw::parent_not_tight, v, p, -1});
        });
        find_cycles(parent_, graph_.n, watch_, violations_);
    }

    // Adds up the weights from the source on, each vertex once.
    void sum_along_tree() {
        std::vector<std::uint8_t> summed(graph_.n);
        std::vector<Vertex> walk;
        exact_[source_] = Number{};
        summed[source_] = 1;
        for (Vertex start = 0; start < graph_.n; ++start) {
            Vertex v = start;
            for (; reached(v) && !summed[v]; v = parent_[v])
                walk.push_back(v);
            watch_.tick(static_cast<std::int64_t>(walk.size()) + 1);
            for (; !walk.empty(); walk.pop_back()) {
                exact_[walk.back()] = exact_[v] + exact_[walk.back()];
                v = walk.back();
                summed[v] = 1;
            }
        }
    }

    void check_distances() {
        for_vertices(threads_, graph_.n, row_block, watch_, [&](unsigned id, Vertex u) {
            if (!reached(u))
                return;
            for (Offset arc = graph_.offsets[u]; arc < graph_.offsets[u + 1]; ++arc)
                if (exact_[u] + graph_.weight(arc) < exact_[graph_.heads[arc]])
                    violations_.note(id, {Flaw::improvable, u, graph_.heads[arc], arc});
            if (D rounded; !to_distance(exact_[u], graph_.unit, rounded) || rounded != dist_[u])
                violations_.note(id, {Flaw::not_the_length, u, parent_[u], -1});
        });
    }

    const ExactCsr<W, words>& graph_;
    Vertex source_;
    const D* dist_;
    const Vertex* parent_;
    unsigned threads_;
    Watch& watch_;
    Violations violations_;
    std::vector<Number> exact_; // n; unreached where there is no path
};

} // namespace pathfront
