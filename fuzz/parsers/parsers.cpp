// A libFuzzer target for the parsers of text: the first byte chooses one, the rest is the text. What is parsed must fit
// together, make sound rows, and survive being written and parsed again; anything else than a ParseError is a defect.
#include <cstdlib>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "graph/build.hpp"
#include "graph/check.hpp"
#include "text/dimacs.hpp"
#include "text/edge_list.hpp"
#include "text/matrix_market.hpp"
#include "text/metis.hpp"
#include "text/write.hpp"

namespace {

using namespace pathfront;

constexpr std::uint64_t few_vertices = 1 << 12; // with more, rows would take longer than the parser

void require(bool holds) {
    if (!holds)
        std::abort();
}

template <class Column>
std::size_t size_of(const Column& column) {
    return std::visit([](const auto& values) { return values.size(); }, column);
}

// Builds rows, checks them, writes them as DIMACS text, and compares what that is read as.
template <class W>
void round_trip(std::uint64_t n, const std::vector<Vertex>& tails, const std::vector<Vertex>& heads,
                const std::vector<W>& weights) {
    if (n > few_vertices)
        return;
    Watch watch;
    const auto m = static_cast<std::int64_t>(heads.size());
    std::vector<Offset> offsets(n + 1);
    std::vector<Vertex> sorted_heads(heads.size());
    std::vector<W> sorted(heads.size());
    const EdgeList<Vertex, W> edges{m, tails.data(), heads.data(), weights.data()};
    build_rows(edges, static_cast<Vertex>(n), false, offsets.data(), sorted_heads.data(), sorted.data(), 1, watch);
    require(first_bad_offset(offsets.data(), n, m, 1, watch) == not_found);
    require(first_bad_head(sorted_heads.data(), m, n, 1, watch) == not_found);
    if (summarise_weights(sorted.data(), m, 1, watch).first_not_finite != not_found)
        return;
    const Csr<W> graph{static_cast<Vertex>(n), offsets.data(), sorted_heads.data(), sorted.data()};
    const std::string text = "p sp " + std::to_string(n) + " " + std::to_string(m) + "\n" +
                             format_arcs(graph, 0, graph.n, "a ", ' ', 1, false);
    TextArcs again = parse_dimacs(text, true, watch);
    require(again.n == n && again.heads == sorted_heads);
    std::visit(
        [&](const auto& values) {
            for (std::size_t i = 0; i < sorted.size(); ++i)
                require(static_cast<W>(values[i]) == sorted[i]);
        },
        again.weights.finish());
}

void check(TextArcs arcs, bool weighted) {
    require(arcs.tails.size() == arcs.heads.size());
    for (std::size_t i = 0; i < arcs.tails.size(); ++i)
        require(arcs.tails[i] < arcs.n && arcs.heads[i] < arcs.n);
    if (!weighted)
        return;
    const auto column = arcs.weights.finish();
    require(size_of(column) == arcs.tails.size());
    std::visit([&](const auto& values) { round_trip(arcs.n, arcs.tails, arcs.heads, values); }, column);
}

void check(TextRows rows) {
    require(rows.offsets.size() == rows.n + 1);
    Watch watch;
    const auto m = static_cast<std::int64_t>(rows.heads.size());
    require(first_bad_offset(rows.offsets.data(), rows.n, m, 1, watch) == not_found);
    require(first_bad_head(rows.heads.data(), m, rows.n, 1, watch) == not_found);
    require(!rows.weighted || size_of(rows.weights.finish()) == rows.heads.size());
}

void check(TextEdges edges) {
    require(edges.tails.size() == edges.heads.size());
    require(edges.columns != 3 || size_of(edges.weights.finish()) == edges.tails.size());
}

void check(NamedEdges edges) {
    const auto n = static_cast<Vertex>(edges.ends.size() - 1);
    require(edges.tails.size() == edges.heads.size());
    for (std::size_t i = 0; i < edges.tails.size(); ++i)
        require(edges.tails[i] < n && edges.heads[i] < n);
    require(edges.columns != 3 || size_of(edges.weights.finish()) == edges.tails.size());
}

void parse(unsigned which, std::string_view text) {
    Watch watch;
    switch (which) {
    case 0:
        return check(parse_dimacs(text, true, watch), true);
    case 1:
        return check(parse_dimacs(text, false, watch), false);
    case 2:
        return check(parse_edge_list(text, 0, watch));
    case 3:
        return check(parse_metis(text, watch));
    case 4:
        require(parse_coordinates(text, watch).size() % 2 == 0);
        return;
    case 5:
        return check(parse_named_edges(text, 0, watch));
    default:
        const auto field = static_cast<MatrixField>(which % 3);
        check(parse_matrix_entries(text, {0, 9, which % 7}, field, watch), field != MatrixField::pattern);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    try {
        parse(data[0] % 26u, text);
    } catch (const ParseError& error) {
        require(error.offset <= text.size());
    }
    return 0;
}
