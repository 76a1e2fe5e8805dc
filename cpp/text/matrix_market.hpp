// The entries of a Matrix Market file, `row column [value]` from 1, below a banner and a size line that the
// caller has read already. `%` starts a comment; blank lines are allowed.
#pragma once

#include "text/dimacs.hpp"

namespace pathfront {

struct MatrixSize {
    std::size_t begin; // where the entries begin
    std::uint64_t n, entries;
};

enum class MatrixField { pattern, integer, real };

inline TextArcs parse_matrix_entries(std::string_view text, const MatrixSize& size, MatrixField field, Watch& watch) {
    Cursor cursor(text);
    cursor.skip(size.begin);
    TextArcs arcs;
    arcs.n = size.n;
    arcs.weights = WeightColumn(field == MatrixField::real);
    const std::size_t plausible = std::min<std::uint64_t>(size.entries, cursor.left() / 4 + 1);
    arcs.tails.reserve(plausible);
    arcs.heads.reserve(plausible);
    if (field != MatrixField::pattern)
        arcs.weights.reserve(plausible);
    std::size_t last = cursor.offset();
    while (!cursor.at_end()) {
        cursor.skip_blanks();
        if (cursor.at_line_end() || cursor.peek() == '%') {
            cursor.skip_line();
            continue;
        }
        arcs.tails.push_back(detail::take_vertex(cursor, size.n));
        arcs.heads.push_back(detail::take_vertex(cursor, size.n));
        if (field != MatrixField::pattern) {
            cursor.skip_blanks();
            arcs.weights.take(cursor);
        }
        cursor.expect_line_end();
        if (arcs.tails.size() % lines_between_ticks == 0) {
            watch.tick(static_cast<std::int64_t>(cursor.offset() - last), cursor.fraction());
            last = cursor.offset();
        }
    }
    detail::expect_count(cursor, arcs.tails.size(), size.entries, "entries");
    return arcs;
}

} // namespace pathfront
