// Recursive-matrix edges (Chakrabarti, Zhan, Faloutsos 2004; the Graph500 generator is one): each bit of the
// two ends is drawn with probabilities a, b, c, d for the four quadrants, then the ids are scrambled so that
// a vertex's number does not depend on its degree.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/csr.hpp"
#include "generate/random.hpp"

namespace pathfront {

// A bijection on [0, 2^scale): odd multiplications and right shifts, each of which is invertible.
class Scramble {
  public:
    Scramble(std::uint64_t seed, unsigned scale)
        : mask_((std::uint64_t{1} << scale) - 1), shift_(scale / 2 + 1), odd_a_(mix(seed) | 1),
          odd_b_(mix(seed + 1) | 1), add_(mix(seed + 2)) {}

    std::uint64_t operator()(std::uint64_t x) const {
        x = (x * odd_a_ + add_) & mask_;
        x ^= x >> shift_;
        x = (x * odd_b_) & mask_;
        x ^= x >> shift_;
        return (x * odd_a_) & mask_;
    }

  private:
    std::uint64_t mask_;
    unsigned shift_;
    std::uint64_t odd_a_, odd_b_, add_;
};

// Draws edges of a graph with 2^scale vertices: the edge at a position is a hash of that position.
//
// 16 random bits choose a quadrant, so one 64-bit number serves four levels. The probabilities are therefore
// rounded to multiples of 2^-16: at most 8e-6 away, which over 20 levels changes an entry by 0.03 percent.
class RmatDraw {
  public:
    static constexpr unsigned batch = 256; // edges drawn in one loop, which the compiler can vectorize

    RmatDraw(unsigned scale, double a, double b, double c, std::uint64_t seed)
        : scale_(scale), words_((scale + 3) / 4), limit_a_(to_limit(a)), limit_b_(to_limit(a + b)),
          limit_c_(to_limit(a + b + c)), stream_(seed, 0), scramble_(mix(seed ^ 0x5C4A3B2D1E0F9786u), scale) {}

    // Draws the edges at positions first, first + 1, ...
    void operator()(std::uint64_t first, unsigned count, Vertex* tails, Vertex* heads) const {
        std::uint32_t low[batch], high[batch];
        std::fill_n(tails, count, 0);
        std::fill_n(heads, count, 0);
        for (unsigned word = 0; word < words_; ++word) {
            for (unsigned j = 0; j < count; ++j) {
                const std::uint64_t bits = stream_.at((first + j) * words_ + word);
                low[j] = static_cast<std::uint32_t>(bits);
                high[j] = static_cast<std::uint32_t>(bits >> 32);
            }
            const unsigned levels = std::min(scale_ - word * 4, 4u);
            for (unsigned level = 0; level < levels; ++level)
                descend(level < 2 ? low : high, level % 2 * 16, count, tails, heads);
        }
        for (unsigned j = 0; j < count; ++j) {
            tails[j] = static_cast<Vertex>(scramble_(tails[j]));
            heads[j] = static_cast<Vertex>(scramble_(heads[j]));
        }
    }

  private:
    static std::int32_t to_limit(double probability) {
        return static_cast<std::int32_t>(std::min(probability, 1.0) * 65536 + 0.5);
    }

    // One level: quadrants a, b, c, d append the bits (0,0), (0,1), (1,0), (1,1), without a branch.
    void descend(const std::uint32_t* bits, unsigned shift, unsigned count, Vertex* tails, Vertex* heads) const {
        for (unsigned j = 0; j < count; ++j) {
            const auto draw = static_cast<std::int32_t>(bits[j] >> shift & 0xFFFF);
            const Vertex beyond_a = draw >= limit_a_, beyond_b = draw >= limit_b_, beyond_c = draw >= limit_c_;
            tails[j] = tails[j] << 1 | beyond_b;
            heads[j] = heads[j] << 1 | (beyond_a ^ beyond_b ^ beyond_c);
        }
    }

    unsigned scale_, words_;
    std::int32_t limit_a_, limit_b_, limit_c_;
    Stream stream_;
    Scramble scramble_;
};

// Draws `count` edges among the vertices 0..n-1, where 2^(scale - 1) < n <= 2^scale. An edge with an end
// beyond n is drawn again, from positions that no other edge uses.
inline void rmat_edges(unsigned scale, std::uint64_t n, std::int64_t count, double a, double b, double c,
                       std::uint64_t seed, Vertex* tails, Vertex* heads, unsigned threads, Watch& watch) {
    const RmatDraw draw(scale, a, b, c, seed);
    for_blocks(threads, count, random_block, watch, [&](unsigned, std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; i += RmatDraw::batch) {
            const auto size = static_cast<unsigned>(std::min<std::int64_t>(RmatDraw::batch, end - i));
            draw(static_cast<std::uint64_t>(i), size, tails + i, heads + i);
            if (n == std::uint64_t{1} << scale)
                continue;
            for (std::int64_t j = i; j < i + size; ++j)
                for (auto again = static_cast<std::uint64_t>(j); tails[j] >= n || heads[j] >= n;)
                    draw(again += static_cast<std::uint64_t>(count), 1, tails + j, heads + j);
        }
    });
}

} // namespace pathfront
