// What certificates find wrong.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "core/csr.hpp"
#include "core/watch.hpp"

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
    not_the_length,   // the length of the path that the parents form, rounded, is not dist[vertex]
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

// The violations that several threads find.
class Violations {
  public:
    Violations(unsigned threads, std::size_t most) : most_(most), found_(threads) {}

    void note(unsigned id, Violation violation) {
        ++found_[id].count;
        found_[id].first.push_back(violation);
        if (found_[id].first.size() >= 64 * most_)
            keep_first(found_[id].first);
    }

    Verdict collect() const {
        Verdict verdict;
        for (const Verdict& part : found_) {
            verdict.count += part.count;
            verdict.first.insert(verdict.first.end(), part.first.begin(), part.first.end());
        }
        keep_first(verdict.first);
        return verdict;
    }

  private:
    void keep_first(std::vector<Violation>& violations) const {
        std::sort(violations.begin(), violations.end(), [](const Violation& a, const Violation& b) {
            return std::tuple(a.flaw, a.vertex, a.arc) < std::tuple(b.flaw, b.vertex, b.arc);
        });
        if (violations.size() > most_)
            violations.resize(most_);
    }

    std::size_t most_;
    std::vector<Verdict> found_; // of each thread
};

// Notes each cycle of parents: walks up from every vertex to a vertex of an earlier walk, so that each is visited once.
inline void find_cycles(const Vertex* parent, Vertex n, Watch& watch, Violations& violations) {
    std::vector<std::uint8_t> state(n); // 0 unknown, 1 on this walk, 2 done
    std::vector<Vertex> walk;
    for (Vertex start = 0; start < n; ++start) {
        Vertex v = start;
        for (; v < n && state[v] == 0; v = parent[v]) {
            state[v] = 1;
            walk.push_back(v);
        }
        if (v < n && state[v] == 1)
            violations.note(0, {Flaw::parent_cycle, v, parent[v], -1});
        watch.tick(static_cast<std::int64_t>(walk.size()) + 1);
        for (; !walk.empty(); walk.pop_back())
            state[walk.back()] = 2;
    }
}

} // namespace pathfront
