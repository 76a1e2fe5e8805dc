// Compressed sparse rows with the head and the weight of an arc in one 32-bit word: half the size, one memory access.
#pragma once

#include <bit>
#include <cstdint>

#include "core/csr.hpp"

namespace pathfront {

// The low bits of an arc's word hold the head, the others the weight.
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
    const std::uint32_t* offsets = nullptr; // n + 1 entries
    const std::uint32_t* arcs = nullptr;
    unsigned weight_shift = 0; // less than 32: the weight has at least one bit
    Vertex head_mask = 0;
};

} // namespace pathfront
