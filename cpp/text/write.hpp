// Arcs as text, a range of vertices at a time, so that a file is written in pieces of bounded size.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/csr.hpp"

namespace pathfront {

// A float is written as the double it equals: fractions are read as doubles, and 0.1f is not 0.1.
template <class T>
void append_number(std::string& text, T value) {
    if constexpr (std::is_same_v<T, float>) {
        append_number(text, double{value});
        return;
    }
    char digits[32]; // the shortest form that reads back as the same number fits
    const auto result = std::to_chars(digits, digits + sizeof digits, value);
    text.append(digits, result.ptr);
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
            append_number(text, graph.heads[arc] + base);
            if constexpr (!std::is_same_v<W, Hop>) {
                text += separator;
                append_number(text, graph.weights[arc]);
            }
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
            append_number(text, std::uint64_t{graph.heads[arc]} + 1);
            if constexpr (!std::is_same_v<W, Hop>) {
                text += ' ';
                append_number(text, graph.weights[arc]);
            }
        }
        text += '\n';
    }
    return text;
}

} // namespace pathfront
