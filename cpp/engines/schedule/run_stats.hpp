// The statistics of a run: counts, and a row for each iteration if a trace is wanted.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/search.hpp"
#include "engines/schedule/program.hpp"
#include "engines/schedule/tracing.hpp"

namespace pathfront {

// The columns that all rows have, in the order of TRACE_ROW in src/pathfront/problem.py without its first, and those of
// threads; the program's own columns follow.
namespace column {
enum : std::size_t { seconds, vertices, edges, low, high, delta, near, far, labelled, final, discarded };
enum : std::size_t { launched = discarded + 1, working, idle_warps, count };
} // namespace column

struct RunStats {
    bool traces = false;
    std::vector<double> rows;
    std::vector<std::uint64_t> edges_by_thread;
    double relaxing = 0, organising = 0; // seconds spent on arcs, and on queues alone, if a trace is wanted

    template <class Context>
    void begin_row(const Instruction& it, const Context& context) {
        const Tracing::Pause pause(tracing_);
        using D = std::remove_cvref_t<decltype(context.state.safe)>;
        const auto of = [](D value) { return static_cast<double>(value); };
        tracing_.count_waiting(context);
        form_ = TraceForm(it.number);
        row_.assign(column::count, 0);
        const D cutoff = context.state.query.cutoff;
        const D limit = form_.has_limit ? std::min(context.scalars[it.scalars[0]], cutoff) : cutoff;
        row_[column::high] = limit >= largest_distance<D> ? std::numeric_limits<double>::infinity() : of(limit);
        row_[column::delta] = form_.has_delta ? of(context.scalars[it.scalars[form_.has_limit]])
                                              : std::numeric_limits<double>::quiet_NaN();
        for (std::size_t i = 0; i < it.queues.size(); ++i) {
            const auto waiting = static_cast<double>(tracing_.waiting(it.queues[i]));
            if (i < form_.near + form_.far)
                row_[i < form_.near ? column::near : column::far] += waiting;
            else
                row_.push_back(waiting);
        }
        if (form_.near == 0)
            row_[column::near] = static_cast<double>(context.state.graph.n);
        for (std::size_t i = form_.has_limit + form_.has_delta; i < it.scalars.size(); ++i)
            row_.push_back(of(context.scalars[it.scalars[i]]));
    }

    // Called before an operation that drops entries or relaxes vertices.
    template <class Context>
    void begin_operation(const Instruction& it, const Context& context) {
        const Tracing::Pause pause(tracing_);
        taken_ = context.queues[it.queues[0]].size();
        if (it.op == Op::relax && form_.threads)
            tracing_.count_working_warps(it.queues[0], context);
    }

    // Called after an operation that drops the stale entries of a queue.
    template <class Context>
    void end_dropping(const Instruction& it, const Context& context) {
        tracing_.discarded += taken_ - context.queues[it.queues[0]].size();
    }

    // Called when all distances up to a limit, or below it, are final.
    template <class Context, class D>
    void settle(const Context& context, D limit, bool below) {
        const Tracing::Pause pause(tracing_);
        tracing_.settle(context.state.query.dist, limit, below);
        if (!rows.empty())
            last_row()[column::final] = static_cast<double>(tracing_.final);
    }

    // Counts the work of all threads since the last call. An iteration that found only stale entries does not count.
    // `launched` is the number of threads that a device with one thread for each vertex would launch; `working` of
    // them have work, by default one for each vertex that was relaxed.
    template <class Context, class D>
    void end_iteration(Context& context, Outcome<D>& out, std::uint64_t launched,
                       std::optional<std::uint64_t> working = {}) {
        std::uint64_t vertices = 0, edges = 0;
        D low = unreached<D>;
        for (auto& thread : context.thread_states()) {
            vertices += std::exchange(thread->vertices, 0);
            edges += thread->edges;
            thread->all_edges += std::exchange(thread->edges, 0);
            low = std::min(low, std::exchange(thread->lowest, unreached<D>));
        }
        if (traces && form_.near > 0)
            tracing_.discarded += std::exchange(taken_, 0) - vertices;
        if (vertices == 0)
            return;
        ++out.iterations;
        out.vertices_processed += vertices;
        out.edges_relaxed += edges;
        context.poll(0, static_cast<std::int64_t>(edges));
        if (!traces)
            return;
        const Tracing::Pause pause(tracing_);
        row_[column::seconds] = pause.seconds;
        row_[column::vertices] = static_cast<double>(vertices);
        row_[column::edges] = static_cast<double>(edges);
        row_[column::low] = static_cast<double>(low);
        form_.near > 0 ? tracing_.count_waiting(context) : tracing_.count_labelled(context);
        row_[column::labelled] = static_cast<double>(tracing_.labelled);
        row_[column::final] = static_cast<double>(tracing_.final);
        row_[column::discarded] = static_cast<double>(std::exchange(tracing_.discarded, 0));
        row_[column::launched] = static_cast<double>(launched);
        row_[column::working] = static_cast<double>(working.value_or(vertices));
        row_[column::idle_warps] = static_cast<double>(warps_of(launched) - tracing_.working_warps);
        rows.insert(rows.end(), row_.begin(), row_.end());
    }

    // Counts the warps with work where every vertex has a mark that is set if its thread had any.
    void note_working(const std::vector<std::uint8_t>& marks) {
        if (marks.empty())
            return;
        const Tracing::Pause pause(tracing_);
        tracing_.begin_warps(static_cast<Vertex>(marks.size()));
        for (std::size_t v = 0; v < marks.size(); ++v)
            if (marks[v])
                tracing_.note_working(static_cast<Vertex>(v));
    }

    // Called when the program has ended because nothing was left to do: all distances are final.
    void end() {
        if (!rows.empty())
            last_row()[column::final] = last_row()[column::labelled];
    }

    Tracing& tracing() { return tracing_; }

  private:
    double* last_row() { return rows.data() + rows.size() - row_.size(); }

    TraceForm form_{};
    std::vector<double> row_;
    std::uint64_t taken_ = 0; // entries of the queue that the operation took out
    Tracing tracing_;
};

} // namespace pathfront
