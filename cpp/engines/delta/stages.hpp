// Light arcs first, the others when they are due, and most of them never, where everything is near.
//
// Meyer and Sanders relax the light arcs of a bucket's vertices until the bucket stays empty, and then the heavy ones,
// which lead out of it, once. Here the same is done with many levels at a time. A stage goes as far as the heaviest
// light arc weighs. While it lasts, vertices are relaxed along their light arcs only, which have rows of their own, and
// only up to its end, the horizon; no heavy arc leads to anything nearer. When the queue is empty, everything within
// the horizon is settled, and the horizon moves on. As long as little is settled, that is relaxed again along all of
// its arcs. As soon as most arcs lead to settled vertices, the others are what matters. If every arc has its opposite,
// they look back: one that sees a settled vertex at the other end of an arc has a distance, and is final if it sees
// nothing else. So none of the arcs between two settled vertices is ever looked at, unless it is light; of a Kronecker
// graph's arcs that is four in five. If not, the heads of all arcs are read in one go, which takes a tenth of the time
// that relaxing them would.
//
// A vertex that is not settled has the horizon for its distance: so what is nearer than that is within the horizon.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engines/delta/worker.hpp"

namespace pathfront {

inline constexpr std::int64_t stage_block = 1 << 12; // vertices looked at together when the horizon moves
inline constexpr int most_stages = 8;                // each looks at every vertex; with more, not everything is near
// Shares of all arcs: looked at between stages, after which it is given up; not settled, so few that the last stage may
// begin; settled, when a stage may end early, and when it may not any more.
inline constexpr double most_effort = 0.75, few_open = 0.125, a_little = 1.0 / 12, too_much = 0.25;
inline constexpr double to_read_a_head = 0.125; // of what it takes to relax an arc

// The stages of a search: only one, without an end, where no light arcs are given. Everything but relax() is for one
// thread, while no other looks.
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

    // The distance of what is not reached.
    D horizon() const { return horizon_; }

    // Everything nearer is final.
    D settled() const { return settled_; }

    // Whether there is nothing beyond the horizon.
    bool last() const { return last_; }

    // Whether the stage had better end with this level, given how many arcs have been relaxed up to now. From where a
    // little is settled it takes about a stage until nearly everything is, but of this one too little may be left. Then
    // the next one begins here, if not too much is settled by now; what is queued already lies beyond.
    bool ends_early(std::uint64_t level, std::uint64_t edges_relaxed) {
        if (last_ || looked_ || static_cast<double>(edges_relaxed) < a_little * static_cast<double>(light_))
            return false;
        looked_ = true;
        const D end = task_.leveling.end(level);
        if (task_.leveling(end) <= level)
            return false; // rounded into the level: floating-point numbers of many digits, or next to nothing
        if (end >= horizon_ || end - settled_ < (horizon_ - settled_) / 5 || open_share(end) < 1 - too_much)
            return false;
        begin_stage(end);
        return true;
    }

    // The queue is empty: begins the next stage. Then relax() is to be called for all vertices.
    void next() { begin_stage(horizon_); }

    // Takes the vertices from `first` up to `last` over the old horizon, with any thread's relaxer.
    template <Writers writers, class Relaxer>
    void relax(Relaxer& relaxer, Vertex first, Vertex last) const {
        if (step_ == Step::look_back)
            relaxer.template look_back<writers>(first, last, settled_, horizon_);
        else if (step_ == Step::relax_again)
            relaxer.template relax_again<writers>(first, last, settled_);
        else if (step_ == Step::relax_to_open)
            relaxer.template relax_to_open<writers>(first, last, settled_, open_.data());
    }

  private:
    enum class Step { none, relax_again, relax_to_open, look_back }; // from one stage to the next

    void begin_stage(D settled) {
        const D before = horizon_;
        settled_ = settled;
        if (settled > task_.query.cutoff) {
            step_ = Step::none;
            finish();
        } else {
            const double open = open_share(settled);
            step_ = step_after(settled == before, open);
            effort_ += step_ == Step::look_back ? open : step_ == Step::relax_again ? 1 - open : open + to_read_a_head;
            if (open < few_open || effort_ > most_effort || ++stages_ == most_stages)
                finish();
            else
                move_horizon();
        }
        if (step_ == Step::look_back)
            return; // look_back() writes the distances instead
        D* const dist = task_.query.dist;
        for (Vertex v = 0; v < task_.graph.n; ++v)
            dist[v] = dist[v] < before ? dist[v] : horizon_;
    }

    // What to do when a stage is over, or stopped, given the share of arcs that lead to what is not settled.
    Step step_after(bool over, double open) {
        if (open >= 0.5 || settled_ > task_.safe)
            return Step::relax_again;
        if (task_.undirected && over)
            return Step::look_back;
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

    // The share of arcs that lead to vertices not nearer than `settled`, from a sample.
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

    // There is nothing beyond the next stage.
    void finish() {
        last_ = true;
        horizon_ = unreached<D>;
        task_.relax_along(task_.graph);
    }

    DeltaTask<W, D>& task_;
    bool last_;
    Offset light_ = 0;    // arcs
    bool looked_ = false; // whether to end a stage early
    Step step_ = Step::none;
    int stages_ = 0;
    double effort_ = 0;               // arcs looked at between stages, as a share of all
    D settled_ = 0;                   // the beginning of the stage
    std::vector<std::uint64_t> open_; // a bit for each vertex, set if it is not settled
    D horizon_ = unreached<D>;
};

} // namespace pathfront
