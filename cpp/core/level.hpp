// Levels of distances: the index of the bucket of width delta that holds a distance.
//
// Delta is a power of two, so that integers need only a shift and for floats the product is exact. Levels are monotone
// in the distance, which is all that correctness needs; float distances beyond 2^62 deltas share the last level.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace pathfront {

template <class D>
class Leveling {
  public:
    // The width is 2^exponent, for integers at least 1, for floats at least 2^lowest_exponent.
    explicit Leveling(int exponent) : exponent_(std::max(exponent, lowest_exponent)) {
        if constexpr (std::is_floating_point_v<D>)
            scale_ = std::ldexp(1.0, -exponent_);
    }

    std::uint64_t operator()(D dist) const {
        if constexpr (std::is_floating_point_v<D>) {
            const double scaled = static_cast<double>(dist) * scale_;
            return scaled < 0x1p62 ? static_cast<std::uint64_t>(scaled) : std::uint64_t{1} << 62;
        } else {
            return static_cast<std::uint64_t>(dist) >> exponent_;
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
        if constexpr (std::is_floating_point_v<D>)
            return static_cast<D>(std::ldexp(static_cast<double>(level), exponent_));
        else
            return static_cast<D>(level << exponent_);
    }

    // The upper bound of a level's distances, exclusive: the lower bound of the next level.
    D end(std::uint64_t level) const {
        const double beyond = std::ldexp(static_cast<double>(level + 1), exponent_);
        if constexpr (std::is_floating_point_v<D>)
            return static_cast<D>(beyond);
        else
            return beyond < static_cast<double>(std::numeric_limits<D>::max())
                       ? static_cast<D>((level + 1) << exponent_)
                       : std::numeric_limits<D>::max();
    }

    // The width that is 2^more times this one, clamped to the allowed exponents.
    Leveling wider(int more) const { return Leveling(std::clamp(exponent_ + more, lowest_exponent, highest_exponent)); }

    int exponent() const { return exponent_; }
    double width() const { return std::ldexp(1.0, exponent_); }

  private:
    // Bounds of levels must be representable, and the scale finite: float has multiples of 2^-149.
    static constexpr int lowest_exponent = std::is_same_v<D, float> ? -149 : std::is_same_v<D, double> ? -1000 : 0;
    static constexpr int highest_exponent = std::is_floating_point_v<D> ? 1000 : std::numeric_limits<D>::digits - 1;

    int exponent_;
    double scale_ = 1;
};

} // namespace pathfront
