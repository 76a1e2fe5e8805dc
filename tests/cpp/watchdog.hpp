// Turns a test that hangs into one that fails: prints its name and, where gdb is installed, the stacks of all threads.
//
// A thread of its own, not an alarm: ThreadSanitizer holds signals back from threads that spin.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>

class Watchdog {
  public:
    explicit Watchdog(std::chrono::seconds limit) : limit_(limit), thread_([this] { watch(); }) {}

    ~Watchdog() {
        set([&] { over_ = true; });
        thread_.join();
    }

    // The time of a test begins, and that of the one before has ended.
    void begin(const char* test) {
        set([&] {
            test_ = test;
            end_ = Clock::now() + limit_;
        });
    }

  private:
    using Clock = std::chrono::steady_clock;

    template <class Change>
    void set(Change&& change) {
        {
            const std::lock_guard lock(mutex_);
            change();
        }
        changed_.notify_one();
    }

    void watch() {
        std::unique_lock lock(mutex_);
        while (!over_) {
            changed_.wait_until(lock, end_);
            if (!over_ && Clock::now() >= end_)
                fail();
        }
    }

    [[noreturn]] void fail() const {
        std::fprintf(stderr, "%s takes longer than %lld seconds\n", test_, static_cast<long long>(limit_.count()));
#ifdef PR_SET_PTRACER
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); // a child may attach
#endif
        const std::string dump = "gdb -batch -nx -ex 'thread apply all backtrace' -p " + std::to_string(getpid());
        if (std::system((dump + " >&2 2>/dev/null").c_str()) != 0)
            std::fprintf(stderr, "install gdb for the stacks of all threads\n");
        std::_Exit(1);
    }

    const std::chrono::seconds limit_;
    std::mutex mutex_;
    std::condition_variable changed_;
    const char* test_ = "";
    Clock::time_point end_ = Clock::now() + limit_;
    bool over_ = false;
    std::thread thread_; // the last member: it uses the others
};
