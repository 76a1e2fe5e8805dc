// ADDS, asynchronous dynamic delta-stepping (Wang, Fussell, Lin 2021), on CPU threads.
//
// Worker threads relax their assigned items and push improved vertices into a circular queue of buckets. A manager
// thread reads the buckets, assigns their items, and adjusts delta. There are no levels and no barriers. The parts,
// from the bottom up: blocks.hpp (memory), bucket.hpp (a queue with one reader and many writers), work_queue.hpp (the
// circular queue of buckets), assignment.hpp (assignment flags, the manager's wake-up), worker.hpp, delta_control.hpp,
// target_limit.hpp, manager.hpp.
#pragma once

#include "engines/adds/manager.hpp"

namespace pathfront {

// `team` is null for one thread.
template <class W, class D>
Outcome<D> adds_search(const Task<W, D>& task, const adds::Settings& settings, ThreadTeam* team, Watch& watch,
                       adds::Report& report) {
    if (!team) {
        if (task.query.parent)
            return adds::Manager<W, D, Parents::when_settled, false>(task, settings, 1, watch, report).run(nullptr);
        return adds::Manager<W, D, Parents::none, false>(task, settings, 1, watch, report).run(nullptr);
    }
    if (task.query.parent)
        return adds::Manager<W, D, Parents::when_improved, true>(task, settings, team->size(), watch, report).run(team);
    return adds::Manager<W, D, Parents::none, true>(task, settings, team->size(), watch, report).run(team);
}

} // namespace pathfront
