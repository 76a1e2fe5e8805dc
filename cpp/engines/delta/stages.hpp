// Light arcs first, heavy arcs later, and most heavy arcs never: for graphs whose vertices are all near the source.
//
// Meyer and Sanders relax the light arcs of a bucket's vertices until the bucket stays empty, and then once the heavy
// ones, which lead out of it. A stage does the same with many levels at a time. It is as wide as the heaviest light arc
// weighs. During a stage vertices are relaxed along their light arcs only, which have rows of their own, and only up to
// its end, the horizon; no heavy arc leads to a nearer vertex. When the queue is empty, all vertices within the horizon
// are settled, and the horizon moves on. While few vertices are settled, these are relaxed again along all of their
// arcs. Once most arcs lead to settled vertices, only the open vertices, which are not settled, matter. If every arc
// has an opposite, they pull: an open vertex with a settled neighbour gets a distance, which is final if all of its
// neighbours are settled. So an arc between two settled vertices is never read, unless it is light; that is four in
// five arcs of a Kronecker graph. If not, the heads of all arcs are read in one pass, in a tenth of the time that
// relaxing them would take.
//
// The distance of an open vertex is the horizon: so a distance below the horizon is that of a vertex within it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engines/delta/worker.hpp"

namespace pathfront {

inline constexpr std::int64_t stage_block = 1 << 12; // vertices per block of work when the horizon moves
inline constexpr int most_stages = 8;                // each reads every vertex; with more, vertices are not near
// Shares of all arcs.
inline constexpr double most_effort = 0.75;      // read between stages: with more, the next stage is the last
inline constexpr double few_open = 0.125;        // lead to open vertices: with fewer, the next stage is the last
inline constexpr double some_relaxed = 1.0 / 12; // of the light arcs relaxed: with more, a stage may end early
inline constexpr double many_settled = 0.25;     // lead to settled vertices: with more, a stage does not end early
inline constexpr double to_read_a_head = 0.125;  // the time to read a head, as a share of the time to relax an arc

// The stages of a search: one without an end if no light arcs are given. Only relax() may be called by several threads
// at a time.
template <class W, class D>
class Stages {
  public:
    explicit Stages(DeltaTask<W, D>& task) : task_(task), last_(!(task.heaviest_light > 0)) {
        if (!last_) {
            task_.relax_along(task_.light, task_.packed_light);
            light_ = task_.with_rows([](const auto& rows) { return rows.m(); });
            move_horizon();
        }
    }

    // The distance of vertices that are not reached.
    D horizon() const { return horizon_; }

    // All nearer vertices are final.
    D settled() const { return settled_; }

    // Whether no vertex is beyond the horizon.
    bool last() const { return last_; }

    // Whether the stage ends with this level, given the arcs relaxed so far. From the time when some vertices are
    // settled until nearly all are, a search goes about one stage far, but this stage may be nearly over. Then the next
    // one begins here, unless many vertices are settled already; all queued vertices lie beyond this level.
    bool ends_early(std::uint64_t level, std::uint64_t edges_relaxed) {
        if (last_ || checked_ || static_cast<double>(edges_relaxed) < some_relaxed * static_cast<double>(light_))
            return false;
        checked_ = true;
        const D end = task_.leveling.end(level);
        if (task_.leveling(end) <= level)
            return false; // the end is rounded into the level
        if (end >= horizon_ || end - settled_ < (horizon_ - settled_) / 5 || open_share(end) < 1 - many_settled)
            return false;
        begin_stage(end);
        return true;
    }

    // Begins the next stage, when the queue is empty. Then the caller calls relax() for all vertices.
    void next() { begin_stage(horizon_); }

    // Relaxes the vertices [first, last) over the old horizon, with any thread's relaxer.
    template <Writers writers, class Relaxer>
    void relax(Relaxer& relaxer, Vertex first, Vertex last) const {
        if (step_ == Step::pull)
            relaxer.template pull<writers>(first, last, settled_, horizon_);
        else if (step_ == Step::relax_again)
            relaxer.template relax_again<writers>(first, last, settled_);
        else if (step_ == Step::relax_to_open)
            relaxer.template relax_to_open<writers>(first, last, settled_, open_.data());
    }

  private:
    enum class Step { none, relax_again, relax_to_open, pull }; // from one stage to the next

    void begin_stage(D settled) {
        const D before = horizon_;
        settled_ = settled;
        if (settled > task_.query.cutoff) {
            step_ = Step::none;
            finish();
        } else {
            const double open = open_share(settled);
            step_ = step_after(settled == before, open);
            effort_ += step_ == Step::pull ? open : step_ == Step::relax_again ? 1 - open : open + to_read_a_head;
            if (open < few_open || effort_ > most_effort || ++stages_ == most_stages)
                finish();
            else
                move_horizon();
        }
        if (step_ == Step::pull)
            return; // pull() writes the distances instead
        D* const dist = task_.query.dist;
        for (Vertex v = 0; v < task_.graph.n; ++v)
            dist[v] = dist[v] < before ? dist[v] : horizon_;
    }

    // The step after a stage that is over, or ends early, given the share of arcs that lead to open vertices.
    Step step_after(bool over, double open) {
        if (open >= 0.5 || settled_ > task_.safe)
            return Step::relax_again;
        if (task_.undirected && over)
            return Step::pull;
        mark_open();
        return Step::relax_to_open;
    }

    void mark_open() {
        const std::uint64_t n = task_.graph.n;
        open_.resize((n + 63) / 64);
        for (std::uint64_t first = 0; first < n; first += 64) {
            std::uint64_t word = 0;
            for (std::uint64_t v = first; v < std::min(first + 64, n); ++v)
                word |= std::uint64_t{task_.query.dist[v] >= settled_} << (v - first);
            open_[first / 64] = word;
        }
    }

    // The share of arcs that lead to vertices not nearer than `settled`, estimated from a sample.
    double open_share(D settled) const {
        constexpr Offset sampled = 1024;
        const Offset m = task_.graph.m(), count = std::min(m, sampled);
        Offset open = 0;
        for (Offset i = 0; i < count; ++i) {
            const Offset arc = m / count * i + m % count * i / count; // m * i / count without overflow
            open += task_.query.dist[task_.graph.heads[arc]] >= settled;
        }
        return count == 0 ? 0.0 : static_cast<double>(open) / static_cast<double>(count);
    }

    void move_horizon() {
        if (!add_checked(settled_, task_.heaviest_light, horizon_))
            finish();
    }

    // Makes the next stage the last one.
    void finish() {
        last_ = true;
        horizon_ = unreached<D>;
        task_.relax_along(task_.graph);
    }

    DeltaTask<W, D>& task_;
    bool last_;
    Offset light_ = 0;     // the number of light arcs
    bool checked_ = false; // ends_early() has decided
    Step step_ = Step::none;
    int stages_ = 0;
    double effort_ = 0;               // arcs read between stages, as a share of all
    D settled_ = 0;                   // the beginning of the stage
    std::vector<std::uint64_t> open_; // a bit for each vertex, set if it is open
    D horizon_ = unreached<D>;
};

} // namespace pathfront
