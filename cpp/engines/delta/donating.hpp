// Delta-stepping on a team of threads that share each level by donation.
//
// Every thread has a queue of its own and works on its part of the current level, asynchronously. A thread without work
// requests some. A busy thread polls for requests every few entries and donates half of its remaining work: chunks, the
// rest of a chunk, or arcs of a hub. The thread that finds no other busy thread has ended the level. All others wait
// then, so it may touch everything: it leads. It finds the next level. As long as a level holds few vertices it goes on
// alone, as the serial engine would, and wakes the others for the first level that is worth it. So there are no
// barriers, and a long chain costs what it costs on one thread.
//
// Busy threads are counted. The donor counts the receiver before it sends the donation, so the count never falls to
// zero while there is work.
#pragma once

#include <array>
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

inline constexpr Offset worth_sharing = 1536; // arcs of a level: fewer are relaxed sooner than distributed
// Arcs left in a chunk from which half is donated. A cache line that another core has written costs as much as relaxing
// ten arcs, so small donations cost more than waiting does.
inline constexpr Offset worth_donating = 512;

template <class W, class D, Parents parents>
class DonatingDeltaStepping {
  public:
    DonatingDeltaStepping(const DeltaTask<W, D>& task, ThreadTeam& team, Watch& watch)
        : task_(task), team_(team), watch_(watch),
          targets_(task.query.targets, task.query.targets + task.query.target_count),
          worth_sharing_(static_cast<std::uint64_t>(task_.entries_with(worth_sharing))),
          worth_donating_(task_.entries_with(worth_donating)), spins_(spins_of_team(team.size())) {
        for (unsigned id = 0; id < team.size(); ++id)
            workers_.push_back(std::make_unique<Worker>(task_));
    }

    Outcome<D> run() {
        const Query<D>& query = task_.query;
        clear_answers(query, 0, task_.graph.n, stages_.horizon());
        workers_[0]->core.start();
        team_.run([&](unsigned id) {
            try {
                serve(id);
            } catch (...) {
                fail(id);
                throw;
            }
        });
        out_.width = task_.leveling.width();
        for (const auto& worker : workers_) {
            out_.overflow |= worker->core.overflow;
            out_.threads += worker->core.edges_relaxed > 0;
        }
        const auto [vertices, edges, _, taken] = totals();
        count_rest(task_, stages_.settled(), vertices, edges, taken, counts_, out_);
        return finish(task_.graph, query, out_, query.target_count > 0 && targets_.empty());
    }

  private:
    using Bucket = typename DeltaWorker<W, D, parents>::Bucket;

    // A thread waits for one of the last three.
    enum Signal : int { waiting, requesting, receiving, donated, go, leave };

    // Decides what a thread has to do if it fails.
    enum class Role { idle, busy, leading };

    struct alignas(128) Worker {
        explicit Worker(const DeltaTask<W, D>& task) : core(task) {}

        DeltaWorker<W, D, parents> core;
        Parking parking;
        Bucket* chunks = nullptr;   // what is left of the current level, besides the queue
        Bucket* donation = nullptr; // received from another thread, like `arcs`
        ArcRange<D> arcs;
        Role role = Role::idle;
        std::uint64_t seen = 0; // edges relaxed at the last tick
    };

    void serve(unsigned id) {
        if (id == 0)
            lead(id);
        while (wait(id) == go) {
            workers_[id]->parking.set(waiting);
            workers_[id]->role = Role::busy;
            if (work(id)) {
                workers_[id]->role = Role::leading; // before anything that can fail: no other thread is awake
                end_level();
                lead(id);
            }
        }
    }

    int wait(unsigned id) {
        Parking& parking = workers_[id]->parking;
        if (id != 0)
            return parking.wait(donated, spins_);
        return parking.wait(donated, spins_,
                            [&] { watch_.tick(Watch::work_between_checks); }); // a long time has passed
    }

    // The only thread awake: works on level after level alone, or wakes the others for one. Returns when the search is
    // over or another thread leads.
    void lead(unsigned id) {
        workers_[id]->role = Role::leading;
        while (begin_level()) {
            if (!work_alone(id) && !share(id))
                return; // another thread ended the level, and leads
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
        for (const auto& worker : workers_)
            level_ = std::min(level_, worker->core.queue.next(task_.leveling));
        if (level_ == none && !between_stages_) {
            if (stages_.last()) {
                all_final(targets_, task_, none, stages_.horizon()); // targets that pull() settled
                return false;
            }
            stages_.next();
            between_stages_ = true;
        }
        if (between_stages_) {
            blocks_.emplace(task_.graph.n, stage_block);
            return true;
        }
        for (const auto& worker : workers_)
            worker->core.move_to(level_);
        counts_.begin(task_, level_, stages_.horizon());
        return true;
    }

    // Vertices processed, edges relaxed, vertices improved again within a level, and entries taken, by all threads.
    std::array<std::uint64_t, 4> totals() const {
        std::array<std::uint64_t, 4> all{};
        for (const auto& worker : workers_) {
            all[0] += worker->core.vertices_processed;
            all[1] += worker->core.edges_relaxed;
            all[2] += worker->core.improved_again;
            all[3] += worker->core.taken;
        }
        return all;
    }

    void end_level() {
        if (std::exchange(between_stages_, false))
            return;
        const auto [vertices, edges, again, taken] = totals();
        count_level(task_, level_, stages_.horizon(), vertices, edges, taken, counts_, out_);
        over_ = task_.query.target_count > 0 && all_final(targets_, task_, level_, stages_.horizon());
        if (!over_)
            between_stages_ = stages_.ends_early(level_, edges);
        if (const int more = task_.adaptive ? control_.change(vertices, again) : 0)
            change_width(more);
    }

    void change_width(int more) {
        task_.leveling = task_.leveling.wider(more);
        for (const auto& worker : workers_)
            worker->core.queue.refile(task_.leveling);
    }

    // Ends the search: all others are waiting.
    void dismiss(unsigned id) {
        for (const auto& worker : workers_)
            if (worker != workers_[id])
                worker->parking.send(leave);
        workers_[id]->parking.set(leave);
    }

    // Works on the current level as the serial engine does; false as soon as the level has too many entries.
    bool work_alone(unsigned id) {
        DeltaWorker<W, D, parents>& core = workers_[id]->core;
        if (between_stages_)
            return false;
        while (const std::uint64_t size = level_size()) {
            if (size >= worth_sharing_)
                return false;
            for (const auto& worker : workers_)
                for (Bucket* chunk = worker->core.queue.take(); chunk;) {
                    core.template relax<Writers::one>(
                        *chunk, [&](std::uint32_t) { tick(id); }, [&](Vertex, D, Offset, Offset&) { tick(id); });
                    core.pool.put(std::exchange(chunk, chunk->next));
                }
        }
        return true;
    }

    // Entries of the current level, exact as long as they are few.
    std::uint64_t level_size() const {
        std::uint64_t size = 0;
        for (const auto& worker : workers_)
            size += worker->core.queue.size(worth_sharing_);
        return size;
    }

    // Wakes the others for the current level and works on it; true if this thread ended it.
    bool share(unsigned id) {
        requests_.store(0, std::memory_order_relaxed);
        busy_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
        // All requests of the last level are cleared before any thread is woken: a donation to a thread that is not in
        // the new level yet would be lost.
        for (const auto& worker : workers_)
            worker->parking.set(waiting);
        for (const auto& worker : workers_)
            if (worker != workers_[id])
                worker->parking.send(go); // release: the counts above are seen
        workers_[id]->role = Role::busy;
        if (!work(id))
            return false;
        workers_[id]->role = Role::leading;
        return true;
    }

    // Works on the current level until no thread has any of it left; true if this thread ended the level.
    bool work(unsigned id) {
        Worker& me = *workers_[id];
        for (;;) {
            if (between_stages_)
                relax_between_stages(id);
            else
                relax_level(id);
            me.parking.set(requesting);
            requests_.fetch_add(1, std::memory_order_relaxed);
            me.role = Role::idle;
            if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
                me.parking.set(waiting);
                return true;
            }
            if (wait(id) != donated)
                return false; // the level is over: `go` or `leave` is for serve()
            me.role = Role::busy;
            me.parking.set(waiting);
            me.chunks = std::exchange(me.donation, nullptr);
            if (me.arcs.from < me.arcs.to) {
                me.core.template relax_arcs<Writers::all>(
                    std::exchange(me.arcs, {}),
                    [&](Vertex u, D here, Offset arc, Offset& to) { offer_arcs(id, u, here, arc, to); });
            }
        }
    }

    void relax_level(unsigned id) {
        Worker& me = *workers_[id];
        do {
            while (me.chunks) {
                relax_shared(id, *me.chunks);
                me.core.pool.put(std::exchange(me.chunks, me.chunks->next));
            }
            me.chunks = me.core.queue.take();
        } while (me.chunks);
    }

    // Does not relax what is queued meanwhile, even if it is of the current level: that would write vertices that other
    // threads are reading.
    void relax_between_stages(unsigned id) {
        for (std::int64_t first, last; !stop_.load(std::memory_order_relaxed) && blocks_->next(first, last); tick(id))
            stages_.template relax<Writers::all>(workers_[id]->core, static_cast<Vertex>(first),
                                                 static_cast<Vertex>(last));
    }

    void relax_shared(unsigned id, Bucket& chunk) {
        workers_[id]->core.template relax<Writers::all>(
            chunk, [&](std::uint32_t next) { offer_entries(id, chunk, next); },
            [&](Vertex u, D here, Offset arc, Offset& to) { offer_arcs(id, u, here, arc, to); });
    }

    // Donates half of the chunks behind this one, or half of what is left of it, if a thread requests work.
    void offer_entries(unsigned id, Bucket& chunk, std::uint32_t next) {
        tick(id);
        if (stop_.load(std::memory_order_relaxed))
            chunk.size = next;
        if (requests_.load(std::memory_order_relaxed) <= 0)
            return;
        const Offset left = chunk.size - next;
        if (!chunk.next && left < worth_donating_)
            return;
        // everything that can fail comes before a request is taken: its thread waits for the donation
        Bucket* const half = chunk.next ? nullptr : workers_[id]->core.pool.get(nullptr);
        Worker* const other = take_request();
        if (!other) {
            if (half)
                workers_[id]->core.pool.put(half);
            return;
        }
        if (!half) {
            other->donation = chunk.next;
            chunk.next = cut_in_half(other->donation);
        } else {
            half->size = static_cast<std::uint32_t>(left / 2);
            chunk.size -= half->size;
            workers_[id]->core.taken -= half->size; // counted by the receiver
            std::copy_n(chunk.items + chunk.size, half->size, half->items);
            other->donation = half;
        }
        other->parking.send(donated);
    }

    // Donates half of the remaining arcs of a hub if a thread requests work.
    void offer_arcs(unsigned id, Vertex u, D here, Offset arc, Offset& to) {
        tick(id);
        if (stop_.load(std::memory_order_relaxed))
            to = arc;
        if (requests_.load(std::memory_order_relaxed) <= 0 || to - arc < arcs_at_once)
            return;
        Worker* const other = take_request();
        if (!other)
            return;
        const Offset middle = arc + (to - arc) / 2;
        other->arcs = {u, here, middle, to};
        to = middle;
        other->parking.send(donated);
    }

    // Takes the request of a thread, and counts the thread as busy.
    Worker* take_request() {
        for (const auto& worker : workers_)
            if (worker->parking.signal(std::memory_order_relaxed) == requesting &&
                worker->parking.change(requesting, receiving)) {
                busy_.fetch_add(1, std::memory_order_relaxed); // this thread is busy, so the count is not zero
                requests_.fetch_sub(1, std::memory_order_relaxed);
                return worker.get();
            }
        return nullptr;
    }

    // Only the calling thread can be interrupted; the others see `stop_`.
    void tick(unsigned id) {
        if (id != 0)
            return;
        Worker& me = *workers_[0];
        watch_.tick(static_cast<std::int64_t>(me.core.edges_relaxed - me.seen) + 64);
        me.seen = me.core.edges_relaxed;
    }

    // After an exception: the others run out of work and leave; until then this thread only keeps the count right.
    void fail(unsigned id) {
        Worker& me = *workers_[id];
        stop_.store(true, std::memory_order_relaxed);
        if (me.role == Role::leading) {
            dismiss(id);
            return;
        }
        while (me.role == Role::idle || busy_.fetch_sub(1, std::memory_order_acq_rel) != 1) {
            if (me.parking.wait(donated, spins_) == leave)
                return;
            me.parking.set(waiting); // a donation or a new level, which is dropped: counted as busy again
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
    Offset worth_donating_;
    unsigned spins_;
    std::vector<std::unique_ptr<Worker>> workers_;
    WidthControl control_;
    LevelCounts<W, D> counts_;
    Outcome<D> out_;
    std::uint64_t level_ = 0; // this and the next are the leader's
    bool over_ = false;
    bool between_stages_ = false; // the threads work between stages, not on a level
    alignas(128) std::atomic<int> busy_{0};
    alignas(128) std::atomic<int> requests_{0};
    alignas(128) std::atomic<bool> stop_{false};
};

template <class W, class D>
Outcome<D> delta_stepping_donating(const DeltaTask<W, D>& task, ThreadTeam& team, Watch& watch) {
    if (task.query.parent)
        return DonatingDeltaStepping<W, D, Parents::when_improved>(task, team, watch).run();
    return DonatingDeltaStepping<W, D, Parents::none>(task, team, watch).run();
}

} // namespace pathfront
