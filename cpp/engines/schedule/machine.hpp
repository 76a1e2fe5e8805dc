// The CPU device: runs a recorded program over one search.
//
// One thread, the leader, goes through the instructions. An operation on a short queue it does by itself, an operation
// on a long one is shared by the team, which is called for the first time it is needed: a search that never has a long
// queue costs what it costs on one thread.
#pragma once

#include <algorithm>
#include <vector>

#include "core/parent_cycle.hpp"
#include "engines/schedule/account.hpp"
#include "engines/schedule/context.hpp"
#include "engines/schedule/ops/dense.hpp"
#include "engines/schedule/ops/edges.hpp"
#include "engines/schedule/ops/order.hpp"
#include "engines/schedule/ops/passes.hpp"
#include "engines/schedule/ops/pull.hpp"
#include "engines/schedule/ops/traverse.hpp"

namespace pathfront {

template <class W, class D, bool keeps_parents>
class Machine {
  public:
    using Item = Waiting<D, keeps_parents>;

    // `scalars` are the values that the program's scalars begin with.
    Machine(Program& program, const Board<W, D>& board, const std::vector<D>& scalars, unsigned threads, Worth worth,
            Watch& watch, Account& account)
        : program_(program), board_(board), account_(account),
          hands_(board, Buffers<D, Item>::of(program), threads, worth, watch),
          targets_(board.query.targets, board.query.targets + board.query.target_count) {
        hands_.traces = account.traces;
        std::copy(scalars.begin(), scalars.end(), hands_.scalars.begin());
    }

    Outcome<D> run() {
        clear_answers(board_.graph, board_.query);
        while (!interpret())
            call_team();
        for (const auto& member : hands_.members()) {
            out_.overflow |= member->overflow;
            account_.edges_by_member.push_back(member->all_edges);
        }
        if (out_.on_cycle != no_vertex)
            return out_;
        settle_waiting();
        const bool overflow = out_.overflow;
        out_ = finish(board_.graph, board_.query, out_, all_reached());
        if (board_.dense.rows)
            out_.overflow = overflow && out_.radius == unreached<D> && rows_truly_overflowed(board_);
        return out_;
    }

  private:
    // Goes on with the program; false when it needs a team and has none.
    bool interpret() {
        while (place_ < program_.code.size()) {
            const Instruction& it = program_.code[place_];
            if ((!hands_.team && wants_team(it)) || !execute(it))
                return false;
        }
        return true;
    }

    // Runs the rest of the program with others at hand, or alone if there are none.
    void call_team() {
        Crew crew(hands_.threads - 1);
        hands_.threads = crew.size();
        if (hands_.threads == 1)
            return;
        hands_.buffers.reserve(hands_.threads);
        Team team(crew);
        hands_.team = &team;
        crew.run([&](unsigned id) {
            if (id != 0)
                return team.serve(id);
            try {
                interpret();
            } catch (...) {
                team.dismiss();
                throw;
            }
            team.dismiss();
        });
        hands_.team = nullptr;
    }

    bool wants_team(const Instruction& it) const {
        switch (it.op) {
        case Op::relax:
            return hands_.together(it, hands_.worth.relaxing) || (board_.dense.rows && hands_.threads > 1);
        case Op::unique:
        case Op::split:
        case Op::lowest:
        case Op::sort:
            return hands_.together(it, hands_.worth.passing);
        case Op::relax_edges:
            return hands_.threads > 1 && board_.graph.m() >= hands_.worth.sweeping;
        case Op::pull:
            return hands_.threads > 1 && (board_.dense.rows || board_.graph.n >= hands_.worth.sweeping);
        default:
            return false;
        }
    }

    // Executes an instruction and moves on to the next; false when that takes a team and there is none.
    bool execute(const Instruction& it) {
        std::size_t next = place_ + 1;
        switch (it.op) {
        case Op::start:
            start(it);
            break;
        case Op::repeat:
            if (std::all_of(it.queues.begin(), it.queues.end(), [&](unsigned q) { return hands_.queues[q].empty(); }))
                next = it.jump;
            break;
        case Op::again:
        case Op::jump:
            hands_.pause(0, 1);
            next = it.jump;
            break;
        case Op::when:
            if (hands_.queues[it.queues[0]].size() < static_cast<std::uint64_t>(it.number))
                next = it.jump;
            break;
        case Op::relax:
            if (!relax(it))
                return false;
            break;
        case Op::relax_edges:
            sweep(it);
            break;
        case Op::pull:
            pull(it);
            break;
        case Op::unique:
            keep_living(it, hands_);
            break;
        case Op::split:
            it.number ? split_sorted(it, hands_) : split(it, hands_);
            break;
        case Op::lowest:
            hands_.scalars[it.scalars[0]] = lowest(it, hands_);
            break;
        case Op::raise:
            hands_.scalars[it.scalars[0]] = up_by(hands_.scalars[it.scalars[1]], hands_.scalars[it.scalars[2]]);
            break;
        case Op::sort:
            sort(it, hands_);
            break;
        case Op::merge:
            merge(it, hands_);
            break;
        case Op::settled:
            if (all_settled(hands_.scalars[it.scalars[0]], it.number != 0))
                next = program_.code.size();
            break;
        case Op::cycle:
            if (closes_cycle())
                next = program_.code.size();
            break;
        case Op::trace:
            if (account_.traces)
                account_.begin_row(it, hands_);
            break;
        }
        place_ = next;
        return true;
    }

    void start(const Instruction& it) {
        for_sources(board_.query, [&](Vertex v) {
            board_.query.dist[v] = 0;
            hands_.queues[it.queues[0]].push({D{0}, v, no_vertex}, hands_.leader().pool);
        });
    }

    bool relax(const Instruction& it) {
        if (board_.dense.rows) {
            relax_rows(it, hands_);
            account_.end_iteration(hands_, out_, board_.graph.n);
            return true;
        }
        Traverse<W, D, keeps_parents> traverse(it, hands_);
        if (!resuming_)
            traverse.relax();
        resuming_ = false;
        if (!hands_.leader().hubs.empty() && hands_.threads > 1 && !hands_.team) {
            resuming_ = true; // a hub came up while the leader was alone
            return false;
        }
        traverse.relax_hubs();
        account_.end_iteration(hands_, out_, board_.graph.n);
        return true;
    }

    // All arcs, reached or not, are looked at, and so are all vertices.
    void sweep(const Instruction& it) {
        auto& flag = hands_.queues[it.queues[0]];
        flag.clear(hands_.leader().pool);
        if (relax_edges(it, hands_))
            flag.push({D{0}, board_.query.source, no_vertex}, hands_.leader().pool);
        hands_.leader().vertices += board_.graph.n;
        hands_.leader().lowest = 0;
        account_.end_iteration(hands_, out_, board_.graph.n);
    }

    void pull(const Instruction& it) {
        hands_.buffers.state.resize(board_.graph.n, open_vertex);
        settled_ += Pull<W, D, keeps_parents>(it, hands_)();
        account_.end_iteration(hands_, out_, board_.graph.n, board_.graph.n - settled_);
    }

    // Writes the parents of those who still wait: their distances may be final.
    void settle_waiting() {
        if constexpr (keeps_parents)
            if (board_.query.parent)
                for (const auto& queue : hands_.queues)
                    for (const auto* chunk = queue.first(); chunk; chunk = chunk->next)
                        for_living(*chunk, board_.query.dist,
                                   [&](const Item& entry) { board_.query.parent[entry.vertex] = entry.parent; });
    }

    bool all_reached() const {
        bool reached = board_.query.target_count > 0;
        for (std::int64_t i = 0; i < board_.query.target_count; ++i)
            reached = reached && board_.query.dist[board_.query.targets[i]] != unreached<D>;
        return reached;
    }

    // Takes targets from the end of the list as long as they are up to a limit, or below it, where everything is final.
    bool all_settled(D limit, bool below) {
        const auto final = [&](D dist) { return below ? dist < limit : dist <= limit; };
        while (!targets_.empty() && final(board_.query.dist[targets_.back()]))
            targets_.pop_back();
        return targets_.empty() && board_.query.target_count > 0;
    }

    // With negative weights: looks for a cycle after iteration 1, 2, 4, 8, ... and, when only a cycle can still change
    // anything, after each. The parents of those who wait are written first: only then parents and distances agree.
    bool closes_cycle() {
        if (out_.iterations < next_look_)
            return false;
        next_look_ = out_.iterations >= board_.graph.n ? out_.iterations + 1 : 2 * out_.iterations;
        settle_waiting();
        out_.on_cycle = find_parent_cycle(board_.query.parent, board_.graph.n);
        return out_.on_cycle != no_vertex;
    }

    Program& program_;
    const Board<W, D>& board_;
    Account& account_;
    Hands<W, D, keeps_parents> hands_;
    std::vector<Vertex> targets_;
    std::size_t place_ = 0;
    bool resuming_ = false;
    std::uint64_t next_look_ = 1;
    Vertex settled_ = 0;
    Outcome<D> out_;
};

} // namespace pathfront
