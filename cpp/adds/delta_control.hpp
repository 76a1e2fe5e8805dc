// The feedback that chooses delta while the search runs.
//
// Two things are watched. Clipping: a delta so small that the last bucket holds most of the work has lost the order,
// and is from then on a bound that delta never falls to again. Utilisation: above that bound a smaller delta saves work
// and a larger one keeps more workers busy, so delta is raised while the buckets are too small to keep all workers busy
// and lowered while they hold far more than that. After a change nothing is decided for some head-bucket switches: what
// is queued was sorted by the old delta, and the time this takes to wear off grows with delta by itself.
#pragma once

#include <algorithm>
#include <cstdint>

namespace pathfront::adds {

class DeltaControl {
  public:
    static constexpr double clipped_share = 0.65; // of the waiting items in the last bucket: the order is lost
    static constexpr std::uint32_t settling = 16; // head-bucket switches between two decisions
    static constexpr double busy_arcs = 512;      // per worker and bucket: fewer leave it idle or waiting for the next
    static constexpr double too_much = 8;         // times as many: more are only work out of order
    static constexpr std::uint64_t worth_a_look = 64; // items: fewer say nothing about the last bucket's share

    DeltaControl(bool adaptive, int exponent, int lowest, int highest, std::uint32_t workers, double degree)
        : adaptive_(adaptive), exponent_(exponent), lowest_(lowest), highest_(highest),
          enough_(static_cast<double>(workers) * std::max(busy_arcs / std::max(degree, 1.0), 16.0)) {}

    // The head moved on; `assigned` items were handed out since it did the last time. `waiting` items are queued, of
    // which `in_last` in the last bucket. Whether to double delta (1), halve it (-1) or leave it (0).
    int head_switched(std::uint64_t assigned, std::uint64_t waiting, std::uint64_t in_last) {
        assigned_ += assigned;
        if (!adaptive_ || ++switches_ < settling)
            return 0;
        const double mean = static_cast<double>(assigned_) / switches_;
        const bool clipping =
            waiting >= worth_a_look && static_cast<double>(in_last) >= clipped_share * static_cast<double>(waiting);
        if (clipping)
            lowest_ = std::max(lowest_, exponent_ + 1);
        switches_ = 0;
        assigned_ = 0;
        if ((clipping || mean < enough_) && exponent_ < highest_)
            return move(1);
        if (!clipping && mean > too_much * enough_ && exponent_ > lowest_)
            return move(-1);
        return 0;
    }

    std::uint64_t raised() const { return raised_; }
    std::uint64_t lowered() const { return lowered_; }

  private:
    int move(int by) {
        exponent_ += by;
        ++(by > 0 ? raised_ : lowered_);
        return by;
    }

    bool adaptive_;
    int exponent_, lowest_, highest_;
    double enough_; // items of a bucket that keep all workers busy
    std::uint32_t switches_ = 0;
    std::uint64_t assigned_ = 0, raised_ = 0, lowered_ = 0;
};

} // namespace pathfront::adds
