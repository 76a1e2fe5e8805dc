// Allocations that fail on purpose: operator new asks here.
#pragma once

#include <atomic>
#include <cstdint>

namespace pathfront {

struct AllocationFailure {
    static constexpr std::int64_t all_later = INT64_MAX;

    // Lets `count` allocations of all threads fail, from the `first` on; the first is number 1.
    static void arm(std::int64_t first, std::int64_t count) {
        begin.store(first, std::memory_order_relaxed);
        end.store(count == all_later ? all_later : first + count, std::memory_order_relaxed);
        number.store(0, std::memory_order_relaxed);
        armed.store(true, std::memory_order_seq_cst);
    }

    // Ends the failures; returns whether there was one.
    static bool disarm() {
        armed.store(false, std::memory_order_seq_cst);
        return number.load(std::memory_order_relaxed) >= begin.load(std::memory_order_relaxed);
    }

    // Whether the calling thread's allocation fails.
    static bool now() {
        if (!armed.load(std::memory_order_relaxed))
            return false;
        const std::int64_t mine = number.fetch_add(1, std::memory_order_relaxed) + 1;
        return mine >= begin.load(std::memory_order_relaxed) && mine < end.load(std::memory_order_relaxed);
    }

  private:
    inline static std::atomic<bool> armed{false};
    inline static std::atomic<std::int64_t> begin{0}, end{0}, number{0};
};

} // namespace pathfront
