// How the manager and the workers tell each other things: one assignment flag for each worker, and one bell for the
// manager.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "core/distance.hpp"
#include "core/parking.hpp"
#include "engines/adds/work_queue.hpp"

namespace pathfront::adds {

// What a worker is to do: which items, where to put what comes of them, and what is too far to matter.
template <class D, class Item>
struct Assignment {
    Range<Item> range;
    Window<D> window;
    D limit;
};

// A worker's assignment flag, which it waits at. The manager writes the assignment while the flag says `idle`, then
// raises it to `assigned`; the worker takes it down when it is done. Nobody else touches either.
template <class D, class Item>
class alignas(128) AssignmentFlag {
  public:
    enum State : int { idle, assigned, leave };

    explicit AssignmentFlag(const Window<D>& window) : assignment{{}, window, unreached<D>} {}

    // acquire: the worker's last pushes are seen
    bool is_idle() const { return parking_.signal(std::memory_order_acquire) == idle; }

    bool is_assigned() const { return parking_.signal(std::memory_order_relaxed) == assigned; } // to be counted

    void assign(const Assignment<D, Item>& what) {
        assignment = what;
        parking_.send(assigned); // a release and more: the worker sees the assignment, and the items in it
    }

    void dismiss() { parking_.send(leave); }

    // ---- for the worker

    // Waits for an assignment; false if there will be none.
    bool wait(unsigned spins) { return parking_.wait(assigned, spins) == assigned; }

    // Takes the flag down; false if it has been dismissed meanwhile. Acquire and release: see is_idle.
    bool done() { return parking_.change(assigned, idle); }

    Assignment<D, Item> assignment;

  private:
    Parking parking_;
};

// The manager's desk: what workers ask of it, and where it waits for them.
class Desk {
  public:
    // With more threads than cores, whoever spins keeps somebody from working.
    explicit Desk(unsigned spins) : spins_(spins) {}

    // Something happened that the manager may want to know: items were pushed, work was completed.
    void ring() { bell_.ring(1); }

    // A block is missing, or will be soon.
    void want_block() {
        wanted_.store(true, std::memory_order_relaxed); // seen by whoever hears the bell
        ring();
    }

    // Waits a little for the manager to provide; false if the search is being given up.
    bool await_block(unsigned turn) {
        if (turn % 64 == 0)
            want_block();
        if (turn < spins_)
            relax_processor();
        else if (turn < spins_ + 64)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        return !stopped();
    }

    // Ends the search: workers drop what they have.
    void stop() { stop_.store(true, std::memory_order_relaxed); } // no data depends on it
    bool stopped() const { return stop_.load(std::memory_order_relaxed); }

    // ---- for the manager

    bool rung() const { return bell_.signal(std::memory_order_relaxed) != 0; } // only a hint: take_note() decides

    // Takes note of all rings so far. An exchange, like the ring: what the ringers did before is seen from here on, and
    // a ring that comes later stays.
    void take_note() { bell_.change(1, 0); }

    bool take_wanted() { return wanted_.exchange(false, std::memory_order_relaxed); }

    // Waits for a ring; `idle` is called now and then.
    template <class Idle>
    void wait(Idle&& idle) {
        bell_.wait(1, spins_, idle);
    }

  private:
    unsigned spins_;
    alignas(128) Parking bell_;
    alignas(128) std::atomic<bool> wanted_{false};
    std::atomic<bool> stop_{false};
};

} // namespace pathfront::adds
