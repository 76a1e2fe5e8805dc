// The statistics of a run: counts, and a row for each iteration if a trace is wanted.
#pragma once

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/search.hpp"
#include "engines/schedule/program.hpp"

namespace pathfront {

struct RunStats {
    bool traces = false;
    std::vector<double> rows; // fixed_columns, then the program's own columns
    std::vector<std::uint64_t> edges_by_thread;

    static constexpr std::size_t fixed_columns = 6; // frontier, edges, low, high, launched, working

    template <class Context>
    void begin_row(const Instruction& it, const Context& context) {
        using D = std::remove_cvref_t<decltype(context.state.safe)>;
        row_.assign(fixed_columns, 0);
        const bool has_limit = it.number != 0;
        const D cutoff = context.state.query.cutoff;
        const D limit = has_limit ? std::min(context.scalars[it.scalars[0]], cutoff) : cutoff;
        row_[3] = limit >= largest_distance<D> ? std::numeric_limits<double>::infinity() : static_cast<double>(limit);
        for (unsigned queue : it.queues)
            row_.push_back(static_cast<double>(context.queues[queue].size()));
        for (std::size_t i = has_limit; i < it.scalars.size(); ++i)
            row_.push_back(static_cast<double>(context.scalars[it.scalars[i]]));
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
        if (vertices == 0)
            return;
        ++out.iterations;
        out.vertices_processed += vertices;
        out.edges_relaxed += edges;
        context.poll(0, static_cast<std::int64_t>(edges));
        if (!traces)
            return;
        row_[0] = static_cast<double>(vertices);
        row_[1] = static_cast<double>(edges);
        row_[2] = static_cast<double>(low);
        row_[4] = static_cast<double>(launched);
        row_[5] = static_cast<double>(working.value_or(vertices));
        rows.insert(rows.end(), row_.begin(), row_.end());
    }

  private:
    std::vector<double> row_;
};

} // namespace pathfront
