// Arcs as text, a range of vertices at a time, so that a file is written in pieces of bounded size.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/csr.hpp"

namespace pathfront {

// A float is written as the double it equals, because text is read as doubles, and 0.1f is not 0.1; whole ones with a
// point, by which readers know that it is a float.
template <class T>
void append_number(std::string& text, T value) {
    using Written = std::conditional_t<std::is_same_v<T, float>, double, T>;
    char digits[32]; // the shortest form that reads back as the same number fits
    const auto result = std::to_chars(digits, digits + sizeof digits, Written{value});
    const std::string_view word(digits, static_cast<std::size_t>(result.ptr - digits));
    text += word;
    if (std::is_floating_point_v<T> && word.find_first_of(".e") == word.npos)
        text += ".0";
}

// The head of an arc, counted from `base`, and its weight if the graph has weights.
template <class W>
void append_arc(std::string& text, const Csr<W>& graph, Offset arc, char separator, std::uint64_t base) {
    append_number(text, graph.heads[arc] + base);
    if constexpr (!std::is_same_v<W, Hop>) {
        text += separator;
        append_number(text, graph.weights[arc]);
    }
}

// One line per arc: prefix tail separator head [separator weight]. `once` leaves out the second arc of each
// edge of an undirected graph.
template <class W>
std::string format_arcs(const Csr<W>& graph, Vertex begin, Vertex end, std::string_view prefix, char separator,
                        std::uint64_t base, bool once) {
    std::string text;
    text.reserve(static_cast<std::size_t>(graph.offsets[end] - graph.offsets[begin]) * 16);
    for (Vertex u = begin; u < end; ++u)
        for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc) {
            if (once && graph.heads[arc] < u)
                continue;
            text += prefix;
            append_number(text, u + base);
            text += separator;
            append_arc(text, graph, arc, separator, base);
            text += '\n';
        }
    return text;
}

// One line per vertex: its neighbours, each followed by its weight if the graph has weights (METIS).
template <class W>
std::string format_rows(const Csr<W>& graph, Vertex begin, Vertex end) {
    std::string text;
    for (Vertex u = begin; u < end; ++u) {
        for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc) {
            if (arc > graph.offsets[u])
                text += ' ';
            append_arc(text, graph, arc, ' ', 1);
        }
        text += '\n';
    }
    return text;
}

} // namespace pathfront
