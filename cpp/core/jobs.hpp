// Many jobs over a thread team, each of which may take long: a job polls its pulse, and while the calling thread has
// none left it polls the watch for the others. (`for_blocks` polls only between blocks.)
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

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

// The threads of a team besides the calling one, which waits for them and polls its watch meanwhile.
class OtherThreads {
  public:
    // While one of these lives, a thread is at work.
    class Share {
      public:
        explicit Share(OtherThreads& all) : all_(all) {
            std::scoped_lock lock(all_.guard_);
            ++all_.working_;
        }
        ~Share() {
            {
                std::scoped_lock lock(all_.guard_);
                --all_.working_;
            }
            all_.changed_.notify_one();
        }
        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;

      private:
        OtherThreads& all_;
    };

    // Returns when none is at work; calls look(), which may throw, from time to time.
    template <class Look>
    void wait(Look&& look) {
        constexpr auto between_looks = std::chrono::milliseconds(20);
        std::unique_lock lock(guard_);
        while (working_ > 0) {
            changed_.wait_for(lock, between_looks);
            lock.unlock(); // the watch may call back into Python
            look();
            lock.lock();
        }
    }

  private:
    std::mutex guard_;
    std::condition_variable changed_;
    unsigned working_ = 0;
};

// Calls work(id, begin, end, pulse) for blocks of [0, total), until one throws. `work` returns early, with any result,
// once a beat of its pulse is false.
template <class Work>
void for_jobs(unsigned threads, std::int64_t total, std::int64_t block, Watch& watch, Work&& work) {
    if (total <= block)
        threads = 1;
    Blocks blocks(total, block);
    std::atomic<bool> stop{false};
    OtherThreads others;
    auto serve = [&](unsigned id, Watch* its_watch) {
        Pulse pulse(stop, its_watch, blocks);
        for (std::int64_t begin, end; !stop.load(std::memory_order_relaxed) && blocks.next(begin, end);)
            work(id, begin, end, pulse);
    };
    run_team(threads, [&](unsigned id) {
        try {
            if (id == 0) {
                serve(id, &watch);
                others.wait([&] { watch.tick(Watch::work_between_checks, blocks.fraction()); });
            } else {
                const OtherThreads::Share share(others);
                serve(id, nullptr);
            }
        } catch (...) {
            blocks.stop();
            stop.store(true);
            throw;
        }
    });
}

} // namespace pathfront
