// The graph in every native routine: a non-owning view of compressed sparse rows (CSR), already validated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace pathfront {

using Vertex = std::uint32_t;
using Offset = std::int64_t;

inline constexpr Vertex no_vertex = 0xFFFFFFFFu;

// The weight type of a graph without weights: every arc counts one hop.
struct Hop {};

template <class W>
struct Csr {
    Vertex n;
    const Offset* offsets; // n + 1 entries
    const Vertex* heads;
    const W* weights; // null for Hop

    Offset m() const { return offsets[n]; }
    Vertex head(Offset arc) const { return heads[arc]; }
    Vertex tail(Offset arc) const {
        return static_cast<Vertex>(std::upper_bound(offsets, offsets + n + 1, arc) - offsets - 1);
    }

    auto weight(Offset arc) const {
        if constexpr (std::is_same_v<W, Hop>)
            return std::uint32_t{1};
        else
            return weights[arc];
    }
};

} // namespace pathfront
