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

template <Parents parents, class W, class D>
Outcome<D> delta_stepping_keeping(DeltaTask<W, D> task, Watch& watch) {
    const Query<D>& query = task.query;
    DeltaWorker<W, D, parents> relaxer(task);
    auto& queue = relaxer.queue;
    Stages<W, D> stages(task);
    WidthControl control;
    Outcome<D> out;
    std::vector<Vertex> targets(query.targets, query.targets + query.target_count);
    clear_answers(task.graph, query, stages.horizon());
    relaxer.start();

    std::uint64_t seen = 0;
    auto tick = [&] {
        watch.tick(static_cast<std::int64_t>(relaxer.edges_relaxed - seen + 1));
        seen = relaxer.edges_relaxed;
    };
    auto begin_stage = [&] {
        Blocks blocks(task.graph.n, stage_block);
        for (std::int64_t first, last; blocks.next(first, last); tick())
            stages.template relax<Writers::one>(relaxer, static_cast<Vertex>(first), static_cast<Vertex>(last));
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
        relaxer.move_to(level);
        bool done = true;
        while (auto* chunk = queue.take()) {
            while (chunk) {
                relaxer.template relax<Writers::one>(
                    *chunk, [&](std::uint32_t) { tick(); }, [&](Vertex, D, Offset, Offset&) { tick(); });
                relaxer.pool.put(std::exchange(chunk, chunk->next));
            }
            if (task.adaptive && control.too_wide(relaxer.vertices_processed, relaxer.improved_again)) {
                done = false;
                break;
            }
        }
        count_level(task, level, relaxer.vertices_processed, relaxer.edges_relaxed, out);
        if (!done)
            change_width(-control.step);
        else if (query.target_count > 0 && all_final(targets, task, level, stages.horizon()))
            break;
        else if (stages.ends_early(level, relaxer.edges_relaxed))
            begin_stage();
        else if (task.adaptive && control.too_narrow(relaxer.vertices_processed, relaxer.improved_again))
            change_width(control.step);
    }
    count_rest(task, stages.settled(), relaxer.vertices_processed, relaxer.edges_relaxed, out);
    out.exponent = task.leveling.exponent();
    out.overflow = relaxer.overflow;
    return finish(task.graph, query, out, query.target_count > 0 && targets.empty());
}

template <class W, class D>
Outcome<D> delta_stepping(const DeltaTask<W, D>& task, Watch& watch) {
    if (!task.query.parent)
        return delta_stepping_keeping<Parents::none>(task, watch);
    // Dead ends are not taken out of the queue, so their parents are written with their distances. It is 3 to 5% faster
    // to do the same with all other vertices than to tell them apart, and as much slower without dead ends.
    if (task.dead_ends)
        return delta_stepping_keeping<Parents::when_improved>(task, watch);
    return delta_stepping_keeping<Parents::when_settled>(task, watch);
}

} // namespace pathfront
