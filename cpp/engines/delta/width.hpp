// Whether the buckets of delta-stepping turn out to have the right width.
//
// The first width is guessed from the mean weight, which says little where a few weights are enormous. Two signs tell
// better. Vertices that are improved again although they already wait in the current bucket have mostly been relaxed in
// vain: if that is common the buckets are too wide. Buckets with next to nothing in them are too narrow: taking one out
// costs more than its vertices do, and there is nothing to share.
#pragma once

#include <cstdint>

namespace pathfront {

class WidthControl {
  public:
    // These are told what the search has taken up to now: vertices relaxed, and improvements within a level.

    // Whether the buckets are far too wide, which is worth knowing before the current one is empty.
    bool too_wide(std::uint64_t vertices, std::uint64_t improved_again) {
        const std::uint64_t relaxed = vertices - vertices_, again = improved_again - again_;
        if (relaxed < enough_vertices || again <= relaxed / 2)
            return false;
        begin(vertices, improved_again);
        return may_change();
    }

    // Whether they are far too narrow, at the end of a level.
    bool too_narrow(std::uint64_t vertices, std::uint64_t improved_again) {
        if (++levels_ < window)
            return false;
        const std::uint64_t relaxed = vertices - vertices_, again = improved_again - again_;
        begin(vertices, improved_again);
        return relaxed < window * few && again < relaxed / 8 && may_change();
    }

    static constexpr int step = 2; // powers of two by which they change

  private:
    static constexpr std::uint64_t window = 64, few = 4, enough_vertices = 1024;

    // A change files the whole queue anew, so there are only so many.
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
