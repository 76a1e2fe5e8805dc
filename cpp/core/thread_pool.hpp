// A pool of threads that are reused between calls: starting a thread costs more than a small search. Idle threads
// sleep; a team borrows threads for one call; the pool grows to the largest number borrowed at the same time.
#pragma once

#include <unistd.h>

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/parking.hpp"

namespace pathfront {

// A thread of the pool. It is never joined: it sleeps until the process ends.
class PoolThread {
  public:
    PoolThread() {
        std::thread([this] {
            for (;;) {
                parking_.wait(working, 0);
                job_();
                job_ = nullptr;
                parking_.set(idle);
                done_.send(1);
            }
        }).detach();
    }

    void start(std::function<void()> job) {
        job_ = std::move(job);
        done_.set(0);
        parking_.send(working);
    }

    void wait() { done_.wait(1, 1000); }

  private:
    enum : int { idle, working };

    Parking parking_, done_;
    std::function<void()> job_;
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
        // The pool of this process: a forked child has none of its parent's threads and makes its own pool. Never
        // destroyed, since its threads may outlive all other objects.
        static ThreadPool& of_process() {
            static std::atomic<ThreadPool*> open{nullptr};
            static std::mutex guard;
            ThreadPool* pool = open.load(std::memory_order_acquire);
            if (pool && pool->process_ == getpid())
                return *pool;
            std::scoped_lock lock(guard);
            pool = open.load(std::memory_order_acquire);
            if (!pool || pool->process_ != getpid())
                open.store(pool = new ThreadPool, std::memory_order_release);
            return *pool;
        }

        void lend(unsigned wanted, std::vector<PoolThread*>& team) {
            std::scoped_lock lock(guard_);
            team.reserve(wanted);
            while (team.size() < wanted) {
                if (idle_.empty()) {
                    try {
                        idle_.reserve(made_ + 1); // so that take_back() never allocates
                        idle_.push_back(new PoolThread);
                        ++made_;
                    } catch (const std::exception&) {
                        return; // no more threads, or no memory for one: use fewer
                    }
                }
                team.push_back(idle_.back());
                idle_.pop_back();
            }
        }

        void take_back(const std::vector<PoolThread*>& team) {
            std::scoped_lock lock(guard_);
            idle_.insert(idle_.end(), team.begin(), team.end());
        }

      private:
        std::mutex guard_;
        std::vector<PoolThread*> idle_;
        std::size_t made_ = 0;
        pid_t process_ = getpid();
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
