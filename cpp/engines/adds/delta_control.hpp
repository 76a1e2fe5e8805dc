// The feedback loop that adapts delta while the search runs.
//
// It monitors two things. Clipping: a delta so small that most of the work goes to the last bucket has lost the order;
// delta is raised at once, and never falls that low again. Clipping is measured on the pushes, not on the contents of
// the last bucket: when everything is clipped, the last bucket has become the head by the time of the next check.
// Utilisation: above that bound a smaller delta saves work and a larger one keeps more workers busy, so delta is raised
// while the buckets are too small to keep all workers busy and lowered while they hold far more than that. After a
// decision there is none for some head-bucket switches: the queued items were ordered by the old delta, and the time
// until they are processed grows with delta by itself.
#pragma once

#include <algorithm>
#include <cstdint>

namespace pathfront::adds {

class DeltaControl {
  public:
    static constexpr double clipped_share = 0.65;     // share of clipped pushes from which the order is lost
    static constexpr double clipped_little = 0.1;     // with a larger share, half the delta would lose the order
    static constexpr std::uint32_t settling = 16;     // head-bucket switches between two decisions
    static constexpr double busy_arcs = 512;          // arcs of a bucket that keep a worker busy until the next bucket
    static constexpr double too_much = 8;             // times the items that keep all busy: more are out of order
    static constexpr std::uint64_t least_pushes = 64; // with fewer, the share of clipped ones is not significant

    DeltaControl(bool adaptive, int exponent, int lowest, int highest, std::uint32_t workers, double degree)
        : adaptive_(adaptive), exponent_(exponent), lowest_(lowest), highest_(highest),
          enough_(static_cast<double>(workers) * std::max(busy_arcs / std::max(degree, 1.0), 16.0)) {}

    // Called when the head has advanced: `assigned` items since the last time, `pushed` and `clipped` items in total.
    // Returns whether to double delta (1), halve it (-1) or leave it (0).
    int head_switched(std::uint64_t assigned, std::uint64_t pushed, std::uint64_t clipped) {
        if (!adaptive_)
            return 0;
        assigned_ += assigned;
        ++switches_;
        const auto recent = static_cast<double>(pushed - pushed_), beyond = static_cast<double>(clipped - clipped_);
        const bool clipping = recent >= least_pushes && beyond >= clipped_share * recent;
        if (!clipping && switches_ < settling)
            return 0;
        const double mean = static_cast<double>(assigned_) / switches_;
        switches_ = 0;
        assigned_ = 0;
        pushed_ = pushed;
        clipped_ = clipped;
        if (clipping)
            lowest_ = std::max(lowest_, exponent_ + 1);
        if ((clipping || mean < enough_) && exponent_ < highest_)
            return move(1);
        if (!clipping && mean > too_much * enough_ && exponent_ > lowest_ && beyond <= clipped_little * recent)
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
    std::uint64_t assigned_ = 0, pushed_ = 0, clipped_ = 0, raised_ = 0, lowered_ = 0;
};

} // namespace pathfront::adds
