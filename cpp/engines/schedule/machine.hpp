// The CPU device: runs a recorded program over one search.
//
// One thread, the leader, interprets the instructions. It executes an operation on a short queue by itself; an
// operation on a long queue is parallel. The other threads are borrowed when the first such operation comes, so a
// search that never has a long queue costs what it costs on one thread.
#pragma once

#include <algorithm>
#include <vector>

#include "core/parent_cycle.hpp"
#include "engines/schedule/context.hpp"
#include "engines/schedule/ops/dense.hpp"
#include "engines/schedule/ops/edges.hpp"
#include "engines/schedule/ops/order.hpp"
#include "engines/schedule/ops/passes.hpp"
#include "engines/schedule/ops/pull.hpp"
#include "engines/schedule/ops/traverse.hpp"
#include "engines/schedule/run_stats.hpp"

namespace pathfront {

template <class W, class D, Parents parents>
class Machine {
  public:
    using Item = Entry<D, parents>;

    // `scalars` are the initial values of the program's scalars.
    Machine(Program& program, const SearchState<W, D>& state, const std::vector<D>& scalars, unsigned threads,
            ParallelThresholds thresholds, Watch& watch, RunStats& stats)
        : program_(program), state_(state), stats_(stats),
          context_(state, Buffers<D, Item>::of(program), threads, thresholds, watch),
          targets_(state.query.targets, state.query.targets + state.query.target_count) {
        context_.traces = stats.traces;
        std::copy(scalars.begin(), scalars.end(), context_.scalars.begin());
    }

    Outcome<D> run() {
        clear_answers(state_.query, 0, state_.graph.n);
        while (!interpret())
            run_with_team();
        for (const auto& thread : context_.thread_states()) {
            out_.overflow |= thread->overflow;
            stats_.edges_by_thread.push_back(thread->all_edges);
            out_.threads += thread->all_edges > 0;
        }
        if (out_.on_cycle != no_vertex)
            return out_;
        if (stats_.traces && !ended_early_)
            stats_.end();
        settle_queued();
        const bool overflow = out_.overflow;
        out_ = finish(state_.graph, state_.query, out_, all_targets_reached(state_.query));
        if (state_.dense.rows)
            out_.overflow = overflow && out_.radius == unreached<D> && rows_truly_overflowed(state_);
        return out_;
    }

  private:
    // Interprets the program from the next instruction on; false when it needs a team and has none.
    bool interpret() {
        while (pc_ < program_.code.size()) {
            const Instruction& it = program_.code[pc_];
            if ((!context_.fork_join && wants_team(it)) || !execute(it))
                return false;
            pc_ = next(it);
        }
        return true;
    }

    // Runs the rest of the program with a team, or alone if no other thread is free.
    void run_with_team() {
        ThreadTeam team(context_.threads - 1);
        context_.threads = team.size();
        if (context_.threads == 1)
            return;
        context_.buffers.reserve(context_.threads);
        ForkJoin fork_join(team);
        context_.fork_join = &fork_join;
        team.run([&](unsigned id) {
            if (id != 0)
                return fork_join.serve(id);
            try {
                interpret();
            } catch (...) {
                fork_join.dismiss();
                throw;
            }
            fork_join.dismiss();
        });
        context_.fork_join = nullptr;
    }

    bool wants_team(const Instruction& it) const {
        switch (it.op) {
        case Op::relax:
            return context_.in_parallel(it, context_.thresholds.relaxing) ||
                   (state_.dense.rows && context_.threads > 1);
        case Op::unique:
        case Op::split:
        case Op::lowest:
        case Op::sort:
            return context_.in_parallel(it, context_.thresholds.passing);
        case Op::relax_edges:
        case Op::relax_vertices:
            return context_.threads > 1 && state_.graph.m() >= context_.thresholds.sweeping;
        case Op::pull:
            return context_.threads > 1 && (state_.dense.rows || state_.graph.n >= context_.thresholds.sweeping);
        default:
            return false;
        }
    }

    static bool relaxes(Op op) {
        return op == Op::relax || op == Op::relax_edges || op == Op::relax_vertices || op == Op::pull;
    }

    // Executes an instruction that works on queues or scalars; false if it needs a team and there is none.
    bool execute(const Instruction& it) {
        if (!stats_.traces)
            return perform(it);
        const double begun = stats_.tracing().seconds();
        const bool drops = it.op == Op::unique || it.op == Op::lowest;
        if (drops || it.op == Op::pull || (it.op == Op::relax && !resuming_))
            stats_.begin_operation(it, context_);
        const bool done = perform(it);
        if (drops)
            stats_.end_dropping(it, context_);
        (relaxes(it.op) ? stats_.relaxing : stats_.organising) += stats_.tracing().seconds() - begun;
        return done;
    }

    bool perform(const Instruction& it) {
        switch (it.op) {
        case Op::start:
            start(it);
            break;
        case Op::relax:
            return relax(it);
        case Op::relax_edges:
        case Op::relax_vertices:
            sweep(it);
            break;
        case Op::pull:
            pull(it);
            break;
        case Op::unique:
            drop_stale_entries(it, context_);
            break;
        case Op::split:
            it.number ? split_sorted(it, context_) : split(it, context_);
            break;
        case Op::lowest:
            context_.scalars[it.scalars[0]] = lowest(it, context_);
            break;
        case Op::raise:
            context_.scalars[it.scalars[0]] =
                saturating_sum(context_.scalars[it.scalars[1]], context_.scalars[it.scalars[2]]);
            break;
        case Op::sort:
            sort(it, context_);
            break;
        case Op::merge:
            merge(it, context_);
            break;
        case Op::trace:
            if (stats_.traces)
                stats_.begin_row(it, context_);
            break;
        default:
            break; // only a jump
        }
        return true;
    }

    // The index of the instruction that follows this one.
    std::size_t next(const Instruction& it) {
        const std::size_t behind = pc_ + 1, end = program_.code.size();
        switch (it.op) {
        case Op::repeat:
            return std::all_of(it.queues.begin(), it.queues.end(),
                               [&](unsigned q) { return context_.queues[q].empty(); })
                       ? it.jump
                       : behind;
        case Op::again:
        case Op::jump:
            context_.poll(0, 1);
            return it.jump;
        case Op::when:
            return context_.queues[it.queues[0]].size() < static_cast<std::uint64_t>(it.number) ? it.jump : behind;
        case Op::settled:
            if (stats_.traces)
                stats_.settle(context_, context_.scalars[it.scalars[0]], it.number != 0);
            ended_early_ = all_settled(context_.scalars[it.scalars[0]], it.number != 0);
            return ended_early_ ? end : behind;
        case Op::cycle:
            return closes_cycle() ? end : behind;
        default:
            return behind;
        }
    }

    void start(const Instruction& it) {
        for_sources(state_.query, [&](Vertex v) {
            state_.query.dist[v] = 0;
            context_.queues[it.queues[0]].push({D{0}, v, no_vertex}, context_.leader().pool);
        });
    }

    bool relax(const Instruction& it) {
        if (state_.dense.rows) {
            relax_rows(it, context_);
        } else {
            Traverse<W, D, parents> traverse(it, context_);
            if (!std::exchange(resuming_, false))
                traverse.relax();
            if (!context_.leader().hubs.empty() && context_.threads > 1 && !context_.fork_join) {
                resuming_ = true; // a hub came up while the leader was alone
                return false;
            }
            traverse.relax_hubs();
        }
        stats_.end_iteration(context_, out_, state_.graph.n);
        return true;
    }

    // All arcs are relaxed, reached or not, and all vertices count as processed; or those of reached vertices.
    void sweep(const Instruction& it) {
        auto& flag = context_.queues[it.queues[0]];
        flag.clear(context_.leader().pool);
        if (it.op == Op::relax_edges)
            context_.leader().vertices += state_.graph.n;
        else if (stats_.traces)
            context_.buffers.state.resize(state_.graph.n);
        if (relax_all(it, context_))
            flag.push({D{0}, state_.query.source, no_vertex}, context_.leader().pool);
        context_.leader().lowest = 0;
        stats_.note_working(context_.buffers.state);
        stats_.end_iteration(context_, out_, state_.graph.n);
    }

    void pull(const Instruction& it) {
        context_.buffers.state.resize(state_.graph.n, open_vertex);
        settled_ += Pull<W, D, parents>(it, context_)();
        if (stats_.traces)
            for (const FrontierVertex<D>& entry : context_.buffers.frontier)
                stats_.tracing().note_settled(entry.vertex, state_.graph.n);
        stats_.end_iteration(context_, out_, state_.graph.n, state_.graph.n - settled_);
    }

    // Writes the parents of vertices that are still queued: their distances may be final.
    void settle_queued() {
        if constexpr (parents == Parents::when_settled)
            if (state_.query.parent)
                for (const auto& queue : context_.queues)
                    for (const auto* chunk = queue.first(); chunk; chunk = chunk->next)
                        for_current(*chunk, state_.query.dist,
                                    [&](const Item& entry) { state_.query.parent[entry.vertex] = entry.parent; });
    }

    // Removes targets from the end of the list as long as they are final: up to a limit, or below it.
    bool all_settled(D limit, bool below) {
        const auto final = [&](D dist) { return below ? dist < limit : dist <= limit; };
        while (!targets_.empty() && final(state_.query.dist[targets_.back()]))
            targets_.pop_back();
        return targets_.empty() && state_.query.target_count > 0;
    }

    // With negative weights: searches the parents for a cycle after iteration 1, 2, 4, 8, ... and, when only a cycle
    // can still lower a distance, after each. The parents of queued vertices are written first: only then parents and
    // distances agree.
    bool closes_cycle() {
        if (out_.iterations < next_check_)
            return false;
        next_check_ = out_.iterations >= state_.graph.n ? out_.iterations + 1 : 2 * out_.iterations;
        settle_queued();
        out_.on_cycle = find_parent_cycle(state_.query.parent, state_.graph.n);
        return out_.on_cycle != no_vertex;
    }

    Program& program_;
    const SearchState<W, D>& state_;
    RunStats& stats_;
    Context<W, D, parents> context_;
    std::vector<Vertex> targets_;
    std::size_t pc_ = 0; // the next instruction
    bool resuming_ = false, ended_early_ = false;
    std::uint64_t next_check_ = 1;
    Vertex settled_ = 0;
    Outcome<D> out_;
};

} // namespace pathfront
