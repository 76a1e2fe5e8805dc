// Numbers of a fixed count of words, for sums that must be exact: multiples of a unit, which is a power of two that is
// the same for all numbers of a computation and therefore not stored. Two's complement, as integers have it.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/distance.hpp"

namespace pathfront {

template <int words>
struct FixedPoint {
    std::array<std::uint64_t, words> word; // the lowest first

    // magnitude * 2^shift, or its opposite. It must fit.
    static constexpr FixedPoint of(std::uint64_t magnitude, bool negative, unsigned shift) {
        FixedPoint out{};
        const std::size_t at = shift / 64;
        out.word[at] = magnitude << shift % 64;
        if (shift % 64 != 0 && at + 1 < words)
            out.word[at + 1] = magnitude >> (64 - shift % 64);
        return negative ? -out : out;
    }

    constexpr bool is_negative() const { return word[words - 1] >> 63 != 0; }

    constexpr FixedPoint operator-() const {
        FixedPoint out{};
        bool carry = true;
        for (std::size_t i = 0; i < words; ++i) {
            out.word[i] = ~word[i] + carry;
            carry = carry && out.word[i] == 0;
        }
        return out;
    }

    friend constexpr FixedPoint operator+(const FixedPoint& a, const FixedPoint& b) {
        FixedPoint out{};
        bool carry = false;
        for (std::size_t i = 0; i < words; ++i) {
            const std::uint64_t sum = a.word[i] + b.word[i];
            out.word[i] = sum + carry;
            carry = sum < a.word[i] || out.word[i] < sum;
        }
        return out;
    }

    friend constexpr bool operator==(const FixedPoint&, const FixedPoint&) = default;

    friend constexpr std::strong_ordering operator<=>(const FixedPoint& a, const FixedPoint& b) {
        if (a.is_negative() != b.is_negative())
            return a.is_negative() ? std::strong_ordering::less : std::strong_ordering::greater;
        for (std::size_t i = words; i-- > 0;)
            if (a.word[i] != b.word[i])
                return a.word[i] <=> b.word[i];
        return std::strong_ordering::equal;
    }
};

namespace detail {

template <int words>
constexpr FixedPoint<words> greatest(std::uint64_t lowest_word) {
    FixedPoint<words> out{};
    out.word.fill(~std::uint64_t{0});
    out.word[0] = lowest_word;
    out.word[words - 1] >>= 1;
    return out;
}

} // namespace detail

template <int words>
inline constexpr FixedPoint<words> unreached<FixedPoint<words>> = detail::greatest<words>(~std::uint64_t{0});

template <int words>
inline constexpr FixedPoint<words> largest_distance<FixedPoint<words>> = detail::greatest<words>(~std::uint64_t{1});

// There are words enough for every sum: see `with_exact_weights`.
template <int words>
constexpr bool add_checked(const FixedPoint<words>& dist, const FixedPoint<words>& weight, FixedPoint<words>& sum) {
    sum = dist + weight;
    return true;
}

// The number nearest to value * 2^unit, of two the even one; infinite beyond the range of F.
template <class F, int words>
F to_float(const FixedPoint<words>& value, int unit) {
    const bool negative = value.is_negative();
    const FixedPoint<words> size = negative ? -value : value;
    int top = words - 1;
    while (top > 0 && size.word[top] == 0)
        --top;
    if (size.word[top] == 0)
        return 0;
    // the leading 64 bits, of which the last also says whether any bit below is set: enough to round once
    const int shift = std::countl_zero(size.word[top]);
    std::uint64_t leading = size.word[top] << shift;
    bool more = false;
    if (top > 0) {
        leading |= shift == 0 ? 0 : size.word[top - 1] >> (64 - shift);
        more = size.word[top - 1] << shift != 0;
        for (int i = 0; i < top - 1; ++i)
            more = more || size.word[i] != 0;
    }
    // exact, also among the subnormal numbers: these have no bits below the unit that could be rounded
    const F rounded = std::ldexp(static_cast<F>(leading | static_cast<std::uint64_t>(more)), unit + 64 * top - shift);
    return negative ? -rounded : rounded;
}

// The distance nearest to value * 2^unit; false if it is beyond the range of D. The unit of integers is 1.
template <class D, int words>
bool to_distance(const FixedPoint<words>& value, int unit, D& out) {
    if constexpr (std::is_floating_point_v<D>) {
        out = to_float<D>(value, unit);
        return std::isfinite(out);
    } else {
        out = static_cast<D>(static_cast<std::int64_t>(value.word[0]));
        const auto bits = static_cast<std::uint64_t>(std::int64_t{out});
        return value == FixedPoint<words>::of(out < 0 ? -bits : bits, out < 0, 0) && out != unreached<D>;
    }
}

} // namespace pathfront
