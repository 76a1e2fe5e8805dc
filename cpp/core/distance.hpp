// Arithmetic on distances. A sum beyond the range of the distance type is never used: add_checked() returns false, and
// the caller reports the overflow, so that the search can be repeated with a wider type.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace pathfront {

template <class D>
inline constexpr D unreached =
    std::is_floating_point_v<D> ? std::numeric_limits<D>::infinity() : std::numeric_limits<D>::max();

template <class D>
inline constexpr D largest_distance =
    std::is_floating_point_v<D> ? std::numeric_limits<D>::max() : std::numeric_limits<D>::max() - 1;

// dist + weight where the sum is known to fit.
template <class D, class W>
constexpr D add(D dist, W weight) {
    return static_cast<D>(dist + static_cast<D>(weight));
}

// dist + weight for any weight, negative ones included; false when the sum is out of range.
template <class D, class W>
constexpr bool add_checked(D dist, W weight, D& sum) {
    if constexpr (std::is_floating_point_v<D>) {
        sum = add(dist, weight);
        return sum < unreached<D> && sum > -unreached<D>;
    } else {
        const D step = static_cast<D>(weight);
        if constexpr (std::is_signed_v<D>) {
            if (step < 0 && dist < std::numeric_limits<D>::min() - step)
                return false;
        } else if (step > largest_distance<D>) {
            return false;
        }
        if (step > 0 && dist > largest_distance<D> - step)
            return false;
        sum = static_cast<D>(dist + step);
        return true;
    }
}

// A non-negative distance as an unsigned integer of the same order: non-negative IEEE numbers compare like their bit
// patterns.
template <class D>
using KeyOf = std::conditional_t<sizeof(D) == 4, std::uint32_t, std::uint64_t>;

template <class D>
constexpr KeyOf<D> to_key(D dist) {
    return std::bit_cast<KeyOf<D>>(dist);
}

template <class D>
constexpr D from_key(KeyOf<D> key) {
    return std::bit_cast<D>(key);
}

} // namespace pathfront
