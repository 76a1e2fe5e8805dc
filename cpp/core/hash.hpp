// A hash of 64 bits.
#pragma once

#include <cstdint>

namespace pathfront {

// The finaliser of splitmix64 (Steele, Lea, Flood 2014), a bijection that mixes every bit into every other.
constexpr std::uint64_t mix(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

} // namespace pathfront
