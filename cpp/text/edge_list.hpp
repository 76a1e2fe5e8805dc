// Plain edge lists, as SNAP and many others publish them: two ids a line, perhaps a weight, separated by blanks, tabs
// or commas; `#` and `%` start comments. Ids are whole numbers, which the caller interprets (gaps, a header line), or
// names, which are numbered in the order in which they appear. Text before `begin` is skipped.
#pragma once

#include <cstring>
#include <random>
#include <unordered_map>
#include <vector>

#include "core/hash.hpp"
#include "text/arcs.hpp"

namespace pathfront {

struct TextEdges {
    std::vector<std::uint64_t> tails, heads;
    WeightColumn weights;
    int columns = 0; // 2 or 3, the same on every line; 0 for a file without edges
};

struct NamedEdges {
    std::vector<std::uint32_t> tails, heads;
    WeightColumn weights;
    int columns = 0;
    std::vector<std::uint8_t> names; // one after the other
    std::vector<std::int64_t> ends{0};
};

namespace detail {

// Numbers names in the order in which they are first seen. The hash has a random key, so that no file can be made
// whose names collide.
class NameTable {
  public:
    explicit NameTable(NamedEdges& out) : out_(out), numbers_(0, Hash{random_key()}) {}

    Vertex number(std::string_view name) {
        const auto [at, is_new] = numbers_.try_emplace(name, static_cast<Vertex>(numbers_.size()));
        if (is_new) {
            out_.names.insert(out_.names.end(), name.begin(), name.end());
            out_.ends.push_back(static_cast<std::int64_t>(out_.names.size()));
        }
        return at->second;
    }

    std::size_t size() const { return numbers_.size(); }

  private:
    struct Hash {
        std::uint64_t key;
        std::size_t operator()(std::string_view name) const {
            std::uint64_t hash = mix(key ^ name.size());
            for (; !name.empty(); name.remove_prefix(std::min<std::size_t>(8, name.size()))) {
                std::uint64_t piece = 0;
                std::memcpy(&piece, name.data(), std::min<std::size_t>(8, name.size()));
                hash = mix(hash ^ piece);
            }
            return hash;
        }
    };

    static std::uint64_t random_key() {
        std::random_device device;
        return std::uint64_t{device()} << 32 | device();
    }

    NamedEdges& out_;
    std::unordered_map<std::string_view, Vertex, Hash> numbers_;
};

inline std::string_view take_name(Cursor& cursor) {
    const std::string_view name = cursor.take_word();
    if (name.empty())
        cursor.fail("a name expected, but " + cursor.quoted_word() + " found");
    for (const char c : name)
        if (static_cast<unsigned char>(c) < 32 || c == 127) {
            cursor.go_back(name);
            cursor.fail("the name " + cursor.quoted_word() + " has a control character");
        }
    return name;
}

// Calls take_id() twice for each line, for its tail and its head, and reads the weight if there is one.
template <class Edges, class TakeId>
void take_edges(std::string_view text, std::size_t begin, Watch& watch, Edges& edges, TakeId&& take_id) {
    Cursor cursor(text);
    cursor.skip(begin);
    for_lines(cursor, watch, [&] {
        if (cursor.skip_comment('#', '%'))
            return;
        edges.tails.push_back(take_id(cursor));
        cursor.skip_blanks(',');
        edges.heads.push_back(take_id(cursor));
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
}

} // namespace detail

inline TextEdges parse_edge_list(std::string_view text, std::size_t begin, Watch& watch) {
    TextEdges edges;
    detail::take_edges(text, begin, watch, edges, [](Cursor& cursor) { return cursor.take_uint("a vertex id"); });
    return edges;
}

inline NamedEdges parse_named_edges(std::string_view text, std::size_t begin, Watch& watch) {
    NamedEdges edges;
    detail::NameTable table(edges);
    detail::take_edges(text, begin, watch, edges, [&](Cursor& cursor) {
        const std::string_view name = detail::take_name(cursor);
        const Vertex number = table.number(name);
        if (table.size() > most_vertices)
            cursor.fail("there are more than " + std::to_string(most_vertices) + " names");
        return number;
    });
    return edges;
}

} // namespace pathfront
