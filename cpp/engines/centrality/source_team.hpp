// Searches from many sources, each on one thread: the threads share the graph and take the next group of sources when
// they have finished one.
//
// What the searches add up must not depend on the number of threads, and floating-point sums depend on their order. So
// groups have a fixed size, and their sums are added to the total in the order of the groups: see in_turn().
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "core/blocks.hpp"

namespace pathfront {

class SourceTeam {
    struct Stopped {}; // thrown to leave a search that is not wanted any more

  public:
    // A thread's view of the team.
    class Member {
      public:
        Member(SourceTeam& team, unsigned id) : team_(team), id_(id) {}

        // Called by searches with the arcs that they have followed since the last call. Does not return if the work is
        // to end.
        void tick(std::int64_t work) {
            if (id_ == 0)
                team_.watch_.tick(work, team_.groups_.fraction());
            if (team_.stopped_.load(std::memory_order_relaxed))
                throw Stopped();
        }

        // Calls f when all groups before this one have had their turn. Waiting cannot last for ever: groups are
        // distributed in order, so a thread is at work on each of those before.
        template <class F>
        void in_turn(std::int64_t group, F&& f) {
            wait_for(group);
            f();
            {
                std::scoped_lock lock(team_.guard_);
                ++team_.finished_;
            }
            team_.changed_.notify_all();
        }

        // Ends the work of all members.
        [[noreturn]] void stop_all() {
            team_.stop();
            throw Stopped();
        }

      private:
        friend class SourceTeam;

        void wait_for(std::int64_t finished) {
            std::unique_lock lock(team_.guard_);
            while (team_.finished_ < finished) {
                team_.changed_.wait_for(lock, std::chrono::milliseconds(20));
                lock.unlock(); // the watch may call back into Python
                tick(Watch::work_between_checks);
                lock.lock();
            }
        }

        SourceTeam& team_;
        unsigned id_;
    };

    SourceTeam(unsigned threads, std::int64_t sources, std::int64_t at_once, Watch& watch)
        : threads_(static_cast<unsigned>(std::clamp<std::int64_t>((sources + at_once - 1) / at_once, 1, threads))),
          count_((sources + at_once - 1) / at_once), at_once_(at_once), groups_(sources, at_once), watch_(watch) {}

    // Calls work(member, group, begin, end) for every group of sources [begin, end); it must call in_turn() once. Each
    // thread makes its own `work` by make(), when it gets its first group.
    template <class Make>
    void run(Make&& make) {
        run_team(threads_, [&](unsigned id) {
            Member member(*this, id);
            try {
                std::int64_t begin, end;
                if (groups_.next(begin, end)) {
                    auto work = make();
                    do
                        work(member, begin / at_once_, begin, end);
                    while (groups_.next(begin, end));
                }
                if (id == 0)
                    member.wait_for(count_); // the calling thread polls the watch until all are done
            } catch (const Stopped&) {
            } catch (...) {
                stop();
                throw;
            }
        });
    }

  private:
    void stop() {
        stopped_.store(true, std::memory_order_relaxed);
        groups_.stop();
    }

    unsigned threads_;
    std::int64_t count_, at_once_;
    Blocks groups_;
    Watch& watch_;
    std::atomic<bool> stopped_{false};
    std::mutex guard_;
    std::condition_variable changed_;
    std::int64_t finished_ = 0; // groups that have had their turn
};

} // namespace pathfront
