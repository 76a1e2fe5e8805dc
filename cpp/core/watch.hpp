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

    // The last two are for tests, which cannot wait.
    explicit Watch(Callback callback = {}, std::chrono::milliseconds pause = between_calls,
                   std::int64_t patience = work_between_looks)
        : callback_(std::move(callback)), pause_(pause), patience_(patience), next_call_(Clock::now() + pause),
          budget_(patience) {}

    // `fraction` of the whole job is done, in [0, 1]; `work` units since the last tick.
    void tick(std::int64_t work, double fraction = 0) {
        budget_ -= work;
        if (budget_ <= 0)
            look(fraction);
    }

  private:
    using Clock = std::chrono::steady_clock;

    void look(double fraction) {
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
