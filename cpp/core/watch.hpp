// How a long native loop stays interruptible and reports progress without knowing who is asking.
//
// The loop says how much work it has done; the watch looks at the clock once per `work_between_looks` and
// calls back a few times per second. The callback may throw, which is how Ctrl-C gets in.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace pathfront {

class Watch {
  public:
    using Callback = std::function<void(double fraction)>;

    static constexpr std::int64_t work_between_looks = 1 << 16; // arcs or bytes: well under a millisecond
    static constexpr auto between_calls = std::chrono::milliseconds(100);

    explicit Watch(Callback callback = {}) : callback_(std::move(callback)), next_call_(Clock::now() + between_calls) {}

    // `fraction` of the whole job is done, in [0, 1]; `work` units since the last tick.
    void tick(std::int64_t work, double fraction = 0) {
        budget_ -= work;
        if (budget_ <= 0)
            look(fraction);
    }

  private:
    using Clock = std::chrono::steady_clock;

    void look(double fraction) {
        budget_ = work_between_looks;
        if (!callback_ || Clock::now() < next_call_)
            return;
        callback_(fraction);
        next_call_ = Clock::now() + between_calls;
    }

    Callback callback_;
    Clock::time_point next_call_;
    std::int64_t budget_ = work_between_looks;
};

} // namespace pathfront
