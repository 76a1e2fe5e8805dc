// Adapting the width of the buckets of delta-stepping.
//
// The first width is a guess from the weights, which is poor if a few weights are enormous. Two measurements are
// better. A vertex that is improved again while it waits in the current bucket has mostly been relaxed in vain: if that
// is common, the buckets are too wide. Buckets with very few vertices are too narrow: taking one out costs more than
// relaxing its vertices, and there is no work to share.
#pragma once

#include <cstdint>

namespace pathfront {

class WidthControl {
  public:
    // All functions take the totals of the search so far: vertices relaxed, and improvements within a level.

    // Whether the buckets are far too wide; may be called before the current one is empty.
    bool too_wide(std::uint64_t vertices, std::uint64_t improved_again) {
        const std::uint64_t relaxed = vertices - vertices_, again = improved_again - again_;
        if (relaxed < enough_vertices || again <= relaxed / 2)
            return false;
        begin(vertices, improved_again);
        return may_change();
    }

    // Whether they are far too narrow; called at the end of a level.
    bool too_narrow(std::uint64_t vertices, std::uint64_t improved_again) {
        if (++levels_ < window)
            return false;
        const std::uint64_t relaxed = vertices - vertices_, again = improved_again - again_;
        begin(vertices, improved_again);
        return relaxed < window * few && again < relaxed / 8 && may_change();
    }

    // By how many powers of two the width should change, at the end of a level.
    int change(std::uint64_t vertices, std::uint64_t improved_again) {
        return too_wide(vertices, improved_again) ? -step : too_narrow(vertices, improved_again) ? step : 0;
    }

    static constexpr int step = 2; // powers of two per change

  private:
    static constexpr std::uint64_t window = 64, few = 4, enough_vertices = 1024;

    // A change refiles the whole queue, so their number is limited.
    bool may_change() { return changes_left_-- > 0; }

    void begin(std::uint64_t vertices, std::uint64_t improved_again) {
        levels_ = 0;
        vertices_ = vertices;
        again_ = improved_again;
    }

    std::int64_t changes_left_ = 16;
    std::uint64_t levels_ = 0, vertices_ = 0, again_ = 0; // levels in this window; totals when it began
};

} // namespace pathfront
