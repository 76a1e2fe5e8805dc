// Sums per vertex and per arc over many searches, collected group by group: see source_team.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "core/csr.hpp"

namespace pathfront {

// Where sums go; either may be null.
struct Totals {
    double* of_vertex = nullptr; // n
    double* of_arc = nullptr;    // m
};

// The sums of one group. A group whose searches reach few vertices costs time in proportion to these.
class GroupTotals {
  public:
    GroupTotals(Vertex n, const Offset* offsets, const Totals& totals)
        : n_(n), offsets_(offsets), totals_(totals), of_vertex_(totals.of_vertex ? n : 0),
          of_arc_(totals.of_arc ? static_cast<std::size_t>(offsets[n]) : 0) {}

    bool of_vertices() const { return totals_.of_vertex; }
    bool of_arcs() const { return totals_.of_arc; }

    void add_to_vertex(Vertex v, double amount) { of_vertex_[v] += amount; }
    void add_to_arc(Offset arc, double amount) { of_arc_[static_cast<std::size_t>(arc)] += amount; }

    // Something may have been added to these vertices, and to arcs that leave them.
    void note(const std::vector<Vertex>& vertices) {
        if (all_touched_)
            return;
        all_touched_ = touched_.size() + vertices.size() > n_ / 4;
        if (!all_touched_)
            touched_.insert(touched_.end(), vertices.begin(), vertices.end());
    }

    // Adds the sums to the totals, and begins anew.
    void hand_over() {
        if (all_touched_)
            for (Vertex v = 0; v < n_; ++v)
                hand_over(v);
        else
            for (const Vertex v : touched_) // some more than once, which then adds 0
                hand_over(v);
        touched_.clear();
        all_touched_ = false;
    }

  private:
    void hand_over(Vertex v) {
        if (totals_.of_vertex) {
            totals_.of_vertex[v] += of_vertex_[v];
            of_vertex_[v] = 0;
        }
        if (totals_.of_arc)
            for (Offset arc = offsets_[v]; arc < offsets_[v + 1]; ++arc) {
                totals_.of_arc[arc] += of_arc_[static_cast<std::size_t>(arc)];
                of_arc_[static_cast<std::size_t>(arc)] = 0;
            }
    }

    Vertex n_;
    const Offset* offsets_;
    Totals totals_;
    std::vector<double> of_vertex_, of_arc_;
    std::vector<Vertex> touched_;
    bool all_touched_ = false;
};

// The sources of a group. Fixed by their number alone, as the order of additions depends on it: few sources are
// groups of one, so that there is work for every thread.
inline std::int64_t group_size(std::int64_t sources) { return std::clamp<std::int64_t>(sources / 256, 1, 16); }

} // namespace pathfront
