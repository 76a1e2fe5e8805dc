// The entries of a Matrix Market file, `row column [value]` from 1, below a banner and a size line that the
// caller has read already. `%` starts a comment; blank lines are allowed.
#pragma once

#include "text/arcs.hpp"

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
    const bool weighted = field != MatrixField::pattern;
    arcs.reserve(size.entries, cursor, weighted);
    detail::for_lines(cursor, watch, [&] {
        if (!cursor.skip_comment('%', '%'))
            detail::take_arc(cursor, weighted, arcs);
    });
    detail::expect_count(cursor, arcs.tails.size(), size.entries, "entries");
    return arcs;
}

} // namespace pathfront
