// Levels of distances: the index of the bucket of width delta that holds a distance.
//
// Any width is honoured exactly, and none costs more than a power of two. Floats are multiplied by the inverse of the
// width; integers of 32 bits are divided by a multiplication (Granlund and Montgomery 1994), those of 64 bits by a
// shift where the width is a power of two, as default widths are. Levels are monotone in the distance, which is all
// that correctness needs; float distances beyond 2^62 deltas share the last level.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace pathfront {

template <class D>
class Leveling {
  public:
    // Integers round the width down to a whole number, at least 1. Widths too small or too large are clamped.
    explicit Leveling(double width) : width_(std::clamp(width, narrowest, widest)) {
        if constexpr (real) {
            // Rounded up, so that no multiple of the width is in the level below its own.
            scale_ = 1 / width_;
            if (std::fma(scale_, width_, -1.0) < 0)
                scale_ = std::nextafter(scale_, 1 / narrowest);
            power_of_two_ = std::ldexp(0.5, std::ilogb(width_) + 1) == width_;
        } else {
            divisor_ = static_cast<std::uint64_t>(width_);
            power_of_two_ = std::has_single_bit(divisor_);
            if constexpr (sizeof(D) <= 4)
                factor_ = (std::uint64_t{1} << 63) / divisor_ + !power_of_two_;
            else
                shift_ = std::countr_zero(divisor_);
        }
    }

    std::uint64_t operator()(D dist) const {
        if constexpr (real) {
            const double scaled = static_cast<double>(dist) * scale_;
            return scaled < 0x1p62 ? static_cast<std::uint64_t>(scaled) : highest;
        } else if constexpr (sizeof(D) <= 4) {
            // factor_ is 2^63 / divisor_ + e with e < 1, so the product is too large by less than 1 / divisor_.
            return static_cast<std::uint64_t>(static_cast<Product>(2 * static_cast<std::uint64_t>(dist)) * factor_ >>
                                              64);
        } else {
            const auto number = static_cast<std::uint64_t>(dist);
            return power_of_two_ ? number >> shift_ : number / divisor_;
        }
    }

    // The level of a queue entry.
    template <class Item>
        requires requires(const Item& item) { item.dist; }
    std::uint64_t operator()(const Item& item) const {
        return (*this)(item.dist);
    }

    // The lower bound of a level's distances, exactly: if the level is that of a distance, so is that of its bound.
    // Threads that publish bounds and compare their levels would wait for each other otherwise.
    D begin(std::uint64_t level) const {
        if constexpr (real) {
            const D bound = static_cast<D>(static_cast<double>(level) * width_);
            return power_of_two_ && level <= whole ? bound : least_of(level, bound);
        } else {
            return static_cast<D>(level * divisor_);
        }
    }

    // The upper bound of a level's distances, exclusive: the lower bound of the next level.
    D end(std::uint64_t level) const {
        if constexpr (real)
            return begin(level + 1);
        else
            return level < static_cast<std::uint64_t>(std::numeric_limits<D>::max()) / divisor_
                       ? static_cast<D>((level + 1) * divisor_)
                       : std::numeric_limits<D>::max();
    }

    // The level of the lower bound of a level of another width.
    std::uint64_t level_of(std::uint64_t level, const Leveling& other) const {
        if constexpr (real) {
            const double scaled = static_cast<double>(level) * (other.width_ * scale_);
            return scaled < 0x1p62 ? static_cast<std::uint64_t>(scaled) : highest;
        } else {
            return static_cast<std::uint64_t>(static_cast<Product>(level) * other.divisor_ / divisor_);
        }
    }

    // The width that is 2^more times this one, clamped. For integers it is rounded down anew, so the way back leads to
    // this width again.
    Leveling wider(int more) const { return Leveling(std::ldexp(width_, more)); }

    // The width of the buckets.
    double width() const {
        if constexpr (real)
            return width_;
        else
            return static_cast<double>(divisor_);
    }

  private:
    __extension__ using Product = unsigned __int128;

    static constexpr bool real = std::is_floating_point_v<D>;
    // Bounds of levels must be representable, and the scale finite: float has multiples of 2^-149.
    static constexpr double narrowest = std::is_same_v<D, float> ? 0x1p-149 : real ? 0x1p-1000 : 1;
    static constexpr double widest =
        real ? 0x1p1000 : static_cast<double>(std::uint64_t{1} << (std::numeric_limits<D>::digits - 1));
    static constexpr std::uint64_t highest = std::uint64_t{1} << 62; // level of floats
    // The whole numbers up to which floats leave none out.
    static constexpr std::uint64_t whole = std::uint64_t{1} << (real ? std::numeric_limits<D>::digits : 0);

    // The least distance of a level, or of the next level that has one, near an estimate of it.
    D least_of(std::uint64_t level, D bound) const {
        if (level > highest)
            return std::numeric_limits<D>::infinity();
        while ((*this)(bound) < level)
            bound = std::nextafter(bound, std::numeric_limits<D>::infinity());
        for (D below; bound > 0; bound = below)
            if (below = std::nextafter(bound, D{0}); (*this)(below) < level)
                break;
        return bound;
    }

    double width_; // for integers before rounding
    bool power_of_two_;
    double scale_ = 1;                       // floats
    std::uint64_t divisor_ = 1, factor_ = 0; // integers
    int shift_ = 0;                          // integers of 64 bits
};

} // namespace pathfront
