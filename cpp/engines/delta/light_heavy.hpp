// Delta-stepping with Meyer and Sanders' distinction of light and heavy arcs, for one thread and for several.
//
// An arc is heavy if it weighs more than delta. The light arcs of a bucket's vertices may lead back into the bucket, so
// they are relaxed in phases until it stays empty; the heavy ones lead out of it, so they are relaxed once, when its
// vertices are final. A vertex that is improved again within the bucket has its light arcs relaxed again, and its heavy
// ones only with its last distance. Where distances are so large that a heavy arc is lost in rounding, or that they
// share the last level, it does lead back, and the bucket is emptied again. The other engines relax all arcs of a
// vertex at once: a row that is scanned twice is loaded twice, which costs more than the repeated relaxations of heavy
// arcs where most arcs are light. This engine counts what the paper's algorithm does, and is no faster.
//
// Phases are bulk-synchronous: the threads take chunks of the bucket from a list, and meet at its end. Each queues
// what it has improved in a queue of its own. Small phases are left to the calling thread.
#pragma once

#include <atomic>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "engines/delta/worker.hpp"

namespace pathfront {

// A thread's queue, and the vertices of the current level that it has relaxed.
template <class W, class D, Parents parents>
class LightHeavyWorker : public RelaxCore<W, D, parents, LightHeavyWorker<W, D, parents>> {
  public:
    using Base = RelaxCore<W, D, parents, LightHeavyWorker>;
    using typename Base::Item;
    using Bucket = Chunk<Item>;

    explicit LightHeavyWorker(const DeltaTask<W, D>& task) : Base(task), leveling_(task.leveling) {}

    void push(D sum, Vertex v, Vertex u, bool keep) { queue.push(leveling_(sum), Item(sum, v, u), keep); }

    // Relaxes the light arcs of a chunk's vertices, and keeps these for their heavy ones. `tick()` is called every few
    // entries and arcs, and returns whether to go on.
    template <Writers writers, class Tick>
    void relax_light(Bucket& chunk, Tick&& tick) {
        taken += chunk.size;
        this->template drop_stale<writers>(chunk);
        for (std::uint32_t i = 0; i < chunk.size && tick(); ++i) {
            const Item& item = chunk.items[i];
            if (load<writers>(this->task_.query.dist + item.vertex) != item.dist)
                continue; // improved since
            if constexpr (parents == Parents::when_settled)
                this->task_.query.parent[item.vertex] = item.parent;
            ++this->vertices_processed;
            relaxed.push_back(item);
            relax_some<writers>(item, true, tick);
        }
    }

    // Relaxes the heavy arcs of the vertices kept, whose distances are final by now.
    template <Writers writers, class Tick>
    void relax_heavy(Tick&& tick) {
        for (std::size_t i = 0; i < relaxed.size() && tick(); ++i)
            if (load<writers>(this->task_.query.dist + relaxed[i].vertex) == relaxed[i].dist)
                relax_some<writers>(relaxed[i], false, tick);
        relaxed.clear();
    }

    ChunkPool<Item> pool;
    LevelQueue<Item> queue{pool};
    std::vector<Item> relaxed;
    std::uint64_t taken = 0; // entries, stale ones among them

  private:
    bool is_light(auto weight) const {
        if constexpr (std::is_floating_point_v<D>)
            return static_cast<double>(weight) <= leveling_.width();
        else
            return static_cast<std::uint64_t>(weight) <= static_cast<std::uint64_t>(leveling_.width());
    }

    template <Writers writers, class Tick>
    void relax_some(const Item& item, bool light, Tick&& tick) {
        const Csr<W>& graph = this->task_.graph;
        for (Offset arc = graph.offsets[item.vertex]; arc < graph.offsets[item.vertex + 1]; ++arc) {
            if (arc % arcs_at_once == 0 && !tick())
                return;
            if (is_light(graph.weight(arc)) != light)
                continue;
            ++this->edges_relaxed;
            D sum;
            if (!add_checked(item.dist, graph.weight(arc), sum))
                this->overflow = true;
            else if (sum <= this->task_.query.cutoff &&
                     this->template improve<writers>(graph.heads[arc], sum, item.vertex))
                this->enqueue(sum, graph.heads[arc], item.vertex);
        }
    }

    const Leveling<D> leveling_;
};

template <class W, class D, Parents parents, Writers writers>
class LightHeavyDeltaStepping {
  public:
    // `team` is null for one thread.
    LightHeavyDeltaStepping(const DeltaTask<W, D>& task, ThreadTeam* team, Watch& watch)
        : task_(task), team_(team), watch_(watch),
          targets_(task.query.targets, task.query.targets + task.query.target_count) {
        for (unsigned id = 0; id < (team ? team->size() : 1); ++id)
            workers_.push_back(std::make_unique<Worker>(task_));
    }

    Outcome<D> run() {
        clear_answers(task_.query, 0, task_.graph.n);
        workers_[0]->start();
        for (std::uint64_t level; (level = next_level()) != Queue::none;) {
            for (const auto& worker : workers_)
                worker->queue.move_to(level, task_.leveling);
            counts_.begin(task_, level, unreached<D>);
            while (collect()) { // again where a heavy arc led back into the bucket
                do
                    run_phase([&](unsigned id) {
                        for (std::size_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < chunks_.size();) {
                            workers_[id]->template relax_light<writers>(*chunks_[i], [&] { return tick(id); });
                            workers_[id]->pool.put(chunks_[i]); // whoever empties chunks fills others
                        }
                    });
                while (collect());
                run_phase([&](unsigned id) { workers_[id]->template relax_heavy<writers>([&] { return tick(id); }); });
            }
            count_level(task_, level, unreached<D>, total(&Worker::vertices_processed), total(&Worker::edges_relaxed),
                        total(&Worker::taken), counts_, out_);
            if (task_.query.target_count > 0 && all_final(targets_, task_, level, unreached<D>))
                break;
        }
        out_.width = task_.leveling.width();
        for (const auto& worker : workers_) {
            out_.overflow |= worker->overflow;
            out_.threads += worker->edges_relaxed > 0;
        }
        return finish(task_.graph, task_.query, out_, task_.query.target_count > 0 && targets_.empty());
    }

  private:
    using Worker = LightHeavyWorker<W, D, parents>;
    using Queue = LevelQueue<typename Worker::Item>;

    static constexpr std::size_t worth_sharing = 4; // chunks of a phase

    std::uint64_t next_level() {
        std::uint64_t level = Queue::none;
        for (const auto& worker : workers_)
            level = std::min(level, worker->queue.next(task_.leveling));
        return level;
    }

    // Lists the chunks of the current level; false if there are none.
    bool collect() {
        chunks_.clear();
        for (const auto& worker : workers_)
            for (auto* chunk = worker->queue.take(); chunk; chunk = chunk->next)
                chunks_.push_back(chunk);
        next_.store(0, std::memory_order_relaxed); // threads are started after this
        return !chunks_.empty();
    }

    // Runs a phase on all threads, or on the calling thread if it is small. A phase of heavy arcs has as many vertices
    // as the last phases of light ones.
    template <class Phase>
    void run_phase(Phase&& phase) {
        std::size_t kept = 0;
        for (const auto& worker : workers_)
            kept += worker->relaxed.size();
        if (team_ && (chunks_.size() >= worth_sharing || kept >= worth_sharing * Worker::Bucket::capacity))
            team_->run(phase);
        else
            for (unsigned id = 0; id < workers_.size(); ++id)
                phase(id);
    }

    // Whether to go on. Only the calling thread can be interrupted, in its own work; the others see `stop_`.
    bool tick(unsigned id) {
        if (id != 0)
            return !stop_.load(std::memory_order_relaxed);
        try {
            const std::uint64_t edges = workers_[0]->edges_relaxed;
            watch_.tick(static_cast<std::int64_t>(edges - seen_) + 1);
            seen_ = edges;
        } catch (...) {
            stop_.store(true, std::memory_order_relaxed);
            throw;
        }
        return true;
    }

    std::uint64_t total(std::uint64_t Worker::* count) const {
        std::uint64_t sum = 0;
        for (const auto& worker : workers_)
            sum += (*worker).*count;
        return sum;
    }

    DeltaTask<W, D> task_;
    ThreadTeam* const team_;
    Watch& watch_;
    std::vector<Vertex> targets_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<typename Worker::Bucket*> chunks_; // of the current phase
    LevelCounts<W, D> counts_;
    Outcome<D> out_;
    std::uint64_t seen_ = 0; // edges relaxed at the last tick
    alignas(128) std::atomic<std::size_t> next_{0};
    std::atomic<bool> stop_{false};
};

template <class W, class D>
Outcome<D> delta_stepping_light_heavy(const DeltaTask<W, D>& task, ThreadTeam* team, Watch& watch) {
    using enum Parents;
    if (!team)
        return task.query.parent ? LightHeavyDeltaStepping<W, D, when_settled, Writers::one>(task, nullptr, watch).run()
                                 : LightHeavyDeltaStepping<W, D, none, Writers::one>(task, nullptr, watch).run();
    return task.query.parent ? LightHeavyDeltaStepping<W, D, when_improved, Writers::all>(task, team, watch).run()
                             : LightHeavyDeltaStepping<W, D, none, Writers::all>(task, team, watch).run();
}

} // namespace pathfront
