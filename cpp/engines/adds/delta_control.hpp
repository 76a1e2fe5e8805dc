// The feedback loop that adapts delta while the search runs.
//
// It monitors two things. Clipping: a delta so small that most of the work goes to the last bucket has lost the order;
// delta is raised at once, and never falls that low again. Clipping is measured on the pushes, not on the contents of
// the last bucket: when everything is clipped, the last bucket has become the head by the time of the next check.
// Utilisation: above that bound a smaller delta saves work and a larger one keeps more workers busy, so delta is raised
// while the buckets are too small to keep all workers busy and lowered while they hold far more than that. After a
// decision there is none for some head-bucket switches: the queued items were ordered by the old delta, and the time
// until they are processed grows with delta by itself.
//
// With a delta far too large the head would never switch, and all items would be relaxed in the order of their arrival.
// So a head bucket that has had a few times too many items is made that many times narrower while it is processed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace pathfront::adds {

class DeltaControl {
  public:
    static constexpr double clipped_share = 0.65;     // share of clipped pushes from which the order is lost
    static constexpr double clipped_little = 0.1;     // with a larger share, half the delta would lose the order
    static constexpr std::uint32_t settling = 16;     // head-bucket switches between two decisions
    static constexpr double busy_arcs = 512;          // arcs of a bucket that keep a worker busy until the next bucket
    static constexpr double too_much = 8;             // times the items that keep all busy: more are out of order
    static constexpr int narrowing = 2;               // within a bucket delta is lowered by so many powers of two ...
    static constexpr double overfull = 4;             // ... as soon as the bucket has had so many times too much
    static constexpr std::uint64_t least_pushes = 64; // with fewer, the share of clipped ones is not significant

    // Delta stays between `lowest` and `highest`; `workers` is the number of threads that can run at the same time.
    DeltaControl(bool adaptive, double delta, double lowest, double highest, std::uint32_t workers, double degree)
        : adaptive_(adaptive), delta_(delta), lowest_(lowest), highest_(highest),
          enough_(static_cast<double>(workers) * std::max(busy_arcs / std::max(degree, 1.0), 16.0)) {
        wait();
    }

    // Called when the head has advanced: `assigned` items since the last time, `pushed` and `clipped` items in total.
    // Returns by how many powers of two to change delta: 1, -1 or 0.
    int head_switched(std::uint64_t assigned, std::uint64_t pushed, std::uint64_t clipped) {
        if (!adaptive_)
            return 0;
        wait();
        assigned_ += assigned;
        ++switches_;
        const auto recent = static_cast<double>(pushed - pushed_), beyond = static_cast<double>(clipped - clipped_);
        const bool clipping = recent >= least_pushes && beyond >= clipped_share * recent;
        if (!clipping && switches_ < settling)
            return 0;
        const double mean = static_cast<double>(assigned_) / switches_;
        begin(pushed, clipped);
        if (clipping)
            lowest_ = std::max(lowest_, 2 * delta_);
        if ((clipping || mean < enough_) && 2 * delta_ <= highest_)
            return move(1);
        if (!clipping && mean > too_much * enough_ && delta_ / 2 >= lowest_ && beyond <= clipped_little * recent)
            return move(-1);
        return 0;
    }

    // Whether the head bucket has had so many items since it became the head that within_bucket() is to be called.
    bool is_overfull(std::uint64_t assigned) const { return assigned >= limit_; }

    // Returns by how many powers of two to change delta while the head bucket is processed: none, or some down. Then
    // the items assigned so far are not to be counted any more.
    int within_bucket(std::uint64_t assigned, std::uint64_t pushed, std::uint64_t clipped) {
        limit_ = assigned + step();
        const auto recent = static_cast<double>(pushed - pushed_), beyond = static_cast<double>(clipped - clipped_);
        if (beyond > clipped_little * recent)
            return 0;
        for (int by = narrowing; by > 0; --by)
            if (std::ldexp(delta_, -by) >= lowest_) {
                begin(pushed, clipped);
                wait();
                return move(-by);
            }
        return 0;
    }

    std::uint64_t raised() const { return raised_; }
    std::uint64_t lowered() const { return lowered_; }

  private:
    void begin(std::uint64_t pushed, std::uint64_t clipped) {
        switches_ = 0;
        assigned_ = 0;
        pushed_ = pushed;
        clipped_ = clipped;
    }

    std::uint64_t step() const { return static_cast<std::uint64_t>(overfull * too_much * enough_); }
    void wait() { limit_ = adaptive_ ? step() : ~std::uint64_t{0}; }

    int move(int by) {
        delta_ = std::ldexp(delta_, by);
        ++(by > 0 ? raised_ : lowered_);
        return by;
    }

    bool adaptive_;
    double delta_, lowest_, highest_;
    double enough_;           // items of a bucket that keep all workers busy
    std::uint64_t limit_ = 0; // items of the head bucket from which it is overfull
    std::uint32_t switches_ = 0;
    std::uint64_t assigned_ = 0, pushed_ = 0, clipped_ = 0, raised_ = 0, lowered_ = 0;
};

} // namespace pathfront::adds
