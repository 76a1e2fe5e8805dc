// Counter-based random numbers: the i-th number of a stream is a hash of (seed, stream, i). Any thread can compute
// any part of a stream, so a graph does not depend on the thread count, and only integer and basic IEEE
// operations are used, so it does not depend on the machine either.
#pragma once

#include <cstdint>

#include "core/blocks.hpp"
#include "core/csr.hpp"
#include "core/hash.hpp"

namespace pathfront {

inline constexpr std::int64_t random_block = 1 << 15;

class Stream {
  public:
    // Two streams of one seed never share a key: every step from the stream's number to the key is a bijection.
    Stream(std::uint64_t seed, std::uint64_t stream) : key_(mix(mix(seed) ^ (stream * 0xD1342543DE82EF95u + 1))) {}

    std::uint64_t at(std::uint64_t i) const { return mix(key_ ^ mix(i)); }

    // In [0, bound): the high half of a 128-bit product (Lemire 2019), in 64-bit steps to stay portable.
    // Without rejection, so a value is up to bound / 2^64 likelier than another, which cannot be measured for
    // vertices. The bound is less than 2^64.
    std::uint64_t below(std::uint64_t i, std::uint64_t bound) const { return scale(at(i), bound); }

    // In [0, 1), every multiple of 2^-53 equally likely.
    double unit(std::uint64_t i) const { return to_unit(at(i)); }

    static constexpr double to_unit(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

    static constexpr std::uint64_t scale(std::uint64_t bits, std::uint64_t bound) {
        const std::uint64_t low = bits & 0xFFFFFFFFu, high = bits >> 32;
        const std::uint64_t bound_low = bound & 0xFFFFFFFFu, bound_high = bound >> 32;
        const std::uint64_t a = high * bound_low, b = low * bound_high;
        const std::uint64_t carry = ((low * bound_low) >> 32) + (a & 0xFFFFFFFFu) + (b & 0xFFFFFFFFu);
        return high * bound_high + (a >> 32) + (b >> 32) + (carry >> 32);
    }

  private:
    std::uint64_t key_;
};

// Writes make(i) to out[i] for all i, in parallel.
template <class T, class Make>
void fill_random(T* out, std::int64_t count, unsigned threads, Watch& watch, Make&& make) {
    for_blocks(threads, count, random_block, watch, [&](unsigned, std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            out[i] = make(static_cast<std::uint64_t>(i));
    });
}

// Calls take(arc, bits) with random bits for each arc: a hash of its index in a directed graph, of its two ends in an
// undirected one, so that both arcs of an edge get the same (parallel undirected edges too: they cannot be told apart).
template <class Take>
void for_arc_noise(const Csr<Hop>& graph, bool directed, const Stream& stream, unsigned threads, Watch& watch,
                   Take&& take) {
    for_arcs(graph, threads, watch, [&](std::uint64_t u, std::uint64_t v, Offset arc) {
        const std::uint64_t ends = u < v ? u << 32 | v : v << 32 | u;
        take(arc, stream.at(directed ? static_cast<std::uint64_t>(arc) : ends));
    });
}

} // namespace pathfront
