// Plain edge lists, as SNAP and many others publish them: two ids a line, perhaps a weight, separated by blanks, tabs
// or commas; `#` and `%` start comments. The caller interprets the ids (gaps, names, a header line).
#pragma once

#include <vector>

#include "text/arcs.hpp"

namespace pathfront {

struct TextEdges {
    std::vector<std::uint64_t> tails, heads;
    WeightColumn weights;
    int columns = 0; // 2 or 3, the same on every line; 0 for a file without edges
};

inline TextEdges parse_edge_list(std::string_view text, Watch& watch) {
    Cursor cursor(text);
    TextEdges edges;
    detail::for_lines(cursor, watch, [&] {
        if (cursor.skip_comment('#', '%'))
            return;
        edges.tails.push_back(cursor.take_uint("a vertex id"));
        cursor.skip_blanks(',');
        edges.heads.push_back(cursor.take_uint("a vertex id"));
        cursor.skip_blanks(',');
        const int columns = cursor.at_line_end() ? 2 : 3;
        if (edges.columns == 0)
            edges.columns = columns;
        if (columns != edges.columns)
            cursor.fail("this line has " + std::to_string(columns) + " columns, the first one " +
                        std::to_string(edges.columns));
        if (columns == 3)
            edges.weights.take(cursor);
        cursor.expect_line_end();
    });
    return edges;
}

} // namespace pathfront
