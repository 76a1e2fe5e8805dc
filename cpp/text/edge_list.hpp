// Plain edge lists, as SNAP and many others publish them: two ids a line, perhaps a weight, separated by
// blanks, tabs or commas; `#` and `%` start comments. What the ids mean (gaps, names, a header line) is for
// the caller to decide.
#pragma once

#include <vector>

#include "core/watch.hpp"
#include "text/dimacs.hpp"

namespace pathfront {

struct TextEdges {
    std::vector<std::uint64_t> tails, heads;
    WeightColumn weights;
    int columns = 0; // 2 or 3, the same on every line; 0 for a file without edges
};

inline TextEdges parse_edge_list(std::string_view text, Watch& watch) {
    Cursor cursor(text);
    TextEdges edges;
    std::size_t last = 0;
    while (!cursor.at_end()) {
        cursor.skip_blanks();
        if (cursor.at_line_end() || cursor.peek() == '#' || cursor.peek() == '%') {
            cursor.skip_line();
            continue;
        }
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
        if (edges.tails.size() % lines_between_ticks == 0) {
            watch.tick(static_cast<std::int64_t>(cursor.offset() - last), cursor.fraction());
            last = cursor.offset();
        }
    }
    return edges;
}

} // namespace pathfront
