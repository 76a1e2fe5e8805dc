// Delta-stepping by a team of threads that share each level by donation.
//
// Every member has a queue of its own and works on its own part of the current level, asynchronously. One that runs out
// raises its hand; a busy one looks for raised hands every few entries and gives away half of what it still has to do:
// chunks, the rest of a chunk, or arcs of a hub. The member that finds nobody busy any more has, by that, ended the
// level, and while all others wait it alone may touch everything: it leads. It finds the next level, and if that holds
// only a handful of vertices goes on by itself, as the engine for one thread would, until a level is worth waking the
// others for. So there are no barriers, and a long chain costs what it costs on one thread.
//
// Who is busy is counted: the giver counts the receiver in, before the gift is sent, so that the count never falls to
// zero while there is work.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/blocks.hpp"
#include "core/parking.hpp"
#include "core/thread_pool.hpp"
#include "engines/delta/stages.hpp"
#include "engines/delta/width.hpp"
#include "engines/delta/worker.hpp"

namespace pathfront {

inline constexpr Offset worth_sharing = 1536; // arcs of a level: fewer are relaxed sooner than handed out
// Arcs left to relax in a chunk: fewer are kept. What two members both work on lies in the caches of both, and a line
// that the other has written costs as much as relaxing ten arcs, so small gifts cost more than waiting does.
inline constexpr Offset worth_giving = 512;
inline constexpr unsigned spins_before_sleep = 2000;

template <class W, class D, Parents parents>
class DonatingDeltaStepping {
  public:
    DonatingDeltaStepping(const DeltaTask<W, D>& task, ThreadTeam& team, Watch& watch)
        : task_(task), team_(team), watch_(watch),
          targets_(task.query.targets, task.query.targets + task.query.target_count),
          worth_sharing_(static_cast<std::uint64_t>(entries_with(worth_sharing))),
          worth_giving_(entries_with(worth_giving)),
          // with more threads than cores, whoever spins keeps somebody from working
          spins_(team.size() <= std::thread::hardware_concurrency() ? spins_before_sleep : 0) {
        for (unsigned id = 0; id < team.size(); ++id)
            members_.push_back(std::make_unique<Member>(task_));
    }

    Outcome<D> run() {
        const Query<D>& query = task_.query;
        clear_answers(task_.graph, query, stages_.horizon());
        members_[0]->relaxer.start();
        team_.run([&](unsigned id) {
            try {
                serve(id);
            } catch (...) {
                give_up(id);
                throw;
            }
        });
        out_.exponent = task_.leveling.exponent();
        std::uint64_t vertices = 0, edges = 0;
        for (const auto& member : members_) {
            vertices += member->relaxer.vertices_processed;
            edges += member->relaxer.edges_relaxed;
            out_.overflow |= member->relaxer.overflow;
        }
        count_rest(task_, stages_.settled(), vertices, edges, out_);
        return finish(task_.graph, query, out_, query.target_count > 0 && targets_.empty());
    }

  private:
    using Bucket = typename DeltaWorker<W, D, parents>::Bucket;

    // The first three are waited out; the last three are what a member waits for.
    enum Signal : int { waiting, asking, receiving, given, go, leave };

    // What a member has to put in order should it fail.
    enum class Role { idle, busy, leading };

    struct alignas(128) Member {
        explicit Member(const DeltaTask<W, D>& task) : relaxer(task) {}

        DeltaWorker<W, D, parents> relaxer;
        Parking parking;
        Bucket* chunks = nullptr; // what is left of the current level, besides the queue
        Bucket* gift = nullptr;   // from another member, with `arcs`
        ArcRange<D> arcs;
        Role role = Role::idle;
        std::uint64_t seen = 0; // edges relaxed at the last tick
    };

    // How many entries have that many arcs, on average.
    Offset entries_with(Offset arcs) const {
        const Offset m = task_.with_rows([](const auto& rows) { return rows.m(); });
        return arcs * task_.graph.n / std::max<Offset>(m, 1) + 8;
    }

    void serve(unsigned id) {
        if (id == 0)
            lead(id);
        while (wait(id) == go) {
            members_[id]->parking.set(waiting);
            members_[id]->role = Role::busy;
            if (work(id)) {
                members_[id]->role = Role::leading; // before anything that can fail: nobody else is awake
                end_level();
                lead(id);
            }
        }
    }

    int wait(unsigned id) {
        Parking& parking = members_[id]->parking;
        if (id != 0)
            return parking.wait(given, spins_);
        return parking.wait(given, spins_, [&] { watch_.tick(Watch::work_between_checks); }); // a long time has passed
    }

    // The only member awake: does level after level alone, or wakes the others for one. Returns when the search is over
    // or another member has taken over.
    void lead(unsigned id) {
        members_[id]->role = Role::leading;
        while (begin_level()) {
            if (!work_alone(id) && !share(id))
                return; // another member ended the level, and leads
            end_level();
        }
        dismiss(id);
    }

    // Moves all queues on to the next level; false if there is none or no need for one.
    bool begin_level() {
        constexpr std::uint64_t none = LevelQueue<Entry<D, parents>>::none;
        if (over_ || stop_.load(std::memory_order_relaxed))
            return false;
        level_ = none;
        for (const auto& member : members_)
            level_ = std::min(level_, member->relaxer.queue.next(task_.leveling));
        if (level_ == none && !between_stages_) {
            if (stages_.last()) {
                all_final(targets_, task_, none,
                          stages_.horizon()); // those that were given their distance without a level
                return false;
            }
            stages_.next();
            between_stages_ = true;
        }
        if (between_stages_) {
            blocks_.emplace(task_.graph.n, stage_block);
            return true;
        }
        for (const auto& member : members_)
            member->relaxer.move_to(level_);
        return true;
    }

    void end_level() {
        if (std::exchange(between_stages_, false))
            return;
        std::uint64_t vertices = 0, edges = 0, again = 0;
        for (const auto& member : members_) {
            vertices += member->relaxer.vertices_processed;
            edges += member->relaxer.edges_relaxed;
            again += member->relaxer.improved_again;
        }
        count_level(task_, level_, vertices, edges, out_);
        over_ = task_.query.target_count > 0 && all_final(targets_, task_, level_, stages_.horizon());
        if (!over_)
            between_stages_ = stages_.ends_early(level_, edges);
        if (!task_.adaptive)
            return;
        if (control_.too_wide(vertices, again))
            change_width(-control_.step);
        else if (control_.too_narrow(vertices, again))
            change_width(control_.step);
    }

    void change_width(int more) {
        task_.leveling = task_.leveling.wider(more);
        for (const auto& member : members_)
            member->relaxer.queue.refile(task_.leveling);
    }

    // Ends the search: all others are waiting.
    void dismiss(unsigned id) {
        for (const auto& member : members_)
            if (member != members_[id])
                member->parking.send(leave);
        members_[id]->parking.set(leave);
    }

    // Works on the current level as the engine for one thread does; false as soon as there is too much of it.
    bool work_alone(unsigned id) {
        DeltaWorker<W, D, parents>& relaxer = members_[id]->relaxer;
        if (between_stages_)
            return false;
        while (const std::uint64_t size = level_size()) {
            if (size >= worth_sharing_)
                return false;
            for (const auto& member : members_)
                for (Bucket* chunk = member->relaxer.queue.take(); chunk;) {
                    relaxer.template relax<Writers::one>(
                        *chunk, [&](std::uint32_t) { tick(id); }, [&](Vertex, D, Offset, Offset&) { tick(id); });
                    relaxer.pool.put(std::exchange(chunk, chunk->next));
                }
        }
        return true;
    }

    // Entries of the current level, exact as long as they are few.
    std::uint64_t level_size() const {
        std::uint64_t size = 0;
        for (const auto& member : members_)
            size += member->relaxer.queue.size(worth_sharing_);
        return size;
    }

    // Wakes the others for the current level and works on it; true if this member ended it.
    bool share(unsigned id) {
        hands_.store(0, std::memory_order_relaxed);
        busy_.store(static_cast<int>(members_.size()), std::memory_order_relaxed);
        // All hands that were raised in the last level come down before anybody is woken: a gift to one who has not
        // been told of the new level yet would be lost.
        for (const auto& member : members_)
            member->parking.set(waiting);
        for (const auto& member : members_)
            if (member != members_[id])
                member->parking.send(go); // release: the counts above are seen
        members_[id]->role = Role::busy;
        if (!work(id))
            return false;
        members_[id]->role = Role::leading;
        return true;
    }

    // Works on the current level until nobody has any more of it; true if this member found that out first.
    bool work(unsigned id) {
        Member& me = *members_[id];
        for (;;) {
            if (between_stages_)
                relax_between_stages(id);
            else
                relax_level(id);
            me.parking.set(asking);
            hands_.fetch_add(1, std::memory_order_relaxed);
            me.role = Role::idle;
            if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
                me.parking.set(waiting);
                return true;
            }
            if (wait(id) != given)
                return false; // the level is over: `go` or `leave` is for serve()
            me.role = Role::busy;
            me.parking.set(waiting);
            me.chunks = std::exchange(me.gift, nullptr);
            if (me.arcs.from < me.arcs.to) {
                me.relaxer.template relax_arcs<Writers::all>(
                    std::exchange(me.arcs, {}),
                    [&](Vertex u, D here, Offset arc, Offset& to) { offer_arcs(id, u, here, arc, to); });
            }
        }
    }

    void relax_level(unsigned id) {
        Member& me = *members_[id];
        do {
            while (me.chunks) {
                relax_shared(id, *me.chunks);
                me.relaxer.pool.put(std::exchange(me.chunks, me.chunks->next));
            }
            me.chunks = me.relaxer.queue.take();
        } while (me.chunks);
    }

    // Leaves what is queued meanwhile alone, even if it is of the current level: to relax it would be to write vertices
    // that others look back from.
    void relax_between_stages(unsigned id) {
        for (std::int64_t first, last; !stop_.load(std::memory_order_relaxed) && blocks_->next(first, last); tick(id))
            stages_.template relax<Writers::all>(members_[id]->relaxer, static_cast<Vertex>(first),
                                                 static_cast<Vertex>(last));
    }

    void relax_shared(unsigned id, Bucket& chunk) {
        members_[id]->relaxer.template relax<Writers::all>(
            chunk, [&](std::uint32_t next) { offer_entries(id, chunk, next); },
            [&](Vertex u, D here, Offset arc, Offset& to) { offer_arcs(id, u, here, arc, to); });
    }

    // Gives the chunks behind this one, or the second half of what is left of it, to a raised hand.
    void offer_entries(unsigned id, Bucket& chunk, std::uint32_t next) {
        tick(id);
        if (stop_.load(std::memory_order_relaxed))
            chunk.size = next;
        if (hands_.load(std::memory_order_relaxed) <= 0)
            return;
        const Offset left = chunk.size - next;
        if (!chunk.next && left < worth_giving_)
            return;
        // everything that can fail comes before a hand is taken: its owner counts on the gift
        Bucket* const half = chunk.next ? nullptr : members_[id]->relaxer.pool.get(nullptr);
        Member* const other = take_hand();
        if (!other) {
            if (half)
                members_[id]->relaxer.pool.put(half);
            return;
        }
        if (!half) {
            other->gift = chunk.next;
            chunk.next = cut_in_half(other->gift);
        } else {
            half->size = static_cast<std::uint32_t>(left / 2);
            chunk.size -= half->size;
            std::copy_n(chunk.items + chunk.size, half->size, half->items);
            other->gift = half;
        }
        other->parking.send(given);
    }

    // Cuts a list of chunks in the middle and returns the second half.
    static Bucket* cut_in_half(Bucket* list) {
        Bucket* middle = list;
        for (Bucket* end = list->next; end && end->next; end = end->next->next)
            middle = middle->next;
        return std::exchange(middle->next, nullptr);
    }

    // Gives half of the remaining arcs of a hub to a raised hand.
    void offer_arcs(unsigned id, Vertex u, D here, Offset arc, Offset& to) {
        tick(id);
        if (stop_.load(std::memory_order_relaxed))
            to = arc;
        if (hands_.load(std::memory_order_relaxed) <= 0 || to - arc < arcs_at_once)
            return;
        Member* const other = take_hand();
        if (!other)
            return;
        const Offset middle = arc + (to - arc) / 2;
        other->arcs = {u, here, middle, to};
        to = middle;
        other->parking.send(given);
    }

    // Picks a member that asks, and counts it as busy.
    Member* take_hand() {
        for (const auto& member : members_)
            if (member->parking.signal(std::memory_order_relaxed) == asking &&
                member->parking.change(asking, receiving)) {
                busy_.fetch_add(1, std::memory_order_relaxed); // this member is busy, so it cannot be zero
                hands_.fetch_sub(1, std::memory_order_relaxed);
                return member.get();
            }
        return nullptr;
    }

    // Only the calling thread may be interrupted; the others follow when it raises `stop_`.
    void tick(unsigned id) {
        if (id != 0)
            return;
        Member& me = *members_[0];
        watch_.tick(static_cast<std::int64_t>(me.relaxer.edges_relaxed - me.seen) + 64);
        me.seen = me.relaxer.edges_relaxed;
    }

    // After an exception: the others run dry and leave; until then this member only keeps the count right.
    void give_up(unsigned id) {
        Member& me = *members_[id];
        stop_.store(true, std::memory_order_relaxed);
        if (me.role == Role::leading) {
            dismiss(id);
            return;
        }
        while (me.role == Role::idle || busy_.fetch_sub(1, std::memory_order_acq_rel) != 1) {
            if (me.parking.wait(given, spins_) == leave)
                return;
            me.parking.set(waiting); // a gift or a new level, which are dropped: counted as busy again
            me.role = Role::busy;
        }
        dismiss(id);
    }

    DeltaTask<W, D> task_; // its width and its rows change only while all but the leader wait
    Stages<W, D> stages_{task_};
    std::optional<Blocks> blocks_; // of vertices, between two stages
    ThreadTeam& team_;
    Watch& watch_;
    std::vector<Vertex> targets_;
    std::uint64_t worth_sharing_; // this and the next in entries
    Offset worth_giving_;
    unsigned spins_;
    std::vector<std::unique_ptr<Member>> members_;
    WidthControl control_;
    Outcome<D> out_;
    std::uint64_t level_ = 0; // this and the next are the leader's
    bool over_ = false;
    bool between_stages_ = false; // what is shared is no level
    alignas(128) std::atomic<int> busy_{0};
    alignas(128) std::atomic<int> hands_{0};
    alignas(128) std::atomic<bool> stop_{false};
};

template <class W, class D>
Outcome<D> delta_stepping(const DeltaTask<W, D>& task, ThreadTeam& team, Watch& watch) {
    if (task.query.parent)
        return DonatingDeltaStepping<W, D, Parents::when_improved>(task, team, watch).run();
    return DonatingDeltaStepping<W, D, Parents::none>(task, team, watch).run();
}

} // namespace pathfront
