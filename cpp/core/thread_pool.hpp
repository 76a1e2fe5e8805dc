// A pool of threads that are reused between calls: starting a thread costs more than a small search. Idle threads
// sleep; a team borrows threads for one call; the pool keeps as many idle threads as are likely to be needed again, and
// ends the others.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "core/parking.hpp"

namespace pathfront {

// Allocates the calling thread's exception state, which the C++ library would do when the thread throws for the first
// time. glibc ends the process if there is no memory for it: a thread that runs out of memory has to have it already.
// False if there is hardly any memory left.
inline bool prepare_to_throw() {
    constexpr std::size_t enough = 1 << 13;
    void* const volatile probe = std::malloc(enough); // volatile: else the pair of calls is optimised away
    std::free(probe);
    if (!probe)
        return false;
    [[maybe_unused]] const volatile int allocates_it = std::uncaught_exceptions();
    return true;
}

// A thread of the pool.
class PoolThread {
  public:
    PoolThread() : thread_([this] { serve(); }) {}
    ~PoolThread() {
        leave();
        thread_.join();
    }
    PoolThread(const PoolThread&) = delete;
    PoolThread& operator=(const PoolThread&) = delete;

    // Waits until the thread runs; false if it had no memory to begin.
    bool ready() { return reply_.wait(done, 0) == done; }

    void start(std::function<void()> job) {
        job_ = std::move(job);
        reply_.set(none);
        order_.send(work);
    }

    void wait() { reply_.wait(done, 1000); }

    // Ends the thread, which must be idle. The destructor waits for its end.
    void leave() { order_.send(end); }

  private:
    enum Order : int { idle, work, end };
    enum Reply : int { none, done, unable };

    void serve() {
        if (!prepare_to_throw())
            return reply_.send(unable);
        reply_.send(done);
        while (order_.wait(work, 0) == work) {
            job_();
            job_ = nullptr;
            order_.set(idle);
            reply_.send(done);
        }
    }

    Parking order_, reply_;
    std::function<void()> job_;
    std::thread thread_; // last: it uses the others
};

// Threads borrowed from the pool for one call.
class ThreadTeam {
  public:
    // Borrows up to `wanted` threads; fewer if the system refuses to start more.
    explicit ThreadTeam(unsigned wanted) : pool_(ThreadPool::of_process()) { pool_.lend(wanted, workers_); }
    ~ThreadTeam() { pool_.take_back(workers_); }
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    // The number of threads, the calling one included.
    unsigned size() const { return static_cast<unsigned>(workers_.size()) + 1; }

    // Runs work(id) on every thread, id 0 on the calling one; rethrows the first exception when all have ended.
    template <class Work>
    void run(Work&& work) {
        std::exception_ptr first;
        std::mutex guard;
        auto share = [&](unsigned id) {
            try {
                work(id);
            } catch (...) {
                std::scoped_lock lock(guard);
                if (!first)
                    first = std::current_exception();
            }
        };
        for (unsigned id = 1; id < size(); ++id)
            workers_[id - 1]->start([&share, id] { share(id); });
        share(0);
        for (PoolThread* worker : workers_)
            worker->wait();
        if (first)
            std::rethrow_exception(first);
    }

  private:
    class ThreadPool {
      public:
        // The pool of this process. Never destroyed, since its threads may outlive all other objects. A forked child
        // has none of its parent's threads, so it makes a pool of its own.
        static ThreadPool& of_process() {
            static const bool forks_are_noted = [] {
                if (pthread_atfork(nullptr, nullptr, [] { current.store(nullptr, std::memory_order_relaxed); }) != 0)
                    throw std::bad_alloc();
                return true;
            }();
            ThreadPool* pool = current.load(std::memory_order_acquire);
            if (forks_are_noted && !pool) {
                auto made = std::make_unique<ThreadPool>();
                if (current.compare_exchange_strong(pool, made.get(), std::memory_order_acq_rel))
                    pool = made.release();
            }
            return *pool;
        }

        ThreadPool() { idle_.reserve(most_idle_); } // so that take_back() never allocates

        void lend(unsigned wanted, std::vector<PoolThread*>& team) {
            team.reserve(wanted);
            {
                std::scoped_lock lock(guard_);
                for (; team.size() < wanted && !idle_.empty(); idle_.pop_back())
                    team.push_back(idle_.back());
            }
            const auto first = static_cast<std::ptrdiff_t>(team.size());
            try {
                while (team.size() < wanted)
                    team.push_back(new PoolThread);
            } catch (const std::exception&) {
                // no more threads, or no memory for one: use fewer
            }
            const auto unable = std::partition(team.begin() + first, team.end(), [](auto* it) { return it->ready(); });
            std::for_each(unable, team.end(), std::default_delete<PoolThread>());
            team.erase(unable, team.end());
        }

        void take_back(const std::vector<PoolThread*>& team) {
            std::size_t kept = 0;
            {
                std::scoped_lock lock(guard_);
                for (; kept < team.size() && idle_.size() < most_idle_; ++kept)
                    idle_.push_back(team[kept]);
            }
            const auto rest = team.begin() + static_cast<std::ptrdiff_t>(kept);
            std::for_each(rest, team.end(), [](PoolThread* it) { it->leave(); });
            std::for_each(rest, team.end(), std::default_delete<PoolThread>()); // they end side by side
        }

      private:
        static constexpr std::size_t least_idle = 16; // kept on any machine: some callers want more threads than cores

        inline static std::atomic<ThreadPool*> current{nullptr};

        const std::size_t most_idle_ = std::max<std::size_t>(least_idle, std::thread::hardware_concurrency());
        std::mutex guard_;
        std::vector<PoolThread*> idle_;
    };

    ThreadPool& pool_;
    std::vector<PoolThread*> workers_;
};

// Runs work(id) for id = 0 .. threads-1 on as many threads as the system allows, the calling one included. The calling
// thread runs the shares that have no thread, so `work` must not wait for other shares.
template <class Work>
void run_team(unsigned threads, Work&& work) {
    ThreadTeam team(threads - 1);
    team.run([&](unsigned id) {
        work(id);
        for (unsigned left = team.size(); id == 0 && left < threads; ++left)
            work(left);
    });
}

} // namespace pathfront
