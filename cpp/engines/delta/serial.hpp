// Delta-stepping (Meyer and Sanders 2003) on one thread.
//
// Vertices wait in buckets of width delta. The lowest bucket is taken out whole and its vertices are relaxed; arcs that
// lead back into it refill it, and it is taken out again until it stays empty: then its vertices are final. An improved
// vertex is queued again and its old entry left behind; an entry is stale, and skipped, when its distance is not the
// vertex's any more. Delta may change between two buckets: see width.hpp.
#pragma once

#include <utility>
#include <vector>

#include "core/blocks.hpp"
#include "engines/delta/stages.hpp"
#include "engines/delta/width.hpp"
#include "engines/delta/worker.hpp"

namespace pathfront {

// Relaxes the current level. False if it was left before its end, because the buckets are too wide.
template <Parents parents, class W, class D, class Tick>
bool relax_level(const DeltaTask<W, D>& task, DeltaWorker<W, D, parents>& worker, WidthControl& control, Tick&& tick) {
    while (auto* chunk = worker.queue.take()) {
        while (chunk) {
            worker.template relax<Writers::one>(
                *chunk, [&](std::uint32_t) { tick(); }, [&](Vertex, D, Offset, Offset&) { tick(); });
            worker.pool.put(std::exchange(chunk, chunk->next));
        }
        if (task.adaptive && control.too_wide(worker.vertices_processed, worker.improved_again))
            return false;
    }
    return true;
}

template <Parents parents, class W, class D>
Outcome<D> serial_search(DeltaTask<W, D> task, Watch& watch) {
    const Query<D>& query = task.query;
    DeltaWorker<W, D, parents> worker(task);
    auto& queue = worker.queue;
    Stages<W, D> stages(task);
    WidthControl control;
    LevelCounts<W, D> counts;
    Outcome<D> out;
    std::vector<Vertex> targets(query.targets, query.targets + query.target_count);
    clear_answers(query, 0, task.graph.n, stages.horizon());
    worker.start();

    std::uint64_t seen = 0;
    auto tick = [&] {
        watch.tick(static_cast<std::int64_t>(worker.edges_relaxed - seen + 1));
        seen = worker.edges_relaxed;
    };
    auto begin_stage = [&] {
        Blocks blocks(task.graph.n, stage_block);
        for (std::int64_t first, last; blocks.next(first, last); tick())
            stages.template relax<Writers::one>(worker, static_cast<Vertex>(first), static_cast<Vertex>(last));
    };
    auto change_width = [&](int more) {
        task.leveling = task.leveling.wider(more);
        queue.refile(task.leveling);
    };
    for (;;) {
        const std::uint64_t level = queue.next(task.leveling);
        if (level == queue.none) {
            if (stages.last()) {
                all_final(targets, task, level, stages.horizon()); // targets that pull() settled
                break;
            }
            stages.next();
            begin_stage();
            continue;
        }
        worker.move_to(level);
        counts.begin(task, level, stages.horizon());
        const bool done = relax_level(task, worker, control, tick);
        count_level(task, level, stages.horizon(), worker.vertices_processed, worker.edges_relaxed, worker.taken,
                    counts, out, done);
        if (!done)
            change_width(-control.step);
        else if (query.target_count > 0 && all_final(targets, task, level, stages.horizon()))
            break;
        else if (stages.ends_early(level, worker.edges_relaxed))
            begin_stage();
        else if (task.adaptive && control.too_narrow(worker.vertices_processed, worker.improved_again))
            change_width(control.step);
    }
    count_rest(task, stages.settled(), worker.vertices_processed, worker.edges_relaxed, worker.taken, counts, out);
    out.width = task.leveling.width();
    out.overflow = worker.overflow;
    return finish(task.graph, query, out, query.target_count > 0 && targets.empty());
}

template <class W, class D>
Outcome<D> delta_stepping_serial(const DeltaTask<W, D>& task, Watch& watch) {
    if (!task.query.parent)
        return serial_search<Parents::none>(task, watch);
    // Dead ends are not taken out of the queue, so their parents are written with their distances. It is 3 to 5% faster
    // to do the same with all other vertices than to tell them apart, and as much slower without dead ends.
    if (task.dead_ends)
        return serial_search<Parents::when_improved>(task, watch);
    return serial_search<Parents::when_settled>(task, watch);
}

} // namespace pathfront
