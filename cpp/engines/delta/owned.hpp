// Delta-stepping by the owner-computes rule: each thread owns a part of the vertices.
//
// Where neighbours have near numbers, as in road networks and grids, the vertices are cut into blocks of consecutive
// numbers, and every block has one thread as its owner. Only the owner of a vertex writes its distance, without any
// compare-and-swap; a thread that improves a vertex of another owner sends that owner a message. Since few arcs leave a
// block, threads rarely touch the same cache lines, and a line that another core has just written costs as much as
// relaxing ten arcs.
//
// Every thread has a queue of its own and takes its levels in order. There are no barriers: a thread waits only while
// it is more than `drift` levels ahead of another, because its work there might have to be repeated. A message for a
// level that its owner has left is relaxed in the owner's current level; distances only fall, so the result is the
// same. The search is over when all queues are empty and every message has been read.
//
// A thread publishes its position: it relaxes no vertex nearer than that. A thread with an empty queue has the position
// `no_work`. tests/model/owners.py explores every interleaving of this protocol.
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
          spins_(spins_of_team(team.size(), spins_before_yield)) {
        const unsigned size = team.size();
        for (Vertex block = 0; block <= (task.graph.n - 1) >> block_bits; ++block)
            owners_.push_back(static_cast<std::uint16_t>(block % size));
        for (unsigned id = 0; id < size; ++id)
            workers_.push_back(std::make_unique<Worker>(*this, id));
        const std::uint64_t capacity = std::max<std::uint64_t>(total_capacity / (size * size), least_capacity);
        for (unsigned pair = 0; pair < size * size; ++pair)
            message_queues_.push_back(std::make_unique<Messages>(pair / size == pair % size ? 1 : capacity));
    }

    Outcome<D> run() {
        team_.run([&](unsigned id) {
            try {
                clear(id);
                workers_[id]->work();
            } catch (...) {
                stop_.store(true, std::memory_order_seq_cst);
                wake_sleepers();
                throw;
            }
        });
        Outcome<D> out;
        for (const auto& worker : workers_) {
            out.iterations = std::max(out.iterations, worker->levels);
            out.vertices_processed += worker->vertices_processed;
            out.edges_relaxed += worker->edges_relaxed;
            out.threads += worker->edges_relaxed > 0;
            out.overflow |= worker->overflow;
        }
        out.width = workers_[0]->leveling.width();
        return finish(task_.graph, task_.query, out, false);
    }

  private:
    using Message = Entry<D, parents>;
    using Messages = MessageQueue<Message>;

    // With more of these two, 1 to 2% more work is repeated. With less, threads read each other's cache lines more
    // often: 2 and 64 made roads and grids up to a fifth slower.
    static constexpr std::uint64_t drift = 6;                      // levels that a thread may be ahead of another
    static constexpr std::uint32_t entries_between_messages = 256; // relaxed between two polls for messages
    static constexpr std::uint64_t total_capacity = 1 << 14;       // messages in all queues together
    static constexpr std::uint64_t least_capacity = 256;           // messages in one queue
    static constexpr std::int64_t work_of_a_wait = 1024;           // arcs reported to the watch
    static constexpr unsigned spins_before_yield = 1000;           // checks before a waiting thread yields its core
    static constexpr unsigned yields_before_sleep = 500;           // checks after that, before it sleeps
    static constexpr D no_work = unreached<D>;

    class alignas(128) Worker : public RelaxCore<W, D, parents, Worker> {
      public:
        using Base = RelaxCore<W, D, parents, Worker>;

        Worker(OwnedDeltaStepping& search, unsigned id)
            : Base(search.task_), leveling(search.task_.leveling), search_(search), id_(id),
              owners_(search.owners_.data()), block_bits_(search.block_bits_),
              least_unread_(search.team_.size(), no_work) {}

        // RelaxCore calls this and the next two.
        void push(D sum, Vertex v, Vertex u, bool keep) {
            queue_.push(std::max(leveling(sum), level_), Message(sum, v, u), keep);
        }

        bool owns(Vertex v) const { return owners_[v >> block_bits_] == id_; }

        void send(D sum, Vertex v, Vertex u) {
            const unsigned to = owners_[v >> block_bits_];
            Messages& messages = search_.messages(id_, to);
            least_unread_[to] = std::min(least_unread_[to], sum);
            slowest_ = std::min(slowest_, sum);
            // While the queue is full, its receiver may be waiting for room in a queue to this thread.
            for (unsigned tries = 1; !messages.put(Message(sum, v, u)); ++tries) {
                send();
                receive();
                if (search_.stopped())
                    return;
                if (tries % 64 == 0)
                    std::this_thread::yield();
            }
        }

        // Works until no thread has work.
        void work() {
            for_sources(this->task_.query, [&](Vertex v) {
                if (owns(v) && this->template improve<Writers::owner>(v, D{0}, no_vertex))
                    push(D{0}, v, no_vertex, true);
            });
            while (!search_.stopped()) {
                receive();
                const std::uint64_t level = queue_.next(leveling);
                if (level == queue_.none) {
                    publish_position(no_work);
                    if (search_.over())
                        return;
                    search_.wait(*this, no_work, [&] { return has_messages() || search_.over(); });
                } else {
                    publish_position(std::min(leveling.begin(level), received_));
                    if (may_begin(level))
                        work_on(level);
                    else
                        search_.wait(*this, leveling.begin(level - drift),
                                     [&] { return has_messages() || may_begin(level); });
                }
            }
        }

        // Only the calling thread can be interrupted; the others see stopped().
        void tick(std::int64_t work = 64) {
            if (id_ != 0)
                return;
            search_.watch_.tick(static_cast<std::int64_t>(this->edges_relaxed - seen_) + work);
            seen_ = this->edges_relaxed;
        }

        Leveling<D> leveling; // its width may change
        Parking parking;
        std::uint64_t levels = 0;
        std::atomic<D> awaited{no_work};         // while it sleeps: the position of another thread that wakes it
        alignas(128) std::atomic<D> position{0}; // it relaxes no vertex nearer than this

      private:
        alignas(128) OwnedDeltaStepping& search_; // not on the cache line that other threads read
        unsigned id_;

        void work_on(std::uint64_t level) {
            if (level != level_)
                queue_.move_to(level, leveling);
            level_ = level;
            this->level_end = leveling.end(level);
            const std::uint64_t before = this->vertices_processed;
            std::uint32_t entries = 0; // since the last poll for messages
            while (auto* chunk = queue_.take())
                while (chunk) {
                    entries += chunk->size + 4; // along a path every chunk holds one entry
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
            received_ = no_work;
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
                sent |= to != id_ && search_.messages(id_, to).send();
            if (sent)
                search_.wake_sleepers();
        }

        // Whether no other thread is too far behind. The positions of others are read only if the last known ones are
        // too low, since every read costs both threads a cache miss.
        bool may_begin(std::uint64_t level) {
            if (level == level_ || level < drift || level - drift <= leveling(slowest_))
                return true;
            const D least = find_slowest();
            // not beyond the start of this level: messages between other threads may lower their positions
            slowest_ = std::min(least, leveling.begin(level));
            return level - drift <= leveling(least);
        }

        // The lowest position of another thread, now or after it has read this thread's messages. If unread messages
        // did not count, a thread that is out of work and has not been scheduled yet would not hold this one back, and
        // this one would relax vertices in the wrong order.
        D find_slowest() {
            D least = no_work;
            for (unsigned to = 0; to < search_.size(); ++to)
                if (to != id_) {
                    if (least_unread_[to] != no_work && search_.messages(id_, to).all_taken())
                        least_unread_[to] = no_work;
                    const D position_of_other = search_.workers_[to]->position.load(std::memory_order_seq_cst);
                    least = std::min({least, least_unread_[to], position_of_other});
                }
            return least;
        }

        bool has_messages() const {
            for (unsigned from = 0; from < search_.size(); ++from)
                if (from != id_ && !search_.messages(from, id_).empty())
                    return true;
            return false;
        }

        void receive() {
            bool taken = false;
            for (unsigned from = 0; from < search_.size(); ++from)
                taken |= from != id_ && search_.messages(from, id_).take([&](const Message& it) { read(it); });
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
                return; // not queued: a position as low as this would never rise, and other threads would wait
            received_ = std::min(received_, message.dist);
            // before the message counts as taken: either the message or the position shows that there is work
            if (message.dist < position.load(std::memory_order_relaxed))
                position.store(message.dist, std::memory_order_release);
        }

        void publish_position(D now) {
            if (position.load(std::memory_order_relaxed) == now)
                return;
            // Not sequentially consistent, which would cost as much as a short level: a thread that falls asleep at
            // this moment may be missed until this thread's next position, its end, or its own wait.
            position.store(now, now == no_work ? std::memory_order_seq_cst : std::memory_order_release);
            search_.wake_sleepers(now);
        }

        const std::uint16_t* owners_;
        unsigned block_bits_;
        std::uint64_t level_ = 0;
        std::vector<D> least_unread_; // for each receiver: the least distance in messages it may not have read
        D slowest_ = 0;               // a lower bound of find_slowest()
        D received_ = no_work;        // the least distance received in this level
        std::uint64_t seen_ = 0;      // edges relaxed at the last tick
        ChunkPool<Message> pool_;
        LevelQueue<Message> queue_{pool_};
        WidthControl control_;
    };

    unsigned size() const { return static_cast<unsigned>(workers_.size()); }
    bool stopped() const { return stop_.load(std::memory_order_relaxed); }
    Messages& messages(unsigned from, unsigned to) { return *message_queues_[to * workers_.size() + from]; }

    // Clears the answers of a thread's vertices and waits for the other threads to do so: all read these distances.
    void clear(unsigned id) {
        for (Vertex block = 0; block < owners_.size(); ++block)
            if (owners_[block] == id) {
                const std::uint64_t from = std::uint64_t{block} << block_bits_;
                clear_answers(task_.query, from,
                              std::min<std::uint64_t>(from + (std::uint64_t{1} << block_bits_), task_.graph.n));
            }
        cleared_.fetch_add(1, std::memory_order_seq_cst);
        wake_sleepers();
        while (cleared_.load(std::memory_order_seq_cst) < size() && !stopped())
            wait(*workers_[id], no_work, [&] { return cleared_.load(std::memory_order_seq_cst) == size(); });
    }

    // Whether no thread has work: all messages had been read at a time when none was sent, and after that every thread
    // was without work. The first check only saves time.
    bool over() {
        if (!all_without_work())
            return false;
        const std::uint64_t sent = sum(&Messages::sent);
        return sum(&Messages::taken) == sent && all_without_work() && sum(&Messages::sent) == sent;
    }

    bool all_without_work() const {
        return std::all_of(workers_.begin(), workers_.end(), [](const auto& worker) {
            return worker->position.load(std::memory_order_seq_cst) == no_work;
        });
    }

    std::uint64_t sum(std::uint64_t (Messages::*count)() const) const {
        std::uint64_t all = 0;
        for (const auto& messages : message_queues_)
            all += (*messages.*count)();
        return all;
    }

    // Waits until `ready` or until the team has stopped. `ready` depends on messages, and on whether all other threads
    // have a position of at least `awaited`.
    template <class Ready>
    void wait(Worker& me, D awaited, Ready&& ready) {
        me.tick(work_of_a_wait);
        const D position = me.position.load(std::memory_order_relaxed);
        me.position.store(position, std::memory_order_seq_cst); // before the check for sleepers; see publish_position
        wake_sleepers(position);
        for (unsigned i = 0; i < spins_ + yields_before_sleep; ++i) {
            if (ready() || stopped())
                return;
            if (i < spins_)
                relax_processor();
            else
                std::this_thread::yield();
        }
        me.parking.set(0);
        me.awaited.store(awaited, std::memory_order_relaxed);
        // Sequentially consistent, like the waker's write and read: either this thread sees the change, or the waker
        // sees that a thread sleeps.
        sleepers_.fetch_add(1, std::memory_order_seq_cst);
        if (!ready() && !stop_.load(std::memory_order_seq_cst))
            me.parking.wait(1, 0, [&] { me.tick(Watch::work_between_checks); }); // a long time has passed
        me.awaited.store(no_work, std::memory_order_relaxed);
        sleepers_.fetch_sub(1, std::memory_order_relaxed);
    }

    // Wakes the threads that wait for another thread to reach this position. A thread without work is woken only by
    // a message, or when another thread runs out of work.
    void wake_sleepers(D position = no_work) {
        if (sleepers_.load(std::memory_order_seq_cst) > 0)
            for (const auto& worker : workers_)
                if (worker->awaited.load(std::memory_order_relaxed) <= position)
                    worker->parking.send(1);
    }

    const DeltaTask<W, D>& task_;
    unsigned block_bits_;
    ThreadTeam& team_;
    Watch& watch_;
    unsigned spins_;
    std::vector<std::uint16_t> owners_; // of blocks
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<std::unique_ptr<Messages>> message_queues_; // of all pairs of threads, by receiver
    alignas(128) std::atomic<unsigned> cleared_{0};
    alignas(128) std::atomic<int> sleepers_{0};
    alignas(128) std::atomic<bool> stop_{false};
};

template <class W, class D>
Outcome<D> delta_stepping_owned(const DeltaTask<W, D>& task, unsigned block_bits, ThreadTeam& team, Watch& watch) {
    if (task.query.parent)
        return OwnedDeltaStepping<W, D, Parents::when_settled>(task, block_bits, team, watch).run();
    return OwnedDeltaStepping<W, D, Parents::none>(task, block_bits, team, watch).run();
}

} // namespace pathfront
