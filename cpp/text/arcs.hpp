// Shared by the readers of all text formats: the arcs read so far, the loop over lines, the checks of the header.
#pragma once

#include <algorithm>
#include <vector>

#include "core/csr.hpp"
#include "core/watch.hpp"
#include "text/weights.hpp"

namespace pathfront {

inline constexpr std::uint64_t most_vertices = no_vertex - 1u;
inline constexpr std::size_t lines_between_ticks = 4096;

struct TextArcs {
    std::uint64_t n = 0;
    std::vector<Vertex> tails, heads;
    WeightColumn weights;

    // Reserves memory for as many arcs as the header declares, but not for more than the rest of the text can hold.
    void reserve(std::uint64_t declared, const Cursor& cursor, bool weighted) {
        const std::size_t plausible = std::min<std::uint64_t>(declared, cursor.left() / 4 + 1);
        tails.reserve(plausible);
        heads.reserve(plausible);
        if (weighted)
            weights.reserve(plausible);
    }
};

namespace detail {

// Calls take_line() for each line up to the end of the text.
template <class TakeLine>
void for_lines(Cursor& cursor, Watch& watch, TakeLine&& take_line) {
    std::size_t last = cursor.offset();
    for (std::size_t lines = 1; !cursor.at_end(); ++lines) {
        take_line();
        if (lines % lines_between_ticks == 0) {
            watch.tick(static_cast<std::int64_t>(cursor.offset() - last), cursor.fraction());
            last = cursor.offset();
        }
    }
}

inline Vertex take_vertex(Cursor& cursor, std::uint64_t n) {
    cursor.skip_blanks();
    const std::size_t at = cursor.offset();
    const std::uint64_t id = cursor.take_uint("a vertex");
    if (id == 0 || id > n)
        throw ParseError(at, "vertex " + std::to_string(id) + " is not in 1.." + std::to_string(n));
    return static_cast<Vertex>(id - 1);
}

// The rest of an arc's line: two vertices, and a weight if `weighted`.
inline void take_arc(Cursor& cursor, bool weighted, TextArcs& arcs) {
    arcs.tails.push_back(take_vertex(cursor, arcs.n));
    arcs.heads.push_back(take_vertex(cursor, arcs.n));
    if (weighted)
        arcs.weights.take(cursor);
    cursor.expect_line_end();
}

inline void expect_count(const Cursor& cursor, std::uint64_t found, std::uint64_t declared, const char* what) {
    if (found != declared)
        cursor.fail("the header promises " + std::to_string(declared) + " " + what + ", but the file holds " +
                    std::to_string(found) + (found < declared ? "; is it cut short?" : ""));
}

} // namespace detail

} // namespace pathfront
