// METIS graphs: a header `n m [fmt [ncon]]`, then line i with the neighbours of vertex i, counted from 1. fmt is three
// flags, vertex sizes / vertex weights / edge weights; sizes and vertex weights are ignored, since paths do not depend
// on them. `%` starts a comment; an empty line is a vertex without neighbours.
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

namespace detail {

struct MetisHeader {
    std::uint64_t m;
    std::uint64_t ignored; // numbers at the start of a vertex's line
};

inline void skip_metis_comments(Cursor& cursor) {
    while (cursor.peek() == '%')
        cursor.skip_line();
}

inline bool more_on_line(Cursor& cursor) {
    cursor.skip_blanks();
    return !cursor.at_line_end();
}

// Reads the header; sets the rows' `n` and `weighted`.
inline MetisHeader take_metis_header(Cursor& cursor, TextRows& rows) {
    skip_metis_comments(cursor);
    rows.n = cursor.next_uint("the number of vertices", most_vertices);
    const std::uint64_t m = cursor.next_uint("the number of edges", UINT64_MAX / 2);
    std::uint64_t flags = 0;
    if (more_on_line(cursor)) {
        flags = cursor.take_uint("the format flags", 111);
        if (flags % 10 > 1 || flags / 10 % 10 > 1)
            cursor.fail("the format flags are " + std::to_string(flags) + ", but each digit must be 0 or 1");
    }
    std::uint64_t constraints = flags / 10 % 10;
    if (more_on_line(cursor))
        constraints = cursor.take_uint("the number of vertex weights", 1024);
    cursor.expect_line_end();
    rows.weighted = flags % 10 == 1;
    return {m, flags / 100 + constraints};
}

} // namespace detail

inline TextRows parse_metis(std::string_view text, Watch& watch) {
    Cursor cursor(text);
    TextRows rows;
    const detail::MetisHeader header = detail::take_metis_header(cursor, rows);
    rows.offsets.reserve(std::min<std::uint64_t>(rows.n, cursor.left()) + 1);
    rows.heads.reserve(std::min<std::uint64_t>(2 * header.m, cursor.left() / 2 + 1));
    for (std::uint64_t v = 0; v < rows.n; ++v) {
        detail::skip_metis_comments(cursor);
        if (cursor.at_end())
            cursor.fail("the header promises " + std::to_string(rows.n) + " vertices, but the file has lines for " +
                        std::to_string(v) + "; is it cut short?");
        const std::size_t start = cursor.offset();
        for (std::uint64_t i = 0; i < header.ignored; ++i)
            cursor.next_uint("a vertex weight");
        while (detail::more_on_line(cursor)) {
            rows.heads.push_back(detail::take_vertex(cursor, rows.n));
            if (rows.weighted)
                rows.weights.take(cursor);
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
    detail::expect_count(cursor, rows.heads.size(), 2 * header.m, "neighbours (two for each edge)");
    return rows;
}

} // namespace pathfront
