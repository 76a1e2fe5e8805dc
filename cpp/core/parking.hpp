// Parking of one thread: it spins for a moment, then sleeps until another thread changes its signal.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace pathfront {

inline void relax_processor() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

inline constexpr unsigned spins_before_sleep = 2000; // reads of the signal by a waiting thread

// The spins before a thread of a team sleeps. With more threads than cores a spinning thread keeps another from
// working, so there are none.
inline unsigned spins_of_team(unsigned threads, unsigned spins = spins_before_sleep) {
    return threads <= std::thread::hardware_concurrency() ? spins : 0;
}

class Parking {
  public:
    static constexpr auto longest_sleep = std::chrono::milliseconds(50);

    int signal(std::memory_order order = std::memory_order_acquire) const { return signal_.load(order); }

    // Changes the signal without a wake-up: for the owner.
    void set(int value) { signal_.store(value, std::memory_order_release); }

    // Changes the signal if it is `expected`: for threads that compete to answer a request.
    bool change(int expected, int value) {
        return signal_.compare_exchange_strong(expected, value, std::memory_order_acq_rel);
    }

    // Changes the signal and wakes the owner.
    void send(int value) {
        // sequentially consistent, like the owner's store: at least one of the two threads sees the other's
        signal_.store(value, std::memory_order_seq_cst);
        if (sleeping_.load(std::memory_order_seq_cst)) {
            std::scoped_lock lock(mutex_);
            wake_.notify_one();
        }
    }

    // The same for a signal with many senders: the one that changed it wakes the owner. An exchange even if the value
    // stays the same: the owner clears the signal by an exchange too, and then sees all earlier writes of every sender.
    void notify(int value) {
        if (signal_.exchange(value, std::memory_order_seq_cst) != value && sleeping_.load(std::memory_order_seq_cst)) {
            std::scoped_lock lock(mutex_);
            wake_.notify_one();
        }
    }

    // Waits until the signal is at least `least`: spins first, then sleeps.
    int wait(int least, unsigned spins) {
        if (const int now = spin(least, spins); now >= least)
            return now;
        std::unique_lock lock(mutex_);
        sleeping_.store(true, std::memory_order_seq_cst);
        wake_.wait(lock, [&] { return signal_.load(std::memory_order_seq_cst) >= least; });
        sleeping_.store(false, std::memory_order_relaxed);
        return signal();
    }

    // The same, but `idle` is called every `longest_sleep`.
    template <class Idle>
    int wait(int least, unsigned spins, Idle&& idle) {
        if (const int now = spin(least, spins); now >= least)
            return now;
        for (;;) {
            {
                std::unique_lock lock(mutex_);
                sleeping_.store(true, std::memory_order_seq_cst);
                wake_.wait_for(lock, longest_sleep, [&] { return signal_.load(std::memory_order_seq_cst) >= least; });
                sleeping_.store(false, std::memory_order_relaxed);
            }
            if (const int now = signal(); now >= least)
                return now;
            idle();
        }
    }

  private:
    int spin(int least, unsigned spins) const {
        int now = signal();
        for (unsigned i = 0; i < spins && now < least; ++i) {
            relax_processor();
            now = signal();
        }
        return now;
    }

    std::atomic<int> signal_{0};
    std::atomic<bool> sleeping_{false};
    std::mutex mutex_;
    std::condition_variable wake_;
};

} // namespace pathfront
