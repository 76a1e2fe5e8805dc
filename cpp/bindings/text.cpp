// Text parsers and writers.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>

#include "bindings/arrays.hpp"
#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/watching.hpp"
#include "text/dimacs.hpp"
#include "text/edge_list.hpp"
#include "text/matrix_market.hpp"
#include "text/metis.hpp"
#include "text/write.hpp"

namespace pathfront {
namespace {

using Bytes = In<std::uint8_t>;

// Runs parse(text, watch) without the interpreter lock and adds the line number to its errors.
template <class Parse>
auto parse_bytes(const Bytes& bytes, const Progress& progress, Parse&& parse) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    Watch watch = python_watch(progress);
    Unlocked unlocked;
    try {
        return parse(text, watch);
    } catch (const ParseError& error) {
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(error.offset), '\n');
        throw ParseError(error.offset, "line " + std::to_string(line) + ": " + error.what());
    }
}

nb::object column_to_numpy(WeightColumn& column) {
    return std::visit([](auto&& values) { return to_numpy(std::move(values)); }, column.finish());
}

nb::tuple dimacs(Bytes bytes, bool weighted, Progress progress) {
    TextArcs arcs = parse_bytes(
        bytes, progress, [&](std::string_view text, Watch& watch) { return parse_dimacs(text, weighted, watch); });
    return nb::make_tuple(arcs.n, to_numpy(std::move(arcs.tails)), to_numpy(std::move(arcs.heads)),
                          weighted ? column_to_numpy(arcs.weights) : nb::object(nb::none()));
}

nb::object coordinates(Bytes bytes, Progress progress) {
    return to_numpy(parse_bytes(bytes, progress, parse_coordinates));
}

nb::tuple edge_list(Bytes bytes, std::size_t begin, Progress progress) {
    TextEdges edges = parse_bytes(
        bytes, progress, [&](std::string_view text, Watch& watch) { return parse_edge_list(text, begin, watch); });
    return nb::make_tuple(to_numpy(std::move(edges.tails)), to_numpy(std::move(edges.heads)),
                          edges.columns == 3 ? column_to_numpy(edges.weights) : nb::object(nb::none()));
}

nb::tuple named_edges(Bytes bytes, std::size_t begin, Progress progress) {
    NamedEdges edges = parse_bytes(
        bytes, progress, [&](std::string_view text, Watch& watch) { return parse_named_edges(text, begin, watch); });
    return nb::make_tuple(to_numpy(std::move(edges.tails)), to_numpy(std::move(edges.heads)),
                          edges.columns == 3 ? column_to_numpy(edges.weights) : nb::object(nb::none()),
                          to_numpy(std::move(edges.names)), to_numpy(std::move(edges.ends)));
}

// Cell i is bytes[ends[i]..ends[i + 1]); errors begin with its number, from 1.
nb::object weights(Bytes bytes, In<std::int64_t> ends) {
    const auto size = static_cast<std::int64_t>(bytes.size());
    WeightColumn column;
    Watch watch = python_watch();
    {
        Unlocked unlocked;
        for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
            const std::int64_t begin = ends.data()[i], end = ends.data()[i + 1];
            require(0 <= begin && begin <= end && end <= size, "cells within the text expected");
            Cursor cursor({reinterpret_cast<const char*>(bytes.data()) + begin, static_cast<std::size_t>(end - begin)});
            try {
                column.take(cursor);
                cursor.expect_line_end();
            } catch (const ParseError& error) {
                throw ParseError(error.offset, "row " + std::to_string(i + 1) + ": " + error.what());
            }
            watch.tick(end - begin + 1);
        }
    }
    return column_to_numpy(column);
}

// `field` is "pattern", "integer" or "real".
nb::tuple matrix_entries(Bytes bytes, std::size_t begin, std::uint64_t n, std::uint64_t entries,
                         const std::string& field, Progress progress) {
    require(n <= most_vertices, "too many vertices");
    const MatrixField kind = field == "pattern" ? MatrixField::pattern
                             : field == "real"  ? MatrixField::real
                                                : MatrixField::integer;
    TextArcs arcs = parse_bytes(bytes, progress, [&](std::string_view text, Watch& watch) {
        return parse_matrix_entries(text, {begin, n, entries}, kind, watch);
    });
    return nb::make_tuple(to_numpy(std::move(arcs.tails)), to_numpy(std::move(arcs.heads)),
                          kind == MatrixField::pattern ? nb::object(nb::none()) : column_to_numpy(arcs.weights));
}

nb::tuple metis(Bytes bytes, Progress progress) {
    TextRows rows = parse_bytes(bytes, progress, parse_metis);
    return nb::make_tuple(to_numpy(std::move(rows.offsets)), to_numpy(std::move(rows.heads)),
                          rows.weighted ? column_to_numpy(rows.weights) : nb::object(nb::none()));
}

template <class Format>
nb::bytes format_range(const Arcs& arcs, Vertex begin, Vertex end, Format&& format) {
    require(begin <= end && end <= arcs.n(), "a range of vertices expected");
    std::string text;
    arcs.typed([&](const auto& graph) {
        Unlocked unlocked;
        text = format(graph);
    });
    return nb::bytes(text.data(), text.size());
}

nb::bytes arcs_as_text(const Arcs& arcs, Vertex begin, Vertex end, const std::string& prefix,
                       const std::string& separator, std::uint64_t base, bool once) {
    require(separator.size() == 1, "a separator is one character");
    return format_range(arcs, begin, end, [&](const auto& graph) {
        return format_arcs(graph, begin, end, prefix, separator[0], base, once);
    });
}

nb::bytes rows_as_text(const Arcs& arcs, Vertex begin, Vertex end) {
    return format_range(arcs, begin, end, [&](const auto& graph) { return format_rows(graph, begin, end); });
}

} // namespace

void register_text(nb::module_& m) {
    nb::exception<ParseError>(m, "ParseError", PyExc_ValueError);
    define(m, "parse_dimacs", &dimacs, {"text", "weighted", "progress"});
    define(m, "parse_coordinates", &coordinates, {"text", "progress"});
    define(m, "parse_edge_list", &edge_list, {"text", "begin", "progress"});
    define(m, "parse_named_edges", &named_edges, {"text", "begin", "progress"});
    define(m, "parse_weights", &weights, {"text", "ends"});
    define(m, "parse_matrix_entries", &matrix_entries, {"text", "begin", "n", "entries", "field", "progress"});
    define(m, "parse_metis", &metis, {"text", "progress"});
    define(m, "arcs_as_text", &arcs_as_text, {"arcs", "begin", "end", "prefix", "separator", "base", "once"});
    define(m, "rows_as_text", &rows_as_text, {"arcs", "begin", "end"});
}

} // namespace pathfront
