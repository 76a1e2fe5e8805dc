// The threads of a running program. One of them, the leader, interprets the program. The others wait, and are woken for
// each parallel operation.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <utility>

#include "core/parking.hpp"
#include "core/thread_pool.hpp"

namespace pathfront {

class ForkJoin {
  public:
    explicit ForkJoin(const ThreadTeam& team)
        : size_(team.size()), spins_(spins_of_team(size_, spins_between_operations)),
          slots_(std::make_unique<Slot[]>(size_)) {}

    unsigned size() const { return size_; }

    // Called by the leader: runs work(id) on all threads. The first exception is rethrown when all have ended.
    template <class Work>
    void share(Work&& work) {
        call_ = [](void* context, unsigned id) { (*static_cast<std::remove_reference_t<Work>*>(context))(id); };
        context_ = &work;
        busy_.store(size_ - 1, std::memory_order_relaxed);
        slots_[0].parking.set(waiting);
        for (unsigned id = 1; id < size_; ++id)
            slots_[id].parking.send(go); // release: what the leader wrote is seen
        run(0);
        slots_[0].parking.wait(go, spins_);
        for (unsigned id = 0; id < size_; ++id)
            if (slots_[id].failed)
                std::rethrow_exception(std::exchange(slots_[id].failed, nullptr));
    }

    // Called by the other threads: serves until dismiss().
    void serve(unsigned id) {
        while (slots_[id].parking.wait(go, spins_) == go) {
            slots_[id].parking.set(waiting);
            run(id);
            if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1)
                slots_[0].parking.send(go);
        }
    }

    void dismiss() {
        for (unsigned id = 1; id < size_; ++id)
            slots_[id].parking.send(leave);
    }

  private:
    static constexpr unsigned spins_between_operations = 4000;

    enum Signal : int { waiting, go, leave };

    struct alignas(128) Slot {
        Parking parking;
        std::exception_ptr failed;
    };

    void run(unsigned id) {
        try {
            call_(context_, id);
        } catch (...) {
            slots_[id].failed = std::current_exception();
        }
    }

    unsigned size_, spins_;
    std::unique_ptr<Slot[]> slots_;
    void (*call_)(void*, unsigned) = nullptr;
    void* context_ = nullptr;
    std::atomic<unsigned> busy_{0};
};

} // namespace pathfront
