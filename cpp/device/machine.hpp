// The CPU device: runs a recorded program over one search.
//
// One thread, the leader, goes through the instructions. An operation on a short queue it does by itself, an operation
// on a long one is shared by the team, which is called for the first time it is needed: a search that never has a long
// queue costs what it costs on one thread.
#pragma once

#include <algorithm>
#include <vector>

#include "core/blocks.hpp"
#include "device/buffers.hpp"
#include "device/team.hpp"
#include "engines/bellman_ford.hpp"
#include "primitives/relax.hpp"

namespace pathfront {

inline constexpr std::uint64_t worth_relaxing_together = 768; // entries; fewer are done before the others are awake
inline constexpr std::uint64_t worth_passing_together = 8192; // the same where entries are only looked at
inline constexpr Offset hub_arcs = 1 << 14;                   // a vertex that is worth sharing by itself
inline constexpr unsigned parts_per_member = 4;               // of a queue's arcs, so that nobody waits long
inline constexpr Offset least_part = 2048;

// What a run leaves besides the distances; `rows` only if a trace is wanted.
struct Account {
    std::vector<double> rows;
    std::vector<std::uint64_t> edges_by_member;
    unsigned members = 1;
};

template <class W, class D, bool keeps_parents>
class Machine {
  public:
    using Item = Waiting<D, keeps_parents>;
    using Chunk = pathfront::Chunk<Item>;

    // `scalars` are the values that the program's scalars begin with.
    Machine(Program& program, const Board<W, D>& board, const std::vector<D>& scalars, unsigned threads, bool traces,
            Watch& watch, Account& account)
        : program_(program), board_(board), threads_(threads), traces_(traces), watch_(watch), account_(account),
          buffers_(Buffers<D, Item>::of(program, 1)), queues_(buffers_.queues), scalars_(buffers_.scalars),
          targets_(board.query.targets, board.query.targets + board.query.target_count) {
        std::copy(scalars.begin(), scalars.end(), scalars_.begin());
    }

    Outcome<D> run() {
        clear_answers(board_.graph, board_.query);
        while (!interpret())
            call_team();
        out_.overflow = false;
        for (const auto& member : buffers_.members) {
            out_.overflow |= member->overflow;
            account_.edges_by_member.push_back(member->all_edges);
        }
        bool reached = board_.query.target_count > 0;
        for (std::int64_t i = 0; i < board_.query.target_count; ++i)
            reached = reached && board_.query.dist[board_.query.targets[i]] != unreached<D>;
        return out_.on_cycle == no_vertex ? finish(board_.graph, board_.query, out_, reached) : out_;
    }

  private:
    using Me = Member<D, Item>;
    using Way = Routes<Item, D>;

    // Goes on with the program; false when it needs a team and has none.
    bool interpret() {
        while (place_ < program_.code.size()) {
            const Instruction& it = program_.code[place_];
            if (!team_ && wants_team(it))
                return false;
            if (!execute(it))
                return false;
        }
        return true;
    }

    // Runs the rest of the program with others at hand, or alone if there are none.
    void call_team() {
        Crew crew(threads_ - 1);
        threads_ = crew.size();
        if (threads_ == 1)
            return;
        account_.members = threads_;
        buffers_.reserve(threads_);
        Team team(crew);
        team_ = &team;
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
        team_ = nullptr;
    }

    bool wants_team(const Instruction& it) const {
        if (threads_ == 1)
            return false;
        switch (it.op) {
        case Op::relax:
            return together(it, worth_relaxing_together);
        case Op::unique:
        case Op::split:
        case Op::lowest:
            return together(it, worth_passing_together);
        default:
            return false;
        }
    }

    bool together(const Instruction& it, std::uint64_t worth) const {
        return threads_ > 1 && queues_[it.queues[0]].size() >= worth;
    }

    // Executes an instruction and moves on to the next; false when that takes a team and there is none.
    bool execute(const Instruction& it) {
        const std::size_t next = place_ + 1;
        switch (it.op) {
        case Op::start:
            start(queues_[it.queues[0]]);
            break;
        case Op::repeat:
            if (all_empty(it)) {
                place_ = it.jump;
                return true;
            }
            break;
        case Op::again:
        case Op::jump:
            place_ = it.jump;
            watch_.tick(1);
            return true;
        case Op::when:
            if (queues_[it.queues[0]].size() < static_cast<std::uint64_t>(it.number)) {
                place_ = it.jump;
                return true;
            }
            break;
        case Op::relax:
            if (!relax(it))
                return false;
            break;
        case Op::unique:
            keep_living(it);
            break;
        case Op::split:
            split(it);
            break;
        case Op::lowest:
            lowest(it);
            break;
        case Op::raise:
            scalars_[it.scalars[0]] = up_by(scalars_[it.scalars[1]], scalars_[it.scalars[2]]);
            break;
        case Op::settled:
            if (all_settled(scalars_[it.scalars[0]])) {
                place_ = program_.code.size();
                return true;
            }
            break;
        case Op::cycle:
            if (closes_cycle(it)) {
                place_ = program_.code.size();
                return true;
            }
            break;
        case Op::trace:
            begin_row(it);
            break;
        default:
            break;
        }
        place_ = next;
        return true;
    }

    void start(Bag<Item>& queue) {
        for_sources(board_.query, [&](Vertex v) {
            board_.query.dist[v] = 0;
            queue.push({D{0}, v, no_vertex}, buffers_.members[0]->pool);
        });
    }

    bool all_empty(const Instruction& it) const {
        return std::all_of(it.queues.begin(), it.queues.end(), [&](unsigned queue) { return queues_[queue].empty(); });
    }

    static D up_by(D base, D step) {
        if constexpr (std::is_floating_point_v<D>)
            return base + step;
        else
            return base > largest_distance<D> - step ? largest_distance<D> : static_cast<D>(base + step);
    }

    // ---- passes over a queue -------------------------------------------------------------------------------------

    // Where an instruction's entries go, as the leader does it, straight into the queues.
    Way ways(const Instruction& it) {
        Way way;
        for (std::size_t i = 1; i < it.queues.size(); ++i)
            way.bags[i - 1] = &queues_[it.queues[i]];
        set_limits(it, way);
        return way;
    }

    // The same for a member of the team, into bags of its own.
    Way ways(const Instruction& it, Me& me) {
        Way way;
        for (std::size_t i = 1; i < it.queues.size(); ++i)
            way.bags[i - 1] = &me.out[i - 1];
        set_limits(it, way);
        return way;
    }

    void set_limits(const Instruction& it, Way& way) const {
        way.limit_count = static_cast<unsigned>(it.queues.size()) - 2;
        for (unsigned i = 0; i < way.limit_count; ++i)
            way.limits[i] = scalars_[it.scalars[i]];
    }

    // Brings together what the members have put into their own bags.
    void gather(const Instruction& it) {
        for (auto& member : buffers_.members)
            for (std::size_t i = 1; i < it.queues.size(); ++i)
                queues_[it.queues[i]].append(member->out[i - 1].take());
    }

    // Takes a queue out and calls each(shared, me, way, chunk) for its chunks, in order if alone.
    template <class Each>
    void pass(const Instruction& it, std::uint64_t worth, Each&& each) {
        Bag<Item> taken = queues_[it.queues[0]].take();
        if (!team_ || taken.size() < worth) {
            Me& me = *buffers_.members[0];
            const Way way = ways(it);
            while (Chunk* chunk = taken.take_chunk()) {
                each(std::false_type{}, me, way, *chunk);
                me.pool.put(chunk);
                watch_.tick(Chunk::capacity);
            }
            return;
        }
        list_chunks(taken);
        std::atomic<std::size_t> next{0};
        team_->share([&](unsigned id) {
            Me& me = *buffers_.members[id];
            const Way way = ways(it, me);
            for (std::size_t i; !stop_.load(std::memory_order_relaxed) && (i = next++) < buffers_.chunks.size();) {
                each(std::true_type{}, me, way, *buffers_.chunks[i]);
                me.pool.put(buffers_.chunks[i]);
                pause(id, Chunk::capacity);
            }
        });
        gather(it);
    }

    void list_chunks(const Bag<Item>& taken) {
        buffers_.chunks.clear();
        for (Chunk* chunk = taken.first(); chunk; chunk = chunk->next)
            buffers_.chunks.push_back(chunk);
    }

    // Only the leader is interrupted; the others follow.
    bool pause(unsigned id, Offset work) {
        if (id == 0) {
            try {
                watch_.tick(work);
            } catch (...) {
                stop_.store(true, std::memory_order_relaxed);
                throw;
            }
        }
        return !stop_.load(std::memory_order_relaxed);
    }

    // Calls take(entry) for the living of a chunk.
    template <bool shared, class Take>
    void for_living(const Chunk& chunk, Take&& take) {
        const D* const dist = board_.query.dist;
        for (std::uint32_t i = 0; i < chunk.size; ++i) {
            if (i + fetch_vertex_ahead < chunk.size)
                fetch(dist + chunk.items[i + fetch_vertex_ahead].vertex);
            if (load<shared>(dist + chunk.items[i].vertex) == chunk.items[i].dist)
                take(chunk.items[i]);
        }
    }

    void keep_living(const Instruction& it) {
        pass(it, worth_passing_together, [&](auto, Me& me, const Way& way, const Chunk& chunk) {
            for_living<false>(chunk, [&](const Item& entry) { way.bags[0]->push(entry, me.pool); });
        });
    }

    void split(const Instruction& it) {
        pass(it, worth_passing_together, [&](auto, Me& me, const Way& way, const Chunk& chunk) {
            for (std::uint32_t i = 0; i < chunk.size; ++i)
                way(chunk.items[i].dist).push(chunk.items[i], me.pool);
        });
    }

    void lowest(const Instruction& it) {
        for (auto& member : buffers_.members)
            member->lowest = unreached<D>;
        const bool plus_lightest = it.number != 0;
        pass(it, worth_passing_together, [&](auto, Me& me, const Way& way, const Chunk& chunk) {
            D low = me.lowest;
            for_living<false>(chunk, [&](const Item& entry) {
                low = std::min(low, plus_lightest ? up_by(entry.dist, board_.lightest_out[entry.vertex]) : entry.dist);
                way.bags[0]->push(entry, me.pool);
            });
            me.lowest = low;
        });
        D low = unreached<D>;
        for (const auto& member : buffers_.members)
            low = std::min(low, member->lowest);
        scalars_[it.scalars[0]] = low;
    }

    // ---- relaxing ------------------------------------------------------------------------------------------------

    bool relax(const Instruction& it) {
        if (!resuming_)
            relax_queue(it);
        resuming_ = false;
        if (!buffers_.members[0]->hubs.empty() && threads_ > 1 && !team_) {
            resuming_ = true; // a hub came up while the leader was alone
            return false;
        }
        relax_hubs(it);
        end_iteration(board_.graph.n, 0);
        return true;
    }

    void relax_queue(const Instruction& it) {
        const auto traversal = static_cast<Traversal>(it.number);
        const Offset hub = threads_ > 1 && traversal != Traversal::cooperative_blocks ? hub_arcs : board_.graph.m() + 1;
        if (team_ && traversal == Traversal::load_balanced && together(it, worth_relaxing_together))
            return relax_equal_shares(it);
        pass(it, worth_relaxing_together, [&](auto shared, Me& me, const Way& way, Chunk& chunk) {
            Relax<W, D, keeps_parents> relaxing(board_, me, way);
            relaxing.template take<shared.value>(chunk);
            note_window(me, chunk);
            const unsigned id = &me == buffers_.members[0].get() ? 0 : 1;
            relaxing.template relax<shared.value>(chunk, hub, [&](Offset arcs) { return pause(id, arcs); });
            relaxing.template apply<shared.value>();
        });
    }

    // Shares of equally many arcs, wherever the vertices begin and end.
    void relax_equal_shares(const Instruction& it) {
        Bag<Item> taken = queues_[it.queues[0]].take();
        list_chunks(taken);
        auto& before = buffers_.arcs_before;
        before.assign(buffers_.chunks.size() + 1, 0);
        std::atomic<std::size_t> next{0}, next_part{0};
        team_->share([&](unsigned id) { count_arcs(it, *buffers_.members[id], next); });
        for (std::size_t i = 0; i + 1 < before.size(); ++i)
            before[i + 1] += before[i];
        const Offset total = before.back();
        const auto parts = static_cast<std::size_t>(
            std::clamp<Offset>(total / least_part, 1, static_cast<Offset>(parts_per_member * team_->size())));
        team_->share([&](unsigned id) {
            Me& me = *buffers_.members[id];
            const Way way = ways(it, me);
            Relax<W, D, keeps_parents> relaxing(board_, me, way);
            for (std::size_t part; (part = next_part++) < parts;) {
                const auto at = [&](std::size_t p) { return total * static_cast<Offset>(p) / static_cast<Offset>(parts); };
                if (!relax_part(relaxing, id, at(part), at(part + 1)))
                    break;
            }
            relaxing.template apply<true>();
        });
        for (Chunk* chunk : buffers_.chunks)
            buffers_.members[0]->pool.put(chunk);
        gather(it);
    }

    // Drops the dead of chunks and counts the arcs of the others.
    void count_arcs(const Instruction& it, Me& me, std::atomic<std::size_t>& next) {
        const Way way = ways(it, me);
        Relax<W, D, keeps_parents> relaxing(board_, me, way);
        const Offset* const offsets = board_.graph.offsets;
        for (std::size_t i; (i = next++) < buffers_.chunks.size();) {
            Chunk& chunk = *buffers_.chunks[i];
            relaxing.template take<false>(chunk); // nobody lowers distances now
            note_window(me, chunk);
            me.vertices += chunk.size;
            Offset arcs = 0;
            for (std::uint32_t k = 0; k < chunk.size; ++k)
                arcs += offsets[chunk.items[k].vertex + 1] - offsets[chunk.items[k].vertex];
            buffers_.arcs_before[i + 1] = arcs;
        }
    }

    // Relaxes the arcs [from, to) of the listed chunks' vertices, counted through.
    bool relax_part(Relax<W, D, keeps_parents>& relaxing, unsigned id, Offset from, Offset to) {
        const auto& before = buffers_.arcs_before;
        const Offset* const offsets = board_.graph.offsets;
        auto i = static_cast<std::size_t>(std::upper_bound(before.begin(), before.end(), from) - before.begin()) - 1;
        for (; i < buffers_.chunks.size() && before[i] < to; ++i) {
            const Chunk& chunk = *buffers_.chunks[i];
            Offset at = before[i]; // of the vertex's first arc
            for (std::uint32_t k = 0; k < chunk.size && at < to; ++k) {
                const Vertex u = chunk.items[k].vertex;
                const Offset first = offsets[u], degree = offsets[u + 1] - first;
                if (k + fetch_arcs_ahead < chunk.size)
                    relaxing.fetch_arcs(chunk.items[k + fetch_arcs_ahead].vertex);
                const Offset begin = std::max(from - at, Offset{0}), end = std::min(to - at, degree);
                at += degree;
                if (begin >= end || load<true>(board_.query.dist + u) != chunk.items[k].dist)
                    continue;
                if (!relaxing.template find<true>(u, chunk.items[k].dist, first + begin, first + end,
                                                  [&](Offset arcs) { return pause(id, arcs); }))
                    return false;
            }
            if (!pause(id, Chunk::capacity))
                return false;
        }
        return true;
    }

    // The arcs of hubs, in pieces, by all.
    void relax_hubs(const Instruction& it) {
        std::vector<Hub<D>>& hubs = buffers_.members[0]->hubs;
        for (std::size_t i = 1; i < buffers_.members.size(); ++i) {
            auto& more = buffers_.members[i]->hubs;
            hubs.insert(hubs.end(), more.begin(), more.end());
            more.clear();
        }
        for (const Hub<D>& hub : hubs)
            relax_hub(it, hub);
        hubs.clear();
    }

    void relax_hub(const Instruction& it, const Hub<D>& hub) {
        const Offset from = board_.graph.offsets[hub.vertex], to = board_.graph.offsets[hub.vertex + 1];
        Blocks pieces(to - from, 4 * arcs_in_a_piece);
        const auto work = [&]<bool shared>(std::bool_constant<shared>, Me& me, const Way& way, unsigned id) {
            Relax<W, D, keeps_parents> relaxing(board_, me, way);
            for (std::int64_t begin, end; pieces.next(begin, end);) {
                const bool go_on = relaxing.template find<shared>(hub.vertex, hub.dist, from + begin, from + end,
                                                                  [&](Offset arcs) { return pause(id, arcs); });
                if (!go_on || !pause(id, arcs_in_a_piece))
                    break;
            }
            relaxing.template apply<shared>();
        };
        if (!team_)
            return work(std::false_type{}, *buffers_.members[0], ways(it), 0);
        team_->share([&](unsigned id) {
            Me& me = *buffers_.members[id];
            work(std::true_type{}, me, ways(it, me), id);
        });
        gather(it);
    }

    // ---- accounts ------------------------------------------------------------------------------------------------

    static constexpr std::size_t fixed_columns = 6; // frontier, edges, low, high, launched, working

    void begin_row(const Instruction& it) {
        if (!traces_)
            return;
        row_.assign(fixed_columns, 0);
        const bool has_limit = it.number != 0;
        const D limit = has_limit ? std::min(scalars_[it.scalars[0]], board_.query.cutoff) : board_.query.cutoff;
        row_[3] = limit >= largest_distance<D> ? std::numeric_limits<double>::infinity() : static_cast<double>(limit);
        for (unsigned queue : it.queues)
            row_.push_back(static_cast<double>(queues_[queue].size()));
        for (std::size_t i = has_limit; i < it.scalars.size(); ++i)
            row_.push_back(static_cast<double>(scalars_[it.scalars[i]]));
    }

    void note_window(Me& me, const Chunk& chunk) {
        if (traces_)
            for (std::uint32_t i = 0; i < chunk.size; ++i)
                me.lowest = std::min(me.lowest, chunk.items[i].dist);
    }

    // Counts what the members have done since the last time; an iteration that met nothing but the dead is none.
    // `working` is 0 where it is the vertices that were relaxed.
    void end_iteration(std::uint64_t launched, std::uint64_t working) {
        std::uint64_t vertices = 0, edges = 0;
        D low = unreached<D>;
        for (auto& member : buffers_.members) {
            vertices += std::exchange(member->vertices, 0);
            edges += member->edges;
            member->all_edges += std::exchange(member->edges, 0);
            low = std::min(low, std::exchange(member->lowest, unreached<D>));
        }
        if (vertices == 0)
            return;
        ++out_.iterations;
        out_.vertices_processed += vertices;
        out_.edges_relaxed += edges;
        watch_.tick(static_cast<std::int64_t>(edges));
        if (!traces_)
            return;
        row_[0] = static_cast<double>(vertices);
        row_[1] = static_cast<double>(edges);
        row_[2] = static_cast<double>(low);
        row_[4] = static_cast<double>(launched);
        row_[5] = static_cast<double>(working == 0 ? vertices : working);
        account_.rows.insert(account_.rows.end(), row_.begin(), row_.end());
    }

    // Takes targets from the end of the list as long as they are within a limit up to which everything is final.
    bool all_settled(D limit) {
        while (!targets_.empty() && board_.query.dist[targets_.back()] <= limit)
            targets_.pop_back();
        return targets_.empty() && board_.query.target_count > 0;
    }

    // With negative weights: looks for a cycle after iteration 1, 2, 4, 8, ... and, when only a cycle can still change
    // anything, after each. The parents of those who wait are written first: only then parents and distances agree.
    bool closes_cycle(const Instruction& it) {
        if (out_.iterations < next_look_)
            return false;
        next_look_ = out_.iterations >= board_.graph.n ? out_.iterations + 1 : 2 * out_.iterations + 1;
        if constexpr (keeps_parents)
            for (unsigned queue : it.queues)
                for (const Chunk* chunk = queues_[queue].first(); chunk; chunk = chunk->next)
                    for_living<false>(*chunk, [&](const Item& e) { board_.query.parent[e.vertex] = e.parent; });
        out_.on_cycle = find_parent_cycle(board_.query.parent, board_.graph.n);
        return out_.on_cycle != no_vertex;
    }

    Program& program_;
    const Board<W, D>& board_;
    unsigned threads_;
    bool traces_;
    Watch& watch_;
    Account& account_;
    Buffers<D, Item>& buffers_;
    std::vector<Bag<Item>>& queues_;
    std::vector<D>& scalars_;
    std::vector<Vertex> targets_;
    Team* team_ = nullptr;
    std::atomic<bool> stop_{false};
    std::size_t place_ = 0;
    bool resuming_ = false;
    std::uint64_t next_look_ = 1;
    std::vector<double> row_;
    Outcome<D> out_;
};

} // namespace pathfront
