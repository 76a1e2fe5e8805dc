// Signals between the manager and the workers: one assignment flag (AF) per worker, and one wake-up signal for the
// manager.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "core/distance.hpp"
#include "core/parking.hpp"
#include "engines/adds/work_queue.hpp"

namespace pathfront::adds {

// The items a worker relaxes, the window that maps distances to buckets, the distance limit, and the last level that
// belongs to the items' bucket: items of later ones are moved to theirs.
template <class D, class Item>
struct Assignment {
    static constexpr std::uint64_t any_level = ~std::uint64_t{0};

    Range<Item> range;
    Window<D> window;
    D limit;
    std::uint64_t last_level = any_level;
};

// A worker's assignment flag. The manager writes the assignment while the flag is `idle`, then sets the flag to
// `assigned`; the worker sets it back to `idle` when it is done. No other thread accesses the two.
template <class D, class Item>
class alignas(128) AssignmentFlag {
  public:
    enum State : int { idle, assigned, leave };

    explicit AssignmentFlag(const Window<D>& window) : assignment{{}, window, unreached<D>} {}

    // acquire: the worker's last pushes are visible
    bool is_idle() const { return parking_.signal(std::memory_order_acquire) == idle; }

    // relaxed: only for statistics
    bool is_assigned() const { return parking_.signal(std::memory_order_relaxed) == assigned; }

    void assign(const Assignment<D, Item>& what) {
        assignment = what;
        parking_.send(assigned); // at least a release: the worker sees the assignment and its items
    }

    void dismiss() { parking_.send(leave); }

    // ---- for the worker

    // Waits for an assignment; false if the worker is dismissed.
    bool wait(unsigned spins) { return parking_.wait(assigned, spins) == assigned; }

    // Sets the flag to idle; false if the worker was dismissed meanwhile. Acquire and release: see is_idle.
    bool done() { return parking_.change(assigned, idle); }

    Assignment<D, Item> assignment;

  private:
    Parking parking_;
};

// State shared by the manager and all workers: the manager's wake-up signal, the request for blocks, the stop flag.
class Coordination {
  public:
    // With more threads than cores, a spinning thread takes a core from a working one.
    explicit Coordination(unsigned spins) : spins_(spins) {}

    // Wakes the manager: items were pushed or work was completed.
    void wake() { wake_up_.notify(1); }

    // Requests a block that is missing or will be soon.
    void request_block() {
        block_requested_.store(true, std::memory_order_release); // whoever takes it sees which bucket wants one
        wake();
    }

    // Waits a moment for the manager to provide a block; false if the search has been stopped.
    bool await_block(unsigned turn) {
        if (turn < spins_)
            relax_processor();
        else if (turn < spins_ + 64)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        return !stopped();
    }

    // Ends the search: workers drop their remaining items.
    void stop() { stop_.store(true, std::memory_order_relaxed); } // relaxed: no data depends on it
    bool stopped() const { return stop_.load(std::memory_order_relaxed); }

    // ---- for the manager

    // relaxed: only a hint, acknowledge() orders
    bool woken() const { return wake_up_.signal(std::memory_order_relaxed) != 0; }

    // Clears the wake-up. An exchange, like wake(): everything its senders did before is visible from here on, and a
    // later wake-up stays set.
    void acknowledge() { wake_up_.change(1, 0); }

    bool take_block_request() { return block_requested_.exchange(false, std::memory_order_acquire); }

    // Waits for a wake-up; `idle` is called periodically.
    template <class Idle>
    void wait(Idle&& idle) {
        wake_up_.wait(1, spins_, idle);
    }

  private:
    unsigned spins_;
    alignas(128) Parking wake_up_;
    alignas(128) std::atomic<bool> block_requested_{false};
    std::atomic<bool> stop_{false};
};

} // namespace pathfront::adds
