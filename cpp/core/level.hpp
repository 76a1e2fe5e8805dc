// Distances to levels: the number of the bucket of width delta that a distance lies in.
//
// Delta is a power of two, so that for integers a shift will do and for floats the product is exact. Levels never fall
// as distances rise, which is all that correctness needs; distances beyond 2^62 widths share the last level.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace pathfront {

template <class D>
class Leveling {
  public:
    // Widths are 2^exponent, for integers at least 1.
    explicit Leveling(int exponent) : exponent_(exponent) {
        if constexpr (std::is_floating_point_v<D>)
            scale_ = std::ldexp(1.0, -exponent);
    }

    std::uint64_t operator()(D dist) const {
        if constexpr (std::is_floating_point_v<D>) {
            const double scaled = static_cast<double>(dist) * scale_;
            return scaled < 0x1p62 ? static_cast<std::uint64_t>(scaled) : std::uint64_t{1} << 62;
        } else {
            return static_cast<std::uint64_t>(dist) >> exponent_;
        }
    }

    int exponent() const { return exponent_; }
    double width() const { return std::ldexp(1.0, exponent_); }

  private:
    int exponent_;
    double scale_ = 1;
};

} // namespace pathfront
