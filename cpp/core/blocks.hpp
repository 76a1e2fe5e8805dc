// The loop of most parallel routines: the blocks of a range, distributed over a thread team, interruptible.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "core/thread_pool.hpp"
#include "core/watch.hpp"

namespace pathfront {

// Distributes [0, total) in blocks, in order, over the threads that call next(); stop() ends it.
class Blocks {
  public:
    Blocks(std::int64_t total, std::int64_t block) : total_(total), block_(block) {}

    bool next(std::int64_t& begin, std::int64_t& end) {
        begin = next_.fetch_add(block_, std::memory_order_relaxed);
        if (begin >= total_)
            return false;
        end = std::min(begin + block_, total_);
        return true;
    }

    void stop() { next_.store(total_, std::memory_order_relaxed); }

    double fraction() const {
        return total_ == 0 ? 1.0
                           : static_cast<double>(std::min(next_.load(std::memory_order_relaxed), total_)) /
                                 static_cast<double>(total_);
    }

  private:
    std::int64_t total_, block_;
    std::atomic<std::int64_t> next_{0};
};

// Calls work(id, begin, end) for blocks of [0, total). The calling thread polls the watch; when that throws, no more
// blocks are distributed and the exception is rethrown here.
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
