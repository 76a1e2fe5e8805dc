// The manager: the only reader of the buckets. It sweeps over them from the head, hands out what is readable, provides
// blocks, moves the head on, adjusts delta and finds the end.
//
// The end. A sweep that finds every bucket finished has looked at one after the other: a worker may have pushed into a
// bucket already passed before it completed its work in a bucket still to come. But nothing was assigned during that
// sweep, so once it is over nobody works any more; if the next finds every bucket finished too, then all are.
//
// The manager is the calling thread, and works as well: always on what is too little to wake anybody for, and on
// anything where there are more cores than other workers. While it works it looks up every few items to see whether
// somebody has rung.
#pragma once

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/thread_pool.hpp"
#include "engines/adds/delta_control.hpp"
#include "engines/adds/report.hpp"
#include "engines/adds/target_limit.hpp"
#include "engines/adds/worker.hpp"

namespace pathfront::adds {

template <class W, class D, Parents parents, bool shared>
class Manager {
  public:
    static constexpr std::uint32_t largest_range = 1024; // items of one assignment
    static constexpr std::uint32_t most_urgent = 4;      // buckets that work may be assigned from at once
    static constexpr unsigned spins_before_sleep = 2000;
    static constexpr auto between_samples = std::chrono::microseconds(100);

    Manager(const Task<W, D>& task, const Settings& settings, unsigned threads, Watch& watch, Report& report)
        : task_(task), settings_(settings), watch_(watch), report_(report),
          queue_({settings.block_bits, settings.segment_bits}, settings.buckets, settings.exponent,
                 settings.most_blocks),
          desk_(threads <= std::thread::hardware_concurrency() ? spins_before_sleep : 0),
          control_(settings.adaptive, settings.exponent, settings.lowest, settings.highest, threads,
                   static_cast<double>(task.graph.m()) / std::max<double>(task.graph.n, 1)),
          works_along_(threads <= std::thread::hardware_concurrency()), targets_(task.query) {
        for (unsigned id = 0; id < threads; ++id)
            workers_.push_back(std::make_unique<Hand>(task, queue_, desk_, id == 0));
    }

    Outcome<D> run(ThreadTeam* team) {
        clear_answers(task_.graph, task_.query);
        workers_[0]->start();
        workers_[0]->push_collected();
        note_delta();
        if (team)
            team->run([&](unsigned id) { id == 0 ? manage() : serve(id); });
        else
            manage();
        return conclude();
    }

    // The state of everything, for whoever finds that nothing moves any more. Meant for when it is too late: it reads
    // what other threads may be writing.
    std::string dump() const {
        std::string text = "head " + std::to_string(queue_.window().head) + ", base " +
                           std::to_string(queue_.window().base) + ", delta 2^" +
                           std::to_string(queue_.window().leveling.exponent()) + ", blocks in use " +
                           std::to_string(queue_.pool().in_use()) + "\n";
        for (std::uint32_t i = 0; i < queue_.size(); ++i) {
            const auto& bucket = queue_[i];
            text += "bucket " + std::to_string(i) + ": reserved " + std::to_string(bucket.reserved()) + ", read " +
                    std::to_string(bucket.read()) + ", completed " + std::to_string(bucket.completed()) +
                    ", blocks installed " + std::to_string(bucket.installed()) + ", readable " +
                    std::to_string(bucket.readable(~std::uint64_t{0})) + "\n";
        }
        for (std::size_t id = 1; id < workers_.size(); ++id)
            text += "worker " + std::to_string(id) + (workers_[id]->flag.is_assigned() ? ": assigned" : ": idle") +
                    " after " + std::to_string(workers_[id]->published.assignments.load(std::memory_order_relaxed)) +
                    " assignments\n";
        return text;
    }

  private:
    using Hand = Worker<W, D, parents, shared>;
    using Item = typename Hand::Item;

    // ---- a worker's life

    void serve(unsigned id) {
        Hand& me = *workers_[id];
        try {
            while (me.flag.wait(spins())) {
                me.work(me.flag.assignment, [] {});
                if (!me.flag.done())
                    return;
                desk_.ring();
            }
        } catch (...) {
            desk_.stop();
            desk_.ring();
            throw;
        }
    }

    // ---- the manager's

    void manage() {
        try {
            for (int quiet_sweeps = 0; quiet_sweeps < 2 && !desk_.stopped();) {
                desk_.take_note();
                quiet_sweeps = sweep() ? 0 : quiet_sweeps + 1;
            }
        } catch (...) {
            desk_.stop();
            dismiss();
            throw;
        }
        dismiss();
    }

    void dismiss() {
        for (std::size_t id = 1; id < workers_.size(); ++id)
            workers_[id]->flag.dismiss();
    }

    // Looks at the buckets once; false if it found all of them finished.
    bool sweep() {
        ++report_.sweeps;
        tick(64);
        if (desk_.take_wanted())
            queue_.provide();
        const std::uint32_t steps = queue_.advance();
        if (steps == queue_.none)
            return false;
        if (steps > 0)
            head_switched();
        const Range<Item> mine = hand_out(true);
        in_flight_ = mine.count;
        sample(steps > 0);
        if (mine.count > 0) {
            workers_[0]->work(assignment(mine), [&] { look_up(); });
            in_flight_ = 0;
        } else if (!handed_out_) {
            desk_.wait([&] { tick(Watch::work_between_looks); }); // a long time has passed
        }
        return true;
    }

    // In the middle of its own work.
    void look_up() {
        tick(8);
        if constexpr (shared) {
            if (!desk_.rung())
                return;
            desk_.take_note();
            if (desk_.take_wanted())
                queue_.provide();
            hand_out(false);
        }
    }

    // Hands out what can be read to those who are idle, the most urgent first; returns a range for the manager itself,
    // if it is `free` and there is something for it.
    Range<Item> hand_out(bool free) {
        Range<Item> mine;
        handed_out_ = false;
        std::uint32_t urgent = 0; // buckets that something is handed out from
        std::size_t next = next_idle(1);
        for (std::uint32_t steps = 0; steps < std::min(most_urgent, queue_.size()); ++steps) {
            if (next == workers_.size() && (!free || mine.count > 0))
                break; // nobody is idle
            Bucket<Item>& bucket = queue_.ahead(steps);
            while (const std::uint64_t ready = bucket.readable(enough())) {
                const bool worth_waking = ready >= queue_.layout().segment();
                if (next < workers_.size() && worth_waking) {
                    give(next, bucket.take(share_of(ready)));
                    next = next_idle(next + 1);
                } else if (free && mine.count == 0 && (works_along_ || !worth_waking)) {
                    mine = bucket.take(share_of(ready));
                } else {
                    break;
                }
                urgent = steps + 1;
            }
        }
        urgent_since_ = std::max(urgent_since_, urgent);
        report_.most_urgent = std::max<std::uint64_t>(report_.most_urgent, urgent);
        assigned_ += mine.count;
        return mine;
    }

    std::size_t next_idle(std::size_t id) const {
        while (id < workers_.size() && !workers_[id]->flag.is_idle())
            ++id;
        return id;
    }

    // Items that would keep everybody busy; or as many as are in the segments that can be looked at in passing.
    std::uint64_t enough() const {
        return std::min<std::uint64_t>(std::uint64_t{largest_range} * (workers_.size() + 1),
                                       64 * queue_.layout().segment());
    }

    std::uint64_t share_of(std::uint64_t ready) const {
        const std::uint64_t least = std::min(queue_.layout().segment(), largest_range);
        return std::min(ready, std::clamp<std::uint64_t>(ready / workers_.size(), least, largest_range));
    }

    void give(std::size_t id, const Range<Item>& range) {
        assigned_ += range.count;
        ++report_.assignments;
        handed_out_ = true;
        workers_[id]->flag.assign(assignment(range));
    }

    Assignment<D, Item> assignment(const Range<Item>& range) const {
        return {range, queue_.window(), targets_.value()};
    }

    // ---- when the head has moved on

    void head_switched() {
        ++out_.iterations;
        report_.items_high_water = std::max(report_.items_high_water, queue_.live());
        report_.most_buckets = std::max<std::uint64_t>(report_.most_buckets, queue_.in_use());
        std::uint64_t pushed = 0, clipped = 0;
        for (const auto& worker : workers_) {
            pushed += worker->published.pushed.load(std::memory_order_relaxed);
            clipped += worker->published.clipped.load(std::memory_order_relaxed);
        }
        if (const int by = control_.head_switched(assigned_, pushed, clipped)) {
            queue_.change_width(by);
            note_delta();
        }
        assigned_ = 0;
        targets_.look();
    }

    void note_delta() { report_.deltas.emplace_back(seconds(), queue_.window().leveling.width()); }

    // ---- counting

    double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

    unsigned spins() const { return works_along_ ? spins_before_sleep : 0; }

    // Notes the state for the trace, at every switch of the head and at least every so often.
    void sample(bool always) {
        if (!task_.query.trace || (!always && Clock::now() - last_sample_ < between_samples))
            return;
        last_sample_ = Clock::now();
        std::uint64_t vertices = 0, edges = 0, busy = 0, items = in_flight_;
        for (const auto& worker : workers_) {
            vertices += worker->published.vertices.load(std::memory_order_relaxed);
            edges += worker->published.edges.load(std::memory_order_relaxed);
            if (worker->flag.is_assigned()) {
                ++busy;
                items += worker->flag.assignment.range.count;
            }
        }
        report_.samples.push_back({seconds(), queue_.window().low(), queue_.window().leveling.width(), queue_.in_use(),
                                   urgent_since_, busy + (in_flight_ > 0), items, queue_.pool().in_use(),
                                   vertices - out_.vertices_processed, edges - out_.edges_relaxed});
        urgent_since_ = 0;
        out_.vertices_processed = vertices;
        out_.edges_relaxed = edges;
    }

    // Only the calling thread may be interrupted. `work` is what was done besides relaxing edges.
    void tick(std::int64_t work) {
        const std::uint64_t edges = workers_[0]->edges_relaxed;
        watch_.tick(static_cast<std::int64_t>(edges - seen_) + work);
        seen_ = edges;
        if (settings_.patience > 0)
            check_progress();
    }

    void check_progress() {
        std::uint64_t done = 0;
        for (const auto& worker : workers_)
            done += worker->published.assignments.load(std::memory_order_relaxed);
        if (done != done_) {
            done_ = done;
            last_progress_ = seconds();
        } else if (seconds() - last_progress_ > settings_.patience) {
            throw std::runtime_error("method='adds' has made no progress for " + std::to_string(settings_.patience) +
                                     " seconds:\n" + dump());
        }
    }

    Outcome<D> conclude() {
        if (task_.query.trace)
            sample(true);
        out_.vertices_processed = out_.edges_relaxed = 0;
        double busy = 0;
        for (const auto& worker : workers_) {
            out_.vertices_processed += worker->vertices_processed;
            out_.edges_relaxed += worker->edges_relaxed;
            out_.overflow |= worker->overflow;
            report_.pushed += worker->pushed;
            report_.clipped += worker->clipped;
            busy += std::chrono::duration<double>(worker->busy).count();
        }
        ++out_.iterations; // the bucket that was the last
        report_.utilisation = busy / (seconds() * static_cast<double>(workers_.size()));
        report_.raised = control_.raised();
        report_.lowered = control_.lowered();
        report_.blocks_high_water = queue_.pool().high_water();
        report_.excess_blocks = queue_.excess();
        return finish(task_.graph, task_.query, out_, task_.query.target_count > 0 && targets_.all_reached());
    }

    const Task<W, D>& task_;
    const Settings settings_;
    Watch& watch_;
    Report& report_;
    WorkQueue<D, Item> queue_;
    Desk desk_;
    DeltaControl control_;
    bool works_along_;                           // there is a core for the manager's own work
    std::vector<std::unique_ptr<Hand>> workers_; // the first is the manager's own
    TargetLimit<D> targets_;
    Outcome<D> out_;
    std::uint32_t urgent_since_ = 0; // the most buckets that a sweep handed out from, since the last sample
    bool handed_out_ = false;
    std::uint64_t assigned_ = 0;  // items, since the head switched
    std::uint64_t in_flight_ = 0; // items the manager itself is working on
    std::uint64_t seen_ = 0, done_ = 0;
    double last_progress_ = 0;
    Clock::time_point began_ = Clock::now(), last_sample_ = began_;
};

} // namespace pathfront::adds
