// Delta-stepping by threads that each own a part of the vertices.
//
// Where neighbours have near numbers, as in road networks and grids, the vertices are cut into blocks of consecutive
// numbers, and every block belongs to one member of the team. Only the owner of a vertex writes its distance, without
// any compare-and-swap; a member that finds a shorter way to another's vertex tells the owner by message. Since few
// arcs leave a block, the members hardly ever touch the same lines of memory, and a line that another core has just
// written costs as much as relaxing ten arcs.
//
// Every member has a queue of its own and takes its levels in order. There are no barriers: a member only waits while
// it is more than `drift` levels ahead of another, because what it did there might have to be done again. A message
// that comes late, for a level that its owner has left, is looked at in the level the owner is in; distances only ever
// fall, so the answer is the same. The search is over when all queues are empty and every message has been read.
#pragma once

#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "core/level_queue.hpp"
#include "core/message_queue.hpp"
#include "core/parking.hpp"
#include "core/thread_pool.hpp"
#include "engines/delta/task.hpp"
#include "engines/delta/width.hpp"
#include "relax/relax.hpp"

namespace pathfront {

template <class W, class D, Parents parents>
class OwnedDeltaStepping {
  public:
    // Blocks hold 2^block_bits vertices.
    OwnedDeltaStepping(const DeltaTask<W, D>& task, unsigned block_bits, ThreadTeam& team, Watch& watch)
        : task_(task), block_bits_(block_bits), team_(team), watch_(watch),
          // with more threads than cores, a thread that spins keeps another from working
          spins_(team.size() <= std::thread::hardware_concurrency() ? spins_before_sleep : 0) {
        const unsigned size = team.size();
        for (Vertex block = 0; block <= (task.graph.n - 1) >> block_bits; ++block)
            owners_.push_back(static_cast<std::uint16_t>(block % size));
        for (unsigned id = 0; id < size; ++id)
            members_.push_back(std::make_unique<Member>(*this, id));
        const std::uint64_t messages = std::max<std::uint64_t>(messages_in_all / (size * size), fewest_messages);
        for (unsigned box = 0; box < size * size; ++box)
            boxes_.push_back(std::make_unique<Box>(box / size == box % size ? 1 : messages));
    }

    Outcome<D> run() {
        team_.run([&](unsigned id) {
            try {
                clear(id);
                members_[id]->work();
            } catch (...) {
                stop_.store(true, std::memory_order_seq_cst);
                wake_sleepers();
                throw;
            }
        });
        Outcome<D> out;
        for (const auto& member : members_) {
            out.iterations = std::max(out.iterations, member->levels);
            out.vertices_processed += member->vertices_processed;
            out.edges_relaxed += member->edges_relaxed;
            out.threads += member->edges_relaxed > 0;
            out.overflow |= member->overflow;
        }
        out.exponent = members_[0]->leveling.exponent();
        return finish(task_.graph, task_.query, out, false);
    }

  private:
    using Message = Entry<D, parents>;
    using Box = MessageQueue<Message>;

    // Levels that a member may be ahead of another, and entries relaxed between two looks at messages. With more of
    // either, more is done in vain, 1 to 2% of all; with less, members look at each other's lines more often: 2 and 64
    // made roads and grids up to a fifth slower.
    static constexpr std::uint64_t drift = 6;
    static constexpr std::uint32_t entries_between_messages = 256;
    static constexpr std::uint64_t messages_in_all = 1 << 14, fewest_messages = 256;
    static constexpr std::int64_t work_of_a_wait = 1024; // in arcs, as far as the watch is concerned
    static constexpr unsigned spins_before_sleep = 1000, yields_before_sleep = 500;
    static constexpr D nowhere = unreached<D>;

    class alignas(128) Member : public RelaxCore<W, D, parents, Member> {
      public:
        using Base = RelaxCore<W, D, parents, Member>;

        Member(OwnedDeltaStepping& search, unsigned id)
            : Base(search.task_), leveling(search.task_.leveling), search_(search), id_(id),
              owners_(search.owners_.data()), block_bits_(search.block_bits_), told_(search.team_.size(), nowhere) {}

        // Relaxing calls this and the next two.
        void push(D sum, Vertex v, Vertex u, bool keep) {
            queue_.push(std::max(leveling(sum), level_), Message(sum, v, u), keep);
        }

        bool owns(Vertex v) const { return owners_[v >> block_bits_] == id_; }

        void send(D sum, Vertex v, Vertex u) {
            const unsigned to = owners_[v >> block_bits_];
            Box& box = search_.box(id_, to);
            told_[to] = std::min(told_[to], sum);
            slowest_ = std::min(slowest_, sum);
            // A full box is emptied by its owner, who may itself be waiting for room in one of this member's.
            for (unsigned tries = 1; !box.put(Message(sum, v, u)); ++tries) {
                send();
                receive();
                if (search_.stopped())
                    return;
                if (tries % 64 == 0)
                    std::this_thread::yield();
            }
        }

        // Works until there is nothing left to do for anybody.
        void work() {
            for_sources(this->task_.query, [&](Vertex v) {
                if (owns(v) && this->template improve<Writers::owner>(v, D{0}, no_vertex))
                    push(D{0}, v, no_vertex, true);
            });
            while (!search_.stopped()) {
                receive();
                const std::uint64_t level = queue_.next(leveling);
                if (level == queue_.none) {
                    be_at(nowhere);
                    if (search_.over())
                        return;
                    search_.wait(*this, nowhere, [&] { return unread() || search_.over(); });
                } else {
                    be_at(std::min(leveling.begin(level), late_));
                    if (may_begin(level))
                        work_on(level);
                    else
                        search_.wait(*this, leveling.begin(level - drift),
                                     [&] { return unread() || may_begin(level); });
                }
            }
        }

        // Only the calling thread may be interrupted; the others follow when the team has stopped.
        void tick(std::int64_t work = 64) {
            if (id_ != 0)
                return;
            search_.watch_.tick(static_cast<std::int64_t>(this->edges_relaxed - seen_) + work);
            seen_ = this->edges_relaxed;
        }

        Leveling<D> leveling; // its width may change
        Parking parking;
        std::uint64_t levels = 0;
        std::atomic<D> wants{nowhere};     // while it sleeps: where others must come to, so that it may go on
        alignas(128) std::atomic<D> at{0}; // it works on nothing below this

      private:
        alignas(128) OwnedDeltaStepping& search_; // on another line than what others look at
        unsigned id_;

        void work_on(std::uint64_t level) {
            if (level != level_)
                queue_.move_to(level, leveling);
            level_ = level;
            this->level_end = leveling.end(level);
            const std::uint64_t before = this->vertices_processed;
            std::uint32_t entries = 0; // since the last look at anything else
            while (auto* chunk = queue_.take())
                while (chunk) {
                    entries += chunk->size + 4; // along a path every chunk holds but one
                    this->template relax_chunk<Writers::owner>(
                        this->task_.graph, *chunk, [](std::uint32_t) {},
                        [&](Vertex, D, Offset arc, Offset& to) {
                            tick();
                            if (search_.stopped())
                                to = arc;
                        });
                    pool_.put(std::exchange(chunk, chunk->next));
                    if (entries >= entries_between_messages) {
                        entries = 0;
                        tick();
                        send();
                        receive();
                        if (search_.stopped())
                            return;
                    }
                }
            late_ = nowhere;
            send();
            receive();
            tick();
            levels += this->vertices_processed > before;
            const bool adaptive = search_.task_.adaptive;
            if (const int more = adaptive ? control_.change(this->vertices_processed, this->improved_again) : 0)
                change_width(more);
        }

        void change_width(int more) {
            leveling = leveling.wider(more);
            queue_.refile(leveling);
            level_ = 0;
        }

        void send() {
            bool sent = false;
            for (unsigned to = 0; to < search_.size(); ++to)
                sent |= to != id_ && search_.box(id_, to).send();
            if (sent)
                search_.wake_sleepers();
        }

        // Whether no other member is too far behind. Others are looked at only when they are behind for all that is
        // known, since every look costs both of them a line of memory.
        bool may_begin(std::uint64_t level) {
            if (level == level_ || level < drift || level - drift <= leveling(slowest_))
                return true;
            const D least = find_slowest();
            // not more than this level begins with: others may fall back, by messages of which this member does not
            // know
            slowest_ = std::min(least, leveling.begin(level));
            return level - drift <= leveling(least);
        }

        // The least distance that another member is at, or will be when it has read what this one wrote to it. Without
        // the messages a member that has run out of work, and does not come to read, would seem to be nowhere, and this
        // one would run on in the wrong order.
        D find_slowest() {
            D least = nowhere;
            for (unsigned to = 0; to < search_.size(); ++to)
                if (to != id_) {
                    if (told_[to] != nowhere && search_.box(id_, to).all_taken())
                        told_[to] = nowhere;
                    least = std::min({least, told_[to], search_.members_[to]->at.load(std::memory_order_seq_cst)});
                }
            return least;
        }

        bool unread() const {
            for (unsigned from = 0; from < search_.size(); ++from)
                if (from != id_ && !search_.box(from, id_).empty())
                    return true;
            return false;
        }

        void receive() {
            bool taken = false;
            for (unsigned from = 0; from < search_.size(); ++from)
                taken |= from != id_ && search_.box(from, id_).take([&](const Message& message) { read(message); });
            if (taken)
                search_.wake_sleepers(); // a sender may wait until its messages are read
        }

        void read(const Message& message) {
            Vertex u = no_vertex;
            if constexpr (parents == Parents::when_settled)
                u = message.parent;
            if (!this->template improve<Writers::owner>(message.vertex, message.dist, u))
                return;
            prefetch(this->task_.graph.offsets + message.vertex);
            this->enqueue(message.dist, message.vertex, u);
            if (this->task_.is_dead_end(message.vertex))
                return; // nothing to do: who said it was late for it would never come to it, and others would wait
            late_ = std::min(late_, message.dist);
            // before the message counts as taken: one of the two always shows that there is something to do
            if (message.dist < at.load(std::memory_order_relaxed))
                at.store(message.dist, std::memory_order_release);
        }

        void be_at(D place) {
            if (at.load(std::memory_order_relaxed) == place)
                return;
            // Not sequentially consistent, which would cost as much as a short level: one who falls asleep at this very
            // moment may be overlooked, until this member comes to the next place, to the end, or waits itself.
            at.store(place, place == nowhere ? std::memory_order_seq_cst : std::memory_order_release);
            search_.wake_sleepers(place);
        }

        const std::uint16_t* owners_;
        unsigned block_bits_;
        std::uint64_t level_ = 0;
        std::vector<D> told_;    // the least distance in messages to each other member that may not have been taken
        D slowest_ = 0;          // what find_slowest() said, or less
        D late_ = nowhere;       // the least distance that came by message while in this level
        std::uint64_t seen_ = 0; // edges relaxed at the last tick
        ChunkPool<Message> pool_;
        LevelQueue<Message> queue_{pool_};
        WidthControl control_;
    };

    unsigned size() const { return static_cast<unsigned>(members_.size()); }
    bool stopped() const { return stop_.load(std::memory_order_relaxed); }
    Box& box(unsigned from, unsigned to) { return *boxes_[to * members_.size() + from]; }

    // Clears the answers of a member's vertices, and waits until all have: others read these distances, too.
    void clear(unsigned id) {
        const Vertex n = task_.graph.n;
        for (Vertex block = 0; block < owners_.size(); ++block)
            if (owners_[block] == id) {
                const Vertex from = block << block_bits_;
                const auto count = std::min<std::uint64_t>(std::uint64_t{1} << block_bits_, n - from);
                std::fill_n(task_.query.dist + from, count, unreached<D>);
                if (task_.query.parent)
                    std::fill_n(task_.query.parent + from, count, no_vertex);
            }
        cleared_.fetch_add(1, std::memory_order_seq_cst);
        wake_sleepers();
        while (cleared_.load(std::memory_order_seq_cst) < size() && !stopped())
            wait(*members_[id], nowhere, [&] { return cleared_.load(std::memory_order_seq_cst) == size(); });
    }

    // Whether there is no work anywhere: all messages had been read at a time when none was sent, and after that nobody
    // had anything to do. The first line is only to be quick.
    bool over() {
        if (!all_nowhere())
            return false;
        const std::uint64_t sent = sum(&Box::sent);
        return sum(&Box::taken) == sent && all_nowhere() && sum(&Box::sent) == sent;
    }

    bool all_nowhere() const {
        for (const auto& member : members_)
            if (member->at.load(std::memory_order_seq_cst) != nowhere)
                return false;
        return true;
    }

    std::uint64_t sum(std::uint64_t (Box::*count)() const) const {
        std::uint64_t all = 0;
        for (const auto& box : boxes_)
            all += (*box.*count)();
        return all;
    }

    // Waits until `ready`, which depends on messages and on whether others have come to a place that it `wants`, or
    // until the team has stopped.
    template <class Ready>
    void wait(Member& me, D wants, Ready&& ready) {
        me.tick(work_of_a_wait);
        const D place = me.at.load(std::memory_order_relaxed);
        me.at.store(place, std::memory_order_seq_cst); // before asking who is asleep; see be_at
        wake_sleepers(place);
        for (unsigned i = 0; i < spins_ + yields_before_sleep; ++i) {
            if (ready() || stopped())
                return;
            if (i < spins_)
                relax_processor();
            else
                std::this_thread::yield();
        }
        me.parking.set(0);
        me.wants.store(wants, std::memory_order_relaxed);
        // Sequentially consistent, like what wakers write and read: either this member sees what is new, or the waker
        // sees that a thread sleeps.
        sleepers_.fetch_add(1, std::memory_order_seq_cst);
        if (!ready() && !stop_.load(std::memory_order_seq_cst))
            me.parking.wait(1, 0, [&] { me.tick(Watch::work_between_checks); }); // a long time has passed
        me.wants.store(nowhere, std::memory_order_relaxed);
        sleepers_.fetch_sub(1, std::memory_order_relaxed);
    }

    // Wakes all who wait for something like a member's coming to this place: with nothing to do one sleeps on until all
    // have come to an end, or a message comes.
    void wake_sleepers(D place = nowhere) {
        if (sleepers_.load(std::memory_order_seq_cst) > 0)
            for (const auto& member : members_)
                if (member->wants.load(std::memory_order_relaxed) <= place)
                    member->parking.send(1);
    }

    const DeltaTask<W, D>& task_;
    unsigned block_bits_;
    ThreadTeam& team_;
    Watch& watch_;
    unsigned spins_;
    std::vector<std::uint16_t> owners_; // of blocks
    std::vector<std::unique_ptr<Member>> members_;
    std::vector<std::unique_ptr<Box>> boxes_; // of all pairs, by receiver
    alignas(128) std::atomic<unsigned> cleared_{0};
    alignas(128) std::atomic<int> sleepers_{0};
    alignas(128) std::atomic<bool> stop_{false};
};

template <class W, class D>
Outcome<D> delta_stepping(const DeltaTask<W, D>& task, unsigned block_bits, ThreadTeam& team, Watch& watch) {
    if (task.query.parent)
        return OwnedDeltaStepping<W, D, Parents::when_settled>(task, block_bits, team, watch).run();
    return OwnedDeltaStepping<W, D, Parents::none>(task, block_bits, team, watch).run();
}

} // namespace pathfront
