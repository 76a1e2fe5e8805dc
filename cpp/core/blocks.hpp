// The loop most parallel routines are: blocks of a range, handed out to a team, interruptible.
#pragma once

#include "core/team.hpp"
#include "core/watch.hpp"

namespace pathfront {

// Calls work(id, begin, end) for blocks of [0, total). The calling thread polls the watch; when that throws,
// the others run out of blocks and the exception is rethrown here.
template <class Work>
void for_blocks(unsigned threads, std::int64_t total, std::int64_t block, Watch& watch, Work&& work) {
    if (total <= block)
        threads = 1;
    Blocks blocks(total, block);
    run_team(threads, [&](unsigned id) {
        try {
            for (std::int64_t begin, end; blocks.next(begin, end);) {
                work(id, begin, end);
                if (id == 0)
                    watch.tick(end - begin, blocks.fraction());
            }
        } catch (...) {
            blocks.stop();
            throw;
        }
    });
}

} // namespace pathfront
