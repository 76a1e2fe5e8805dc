// The DIMACS family: `c` comments, one `p` line, then `a u v w` arcs (shortest paths), `u v` edges (PACE treewidth) or
// `v id x y` coordinates. Vertices count from 1. The counts of the header are checked against the text before memory is
// reserved for them.
#pragma once

#include <vector>

#include "text/arcs.hpp"

namespace pathfront {

namespace detail {

// Skips comments up to the `p` line and reads the numbers of vertices and arcs; returns the latter.
inline std::uint64_t take_dimacs_header(Cursor& cursor, std::string_view kind, std::uint64_t& n) {
    while (cursor.skip_comment('c', 'c'))
        if (cursor.at_end())
            cursor.fail("no line 'p " + std::string(kind) + " ...' in the file");
    if (!cursor.take_word("p"))
        cursor.fail("'p " + std::string(kind) + " N M' expected first, but " + cursor.quoted_word() + " found");
    if (!cursor.take_word(kind))
        cursor.fail("'p " + std::string(kind) + "' expected, but 'p' is followed by " +
                    (cursor.skip_blanks(), cursor.quoted_word()));
    n = cursor.next_uint("the number of vertices", most_vertices);
    const std::uint64_t m = cursor.next_uint("the number of arcs");
    cursor.expect_line_end();
    return m;
}

// An arc in the usual form, `a U V W` with small numbers; anything else is left for take_dimacs_line.
inline bool take_plain_arc(Cursor& cursor, TextArcs& arcs) {
    std::uint32_t tail, head, weight;
    if (!arcs.weights.is_small() || !cursor.starts_with("a "))
        return false;
    Cursor ahead = cursor;
    ahead.skip(2);
    if (!ahead.take_plain_line(tail, head, weight) || tail - 1 >= arcs.n || head - 1 >= arcs.n)
        return false;
    cursor = ahead;
    arcs.tails.push_back(tail - 1);
    arcs.heads.push_back(head - 1);
    arcs.weights.add_small(weight);
    return true;
}

// Any line: a comment, a blank one, or an arc with any blanks and numbers. Not inlined: the loop over plain arcs is 8%
// faster without it.
[[gnu::noinline]] inline void take_dimacs_line(Cursor& cursor, bool weighted, TextArcs& arcs) {
    if (cursor.skip_comment('c', 'c'))
        return;
    if (weighted && !cursor.take_word("a"))
        cursor.fail("'a', 'c' or a blank line expected, but " + cursor.quoted_word() + " found");
    take_arc(cursor, weighted, arcs);
}

} // namespace detail

// `weighted`: `p sp N M` and `a u v w`; otherwise `p tw N M` and `u v`.
inline TextArcs parse_dimacs(std::string_view text, bool weighted, Watch& watch) {
    Cursor cursor(text);
    TextArcs arcs;
    const std::uint64_t m = detail::take_dimacs_header(cursor, weighted ? "sp" : "tw", arcs.n);
    arcs.reserve(m, cursor, weighted);
    std::size_t last = cursor.offset();
    while (!cursor.at_end()) { // not for_lines(): its lambda makes this parser 16% slower
        if (!(weighted && detail::take_plain_arc(cursor, arcs)))
            detail::take_dimacs_line(cursor, weighted, arcs);
        if (arcs.tails.size() % lines_between_ticks == 0) {
            watch.tick(static_cast<std::int64_t>(cursor.offset() - last), cursor.fraction());
            last = cursor.offset();
        }
    }
    detail::expect_count(cursor, arcs.tails.size(), m, weighted ? "arcs" : "edges");
    return arcs;
}

// `p aux sp co N` and `v id x y`: 2 n numbers, vertex by vertex; every vertex must have its line.
inline std::vector<std::int64_t> parse_coordinates(std::string_view text, Watch& watch) {
    Cursor cursor(text);
    while (!cursor.at_end() && cursor.skip_comment('c', 'c')) {
    }
    for (const char* word : {"p", "aux", "sp", "co"})
        if (!cursor.take_word(word))
            cursor.fail("'p aux sp co N' expected, but " + cursor.quoted_word() + " found");
    const std::uint64_t n = cursor.next_uint("the number of vertices", most_vertices);
    cursor.expect_line_end();
    if (n > cursor.left() / 4) // the text is too short for the lines
        detail::expect_count(cursor, cursor.left() / 4, n, "coordinates");
    std::vector<std::int64_t> coordinates(2 * n);
    std::vector<bool> known(n);
    std::uint64_t count = 0;
    auto take_int = [&](std::int64_t& value) {
        cursor.skip_blanks();
        const bool negative = cursor.peek() == '-';
        if (negative)
            cursor.step();
        const auto size = static_cast<std::int64_t>(cursor.take_uint("a coordinate", INT64_MAX));
        value = negative ? -size : size;
    };
    detail::for_lines(cursor, watch, [&] {
        if (cursor.skip_comment('c', 'c'))
            return;
        if (!cursor.take_word("v"))
            cursor.fail("'v', 'c' or a blank line expected, but " + cursor.quoted_word() + " found");
        const Vertex v = detail::take_vertex(cursor, n);
        if (known[v])
            cursor.fail("vertex " + std::to_string(v + 1) + " has coordinates already");
        known[v] = true;
        take_int(coordinates[2 * std::size_t{v}]);
        take_int(coordinates[2 * std::size_t{v} + 1]);
        cursor.expect_line_end();
        ++count;
    });
    detail::expect_count(cursor, count, n, "coordinates");
    return coordinates;
}

} // namespace pathfront
