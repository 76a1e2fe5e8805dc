// The manager: the only reader of the buckets. It sweeps over them from the head, assigns readable items, provides
// blocks, advances the head, adjusts delta and detects termination.
//
// Termination. A sweep checks the buckets one after the other, so a worker may have pushed into a bucket already
// checked before it completed its work in a bucket not yet checked. So the search is over when two checks in a row find
// every bucket finished, with nothing assigned in between: see WorkQueue::advance().
//
// The manager is the calling thread, and relaxes items as well: always those too few to wake a worker for, and any
// items if there are at least as many cores as threads. While it relaxes, it polls for wake-ups every few items.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
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
    static constexpr std::uint64_t most_moves = 16; // items moved per vertex processed: with more, order costs too much
    static constexpr auto between_samples = std::chrono::microseconds(100); // of a trace

    Manager(const Task<W, D>& task, const Settings& settings, unsigned threads, Watch& watch, Report& report)
        : task_(task), settings_(settings), watch_(watch), report_(report),
          queue_({settings.block_bits, settings.segment_bits}, settings.buckets, settings.width, settings.most_blocks),
          most_urgent_(std::clamp(settings.buckets / 2, 1u, most_urgent)), spins_(spins_of_team(threads)),
          coordination_(spins_),
          control_(settings.adaptive, settings.width, settings.lowest, settings.highest, running(threads, settings),
                   static_cast<double>(task.graph.m()) / std::max<double>(task.graph.n, 1)),
          targets_(task.query) {
        for (unsigned id = 0; id < threads; ++id)
            workers_.push_back(std::make_unique<WorkerType>(task, queue_, coordination_, id == 0));
    }

    Outcome<D> run(ThreadTeam* team) {
        clear_answers(task_.query, 0, task_.graph.n);
        workers_[0]->start();
        workers_[0]->push_collected();
        note_delta();
        if (team)
            team->run([&](unsigned id) { id == 0 ? manage() : serve(id); });
        else
            manage();
        return conclude();
    }

    // The state of queue and workers as text, for the error of a search without progress. Only for that: it reads
    // values that other threads may be writing.
    std::string dump() const {
        std::string text = "head " + std::to_string(queue_.window().head) + ", base " +
                           std::to_string(queue_.window().base) + ", delta " +
                           std::to_string(queue_.window().leveling.width()) + ", blocks in use " +
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
    using WorkerType = Worker<W, D, parents, shared>;
    using Item = typename WorkerType::Item;

    // Threads that can run at the same time: the hardware that the feedback fills.
    static std::uint32_t running(unsigned threads, const Settings& settings) {
        const unsigned cores = settings.cores > 0 ? settings.cores : std::thread::hardware_concurrency();
        return std::min(threads, std::max(cores, 1u));
    }

    // ---- the worker threads

    void serve(unsigned id) {
        WorkerType& worker = *workers_[id];
        try {
            while (worker.flag.wait(spins_)) {
                worker.work(worker.flag.assignment, [] {});
                if (!worker.flag.done())
                    return;
                coordination_.wake();
            }
        } catch (...) {
            coordination_.stop();
            coordination_.wake();
            throw;
        }
    }

    // ---- the manager thread

    void manage() {
        try {
            do
                coordination_.acknowledge();
            while (sweep() && !coordination_.stopped());
        } catch (...) {
            coordination_.stop();
            dismiss();
            throw;
        }
        dismiss();
    }

    void dismiss() {
        for (std::size_t id = 1; id < workers_.size(); ++id)
            workers_[id]->flag.dismiss();
    }

    // Checks the buckets; false if all of them are finished.
    bool sweep() {
        ++report_.sweeps;
        tick(64);
        if (coordination_.take_block_request())
            queue_.provide();
        const std::uint32_t steps = queue_.advance();
        if (steps == queue_.none)
            return false;
        if (steps > 0)
            head_switched();
        const Range<Item> mine = assign_work(true);
        in_flight_ = mine.count;
        sample(steps > 0);
        if (mine.count > 0) {
            workers_[0]->work(assignment(mine), [&] { poll(); });
            in_flight_ = 0;
        } else if (!assigned_any_ && !urgent_grew_) {
            coordination_.wait([&] { tick(Watch::work_between_checks); }); // after a long sleep: check the clock
        }
        return true;
    }

    // Called while the manager relaxes its own items.
    void poll() {
        tick(8);
        if constexpr (shared) {
            if (!coordination_.woken())
                return;
            coordination_.acknowledge();
            if (coordination_.take_block_request())
                queue_.provide();
            assign_work(false);
        }
    }

    // Assigns readable items to idle workers, the most urgent first; returns a range for the manager itself if it is
    // `free` and items are left for it. The number of buckets to assign from follows the utilisation: one more if
    // threads are still idle after these, one less if not all of these were needed. The clip bucket is none of them.
    Range<Item> assign_work(bool free) {
        narrow_overfull_bucket();
        Range<Item> mine;
        assigned_any_ = urgent_grew_ = false;
        std::uint32_t urgent = 0; // buckets that items are assigned from
        std::size_t next = next_idle(1);
        const auto any_idle = [&] { return next < workers_.size() || (free && mine.count == 0); };
        std::uint32_t steps = 0;
        for (; steps < urgent_ && any_idle(); ++steps) {
            Bucket<Item>& bucket = queue_.ahead(steps);
            while (const std::uint64_t ready = bucket.readable(enough())) {
                const bool worth_waking = ready >= queue_.layout().segment();
                if (next < workers_.size() && worth_waking) {
                    assign(next, queue_.take(bucket, share_of(ready)));
                    next = next_idle(next + 1);
                } else if (free && mine.count == 0 && (spins_ > 0 || !worth_waking)) {
                    mine = queue_.take(bucket, share_of(ready));
                } else {
                    break;
                }
                urgent = steps + 1;
            }
        }
        urgent_grew_ = any_idle() && urgent_ < most_urgent_;
        if (urgent_grew_)
            ++urgent_;
        else if (steps < urgent_)
            urgent_ = std::max(urgent_ - 1, 1u);
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

    // Items that keep all threads busy, but no more than the 64 segments that a sweep can check cheaply.
    std::uint64_t enough() const {
        return std::min<std::uint64_t>(std::uint64_t{largest_range} * (workers_.size() + 1),
                                       64 * queue_.layout().segment());
    }

    std::uint64_t share_of(std::uint64_t ready) const {
        const std::uint64_t least = std::min(queue_.layout().segment(), largest_range);
        return std::min(ready, std::clamp<std::uint64_t>(ready / workers_.size(), least, largest_range));
    }

    void assign(std::size_t id, const Range<Item>& range) {
        assigned_ += range.count;
        ++report_.assignments;
        assigned_any_ = true;
        workers_[id]->flag.assign(assignment(range));
    }

    Assignment<D, Item> assignment(const Range<Item>& range) const {
        const Window<D>& window = queue_.window();
        return {range, window, targets_.value(),
                sorting_ ? window.base + window.steps_to(range.bucket) : Assignment<D, Item>::any_level};
    }

    // Lowers delta, perhaps, if the head bucket has had far too many items.
    void narrow_overfull_bucket() {
        if (!control_.is_overfull(assigned_)) [[likely]]
            return;
        if (const int by = control_.within_bucket(assigned_, total(&Counts::pushed), total(&Counts::clipped))) {
            change_width(by);
            assigned_ = 0;
        }
    }

    void change_width(int by) {
        if (by < 0) { // all buckets hold items that belong to later ones
            sort_end_ = std::max(sort_end_, queue_.window().end());
            sorting_ = true;
        }
        queue_.change_width(by);
        note_delta();
    }

    // Called when the head has advanced: sorts the buckets with items that were clipped, until the head has passed the
    // end that the window had at the time, as long as that moves few items for each vertex processed.
    void decide_sorting() {
        const Window<D>& window = queue_.window();
        const std::uint64_t clipped = total(&Counts::clipped) + total(&Counts::clipped_again);
        if (std::exchange(clipped_, clipped) != clipped)
            sort_end_ = window.end();
        sorting_ = window.low() < sort_end_ &&
                   total(&Counts::moved) <= most_moves * (total(&Counts::vertices) + DeltaControl::least_pushes);
    }

    // ---- after the head has advanced

    void head_switched() {
        ++out_.iterations;
        report_.items_high_water = std::max(report_.items_high_water, queue_.live());
        report_.most_buckets = std::max(report_.most_buckets, queue_.in_use());
        if (const int by = control_.head_switched(assigned_, total(&Counts::pushed), total(&Counts::clipped))) {
            change_width(by);
        }
        decide_sorting();
        assigned_ = 0;
        targets_.update();
    }

    void note_delta() { report_.deltas.emplace_back(seconds(), queue_.window().leveling.width()); }

    // ---- statistics

    // The sum of one of the counts that all workers publish.
    std::uint64_t total(std::atomic<std::uint64_t> Counts::* count) const {
        std::uint64_t sum = 0;
        for (const auto& worker : workers_)
            sum += (worker->published.*count).load(std::memory_order_relaxed);
        return sum;
    }

    double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

    // Records the state for the trace, at every switch of the head and otherwise once per `between_samples`, or less
    // often where it takes long to count the vertices that have a distance.
    void sample(bool always) {
        if (!task_.query.trace || (!always && Clock::now() < next_sample_))
            return;
        const auto began = Clock::now();
        Sample now{.seconds = seconds(),
                   .head = queue_.window().low(),
                   .delta = queue_.window().leveling.width(),
                   .near = queue_.live(urgent_),
                   .far = queue_.live(),
                   .labelled = labelled(),
                   .buckets = queue_.in_use(),
                   .urgent = std::exchange(urgent_since_, 0),
                   .workers = in_flight_ > 0,
                   .items = in_flight_,
                   .blocks = queue_.pool().in_use(),
                   .vertices = total(&Counts::vertices),
                   .edges = total(&Counts::edges),
                   .resorted = total(&Counts::moved),
                   .discarded = total(&Counts::discarded)};
        now.far = std::max(now.far, now.near) - now.near;
        for (const auto& worker : workers_)
            if (worker->flag.is_assigned()) {
                ++now.workers;
                now.items += worker->flag.assignment.range.count;
            }
        const Sample before = std::exchange(last_sample_, now);
        for (const auto count : {&Sample::vertices, &Sample::edges, &Sample::resorted, &Sample::discarded})
            now.*count -= before.*count;
        report_.samples.push_back(now);
        const auto end = Clock::now();
        next_sample_ = end + std::max<Clock::duration>(between_samples, 8 * (end - began));
    }

    // The vertices that have a distance, while others get one.
    std::uint64_t labelled() const {
        std::uint64_t count = 0;
        for (Vertex v = 0; v < task_.graph.n; ++v)
            count += load<shared ? Writers::all : Writers::one>(task_.query.dist + v) != unreached<D>;
        return count;
    }

    // Only the calling thread may be interrupted. `work` is the work done besides relaxing edges.
    void tick(std::int64_t work) {
        const std::uint64_t edges = workers_[0]->edges_relaxed;
        watch_.tick(static_cast<std::int64_t>(edges - seen_) + work);
        seen_ = edges;
        if (settings_.patience > 0)
            check_progress();
    }

    void check_progress() {
        const std::uint64_t done = total(&Counts::assignments);
        if (done != done_) {
            done_ = done;
            last_progress_ = seconds();
        } else if (seconds() - last_progress_ > settings_.patience) {
            throw NoProgress(dump());
        }
    }

    Outcome<D> conclude() {
        sample(true);
        double busy = 0;
        for (const auto& worker : workers_) {
            out_.vertices_processed += worker->vertices_processed;
            out_.edges_relaxed += worker->edges_relaxed;
            out_.threads += worker->edges_relaxed > 0;
            out_.overflow |= worker->overflow;
            report_.pushed += worker->pushed;
            report_.clipped += worker->clipped;
            busy += std::chrono::duration<double>(worker->busy).count();
        }
        ++out_.iterations; // the last bucket
        report_.utilisation = busy / (seconds() * static_cast<double>(workers_.size()));
        report_.resorted = total(&Counts::moved);
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
    const std::uint32_t most_urgent_; // the clip bucket is none of so many from the head
    const unsigned spins_;            // before a thread sleeps; 0 if there is no core for the manager's own items
    Coordination coordination_;
    DeltaControl control_;
    std::vector<std::unique_ptr<WorkerType>> workers_; // the first is the manager's
    TargetLimit<D> targets_;
    Outcome<D> out_;
    std::uint32_t urgent_since_ = 0; // most buckets that a sweep assigned from since the last sample
    std::uint32_t urgent_ = 1;       // buckets that may be assigned from
    bool assigned_any_ = false, urgent_grew_ = false;
    bool sorting_ = false;        // items are moved to their buckets
    double sort_end_ = 0;         // the distance up to which buckets hold items of later ones
    std::uint64_t clipped_ = 0;   // items, until the head switched
    std::uint64_t assigned_ = 0;  // items, since the head switched
    std::uint64_t in_flight_ = 0; // items the manager itself is relaxing
    std::uint64_t seen_ = 0, done_ = 0;
    double last_progress_ = 0;
    Clock::time_point began_ = Clock::now(), next_sample_ = began_;
    Sample last_sample_{}; // with counts in total
};

} // namespace pathfront::adds
