// Recursive-matrix edges (Chakrabarti, Zhan, Faloutsos 2004; the Graph500 generator is one): each bit of the
// two ends is drawn with probabilities a, b, c, d for the four quadrants, then the ids are scrambled so that
// a vertex's number says nothing about its degree.
#pragma once

#include <cstdint>

#include "core/csr.hpp"
#include "generate/random.hpp"

namespace pathfront {

// A bijection on [0, 2^scale): odd multiplications and right shifts, each of which can be undone.
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

inline void rmat_edges(unsigned scale, std::int64_t count, double a, double b, double c, std::uint64_t seed,
                       Vertex* tails, Vertex* heads, unsigned threads, Watch& watch) {
    // 16 random bits choose a quadrant, so one 64-bit number serves four levels.
    const auto limit_a = static_cast<std::uint64_t>(a * 65536), limit_b = static_cast<std::uint64_t>((a + b) * 65536),
               limit_c = static_cast<std::uint64_t>((a + b + c) * 65536);
    const Stream stream(seed, 0);
    const Scramble scramble(mix(seed ^ 0x5C4A3B2D1E0F9786u), scale);
    const unsigned words = (scale + 3) / 4;
    for_blocks(threads, count, random_block, watch, [&](unsigned, std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            std::uint64_t tail = 0, head = 0, bits = 0;
            for (unsigned level = 0; level < scale; ++level) {
                if (level % 4 == 0)
                    bits = stream.at(static_cast<std::uint64_t>(i) * words + level / 4);
                const std::uint64_t draw = bits & 0xFFFF;
                bits >>= 16;
                // quadrants a, b, c, d add (0,0), (0,1), (1,0), (1,1), without a branch that cannot be
                // predicted
                const std::uint64_t beyond_b = draw >= limit_b;
                tail = tail << 1 | beyond_b;
                head = head << 1 | ((draw >= limit_a) ^ beyond_b ^ (draw >= limit_c));
            }
            tails[i] = static_cast<Vertex>(scramble(tail));
            heads[i] = static_cast<Vertex>(scramble(head));
        }
    });
}

} // namespace pathfront
