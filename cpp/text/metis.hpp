// METIS graphs: a header `n m [fmt [ncon]]`, then line i with the neighbours of vertex i, counted from 1. fmt
// is three flags, vertex sizes / vertex weights / edge weights; sizes and vertex weights are ignored, since
// paths do not depend on them. `%` starts a comment; an empty line is a vertex without neighbours.
#pragma once

#include <algorithm>
#include <vector>

#include "text/arcs.hpp"

namespace pathfront {

struct TextRows {
    std::uint64_t n = 0;
    std::vector<Offset> offsets{0};
    std::vector<Vertex> heads;
    WeightColumn weights;
    bool weighted = false;
};

inline TextRows parse_metis(std::string_view text, Watch& watch) {
    Cursor cursor(text);
    auto skip_comments = [&] {
        while (cursor.peek() == '%')
            cursor.skip_line();
    };
    auto more_on_line = [&] {
        cursor.skip_blanks();
        return !cursor.at_line_end();
    };

    skip_comments();
    cursor.skip_blanks();
    TextRows rows;
    rows.n = cursor.take_uint("the number of vertices", most_vertices);
    cursor.skip_blanks();
    const std::uint64_t m = cursor.take_uint("the number of edges", UINT64_MAX / 2);
    std::uint64_t flags = 0, constraints = 0;
    if (more_on_line()) {
        flags = cursor.take_uint("the format flags", 111);
        if (flags % 10 > 1 || flags / 10 % 10 > 1)
            cursor.fail("the format flags are " + std::to_string(flags) + ", but each digit must be 0 or 1");
    }
    if (flags / 10 % 10 == 1)
        constraints = 1;
    if (more_on_line())
        constraints = cursor.take_uint("the number of vertex weights", 1024);
    cursor.expect_line_end();
    rows.weighted = flags % 10 == 1;
    const std::uint64_t ignored = flags / 100 + constraints;

    rows.offsets.reserve(std::min<std::uint64_t>(rows.n, cursor.left()) + 1);
    rows.heads.reserve(std::min<std::uint64_t>(2 * m, cursor.left() / 2 + 1));
    for (std::uint64_t v = 0; v < rows.n; ++v) {
        skip_comments();
        if (cursor.at_end())
            cursor.fail("the header promises " + std::to_string(rows.n) + " vertices, but the file has lines for " +
                        std::to_string(v) + "; is it cut short?");
        const std::size_t start = cursor.offset();
        for (std::uint64_t i = 0; i < ignored; ++i) {
            cursor.skip_blanks();
            cursor.take_uint("a vertex weight");
        }
        while (more_on_line()) {
            rows.heads.push_back(detail::take_vertex(cursor, rows.n));
            if (rows.weighted) {
                cursor.skip_blanks();
                rows.weights.take(cursor);
            }
        }
        cursor.expect_line_end();
        rows.offsets.push_back(static_cast<Offset>(rows.heads.size()));
        watch.tick(static_cast<std::int64_t>(cursor.offset() - start), cursor.fraction());
    }
    for (; !cursor.at_end(); cursor.skip_line()) {
        cursor.skip_blanks();
        if (!cursor.at_line_end() && cursor.peek() != '%')
            cursor.fail("more lines than the " + std::to_string(rows.n) + " vertices that the header promises");
    }
    detail::expect_count(cursor, rows.heads.size(), 2 * m, "neighbours (two for each edge)");
    return rows;
}

} // namespace pathfront
