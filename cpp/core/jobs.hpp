// Many jobs over a thread team, each of which may take long: a job polls its pulse, and while the calling thread has
// none left it polls the watch for the others. (`for_blocks` polls only between blocks.)
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "core/blocks.hpp"

namespace pathfront {

// What a job reports its work to. On the calling thread this may throw, which is how Ctrl-C interrupts it.
class Pulse {
  public:
    Pulse(std::atomic<bool>& stop, Watch* watch, const Blocks& blocks) : stop_(stop), watch_(watch), blocks_(blocks) {}

    // `work`: arcs since the last beat. False: the job has to end, its result is not wanted.
    bool beat(std::int64_t work) {
        budget_ -= work;
        return budget_ > 0 || check();
    }

  private:
    static constexpr std::int64_t work_between_checks = 1 << 14;

    bool check() {
        budget_ = work_between_checks;
        if (stop_.load(std::memory_order_relaxed))
            return false;
        if (watch_)
            watch_->tick(work_between_checks, blocks_.fraction());
        return true;
    }

    std::atomic<bool>& stop_;
    Watch* watch_;
    const Blocks& blocks_;
    std::int64_t budget_ = work_between_checks;
};

// Calls work(id, begin, end, pulse) for blocks of [0, total), until one throws. `work` returns early, with any result,
// once a beat of its pulse is false.
template <class Work>
void for_jobs(unsigned threads, std::int64_t total, std::int64_t block, Watch& watch, Work&& work) {
    constexpr auto between_looks = std::chrono::milliseconds(5);
    if (total <= block)
        threads = 1;
    Blocks blocks(total, block);
    std::atomic<bool> stop{false};
    std::atomic<unsigned> running{0}; // threads besides the calling one
    run_team(threads, [&](unsigned id) {
        Pulse pulse(stop, id == 0 ? &watch : nullptr, blocks);
        if (id != 0)
            running.fetch_add(1);
        try {
            for (std::int64_t begin, end; !stop.load(std::memory_order_relaxed) && blocks.next(begin, end);)
                work(id, begin, end, pulse);
            for (; id == 0 && running.load() > 0; std::this_thread::sleep_for(between_looks))
                watch.tick(Watch::work_between_checks, blocks.fraction());
        } catch (...) {
            blocks.stop();
            stop.store(true);
            if (id != 0)
                running.fetch_sub(1);
            throw;
        }
        if (id != 0)
            running.fetch_sub(1);
    });
}

} // namespace pathfront
