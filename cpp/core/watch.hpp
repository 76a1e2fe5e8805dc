// Interrupts and progress for long native loops, independent of the caller's language.
//
// The loop reports its work; the watch checks the clock once per `work_between_checks` and calls the callback a few
// times per second. The callback may throw, which is how Ctrl-C interrupts the loop.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace pathfront {

class Watch {
  public:
    using Callback = std::function<void(double fraction)>;

    static constexpr std::int64_t work_between_checks = 1 << 16; // arcs or bytes: well under a millisecond
    static constexpr auto between_calls = std::chrono::milliseconds(100);

    // The last two parameters are for tests.
    explicit Watch(Callback callback = {}, std::chrono::milliseconds pause = between_calls,
                   std::int64_t patience = work_between_checks)
        : callback_(std::move(callback)), pause_(pause), patience_(patience), next_call_(Clock::now() + pause),
          budget_(patience) {}

    // `work`: units since the last tick; `fraction`: the share of the whole job that is done, in [0, 1].
    void tick(std::int64_t work, double fraction = 0) {
        budget_ -= work;
        if (budget_ <= 0)
            check(fraction);
    }

  private:
    using Clock = std::chrono::steady_clock;

    void check(double fraction) {
        budget_ = patience_;
        if (!callback_ || Clock::now() < next_call_)
            return;
        callback_(fraction);
        next_call_ = Clock::now() + pause_;
    }

    Callback callback_;
    std::chrono::milliseconds pause_;
    std::int64_t patience_;
    Clock::time_point next_call_;
    std::int64_t budget_;
};

} // namespace pathfront
