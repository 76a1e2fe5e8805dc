// Rows of arcs in a word each, the head and what it weighs together: half as long as others, and in one place.
#pragma once

#include <bit>
#include <cstdint>

#include "core/csr.hpp"

namespace pathfront {

// Bits that the head of an arc takes; the others are the weight's.
inline unsigned bits_of_head(Vertex n) { return static_cast<unsigned>(std::bit_width(n - 1)); }

struct PackedRows {
    PackedRows() = default;
    PackedRows(Vertex vertices, const std::uint32_t* row_offsets, const std::uint32_t* words)
        : n(vertices), offsets(row_offsets), arcs(words), weight_shift(bits_of_head(n)),
          head_mask(static_cast<Vertex>((std::uint64_t{1} << weight_shift) - 1)) {}

    Offset m() const { return offsets[n]; }
    Vertex head(Offset arc) const { return arcs[arc] & head_mask; }
    std::uint32_t weight(Offset arc) const { return arcs[arc] >> weight_shift; }

    Vertex n = 0;
    const std::uint32_t* offsets = nullptr; // n + 1 of them
    const std::uint32_t* arcs = nullptr;
    unsigned weight_shift = 0; // less than 32: at least one bit is the weight's
    Vertex head_mask = 0;
};

} // namespace pathfront
