#include "check.hpp"
#include "text/dimacs.hpp"
#include "text/edge_list.hpp"
#include "text/matrix_market.hpp"
#include "text/metis.hpp"
#include "text/write.hpp"

using namespace pathfront;

// A copy on the heap of exactly the text's size, so that AddressSanitizer sees any read past its end.
template <class Parse>
auto parse_exact(const std::string& text, Parse&& parse) {
    const std::vector<char> exact(text.begin(), text.end());
    Watch watch;
    return parse(std::string_view(exact.data(), exact.size()), watch);
}

auto dimacs(const std::string& text) {
    return parse_exact(text, [](std::string_view t, Watch& w) { return parse_dimacs(t, true, w); });
}

TEST(dimacs_arcs) {
    TextArcs arcs = dimacs("c x\n\np sp 3 2\na 1 2 7\r\n a 3 1 4294967295");
    CHECK(arcs.n == 3 && arcs.tails == std::vector<Vertex>({0, 2}) && arcs.heads == std::vector<Vertex>({1, 0}));
    CHECK(std::get<0>(arcs.weights.finish()) == std::vector<std::uint32_t>({7, 4294967295u}));
}

TEST(weights_widen_as_they_must) {
    CHECK(std::get<1>(dimacs("p sp 2 3\na 1 2 7\na 1 2 4294967296\na 1 2 -3\n").weights.finish()) ==
          std::vector<std::int64_t>({7, 4294967296, -3}));
    CHECK(std::get<2>(dimacs("p sp 2 3\na 1 2 7\na 1 2 -8\na 1 2 0.1\n").weights.finish()) ==
          std::vector<double>({7, -8, 0.1}));
    CHECK(std::get<3>(dimacs("p sp 2 3\na 1 2 7\na 1 2 4294967296\na 1 2 18446744073709551615\n").weights.finish()) ==
          std::vector<std::uint64_t>({7, 4294967296, UINT64_MAX}));
    CHECK(std::get<2>(dimacs("p sp 2 2\na 1 2 18446744073709549568\na 1 2 0.5\n").weights.finish()) ==
          std::vector<double>({18446744073709549568.0, 0.5}));
    for (const char* text :
         {"p sp 2 2\na 1 2 -1\na 1 2 18446744073709551615\n", "p sp 2 2\na 1 2 18446744073709551615\na 1 2 -1\n"})
        CHECK(caught<ParseError>([&] { dimacs(text); }).find("does not fit 64 bits") != std::string::npos);
    CHECK(std::get<2>(dimacs("p sp 2 1\na 1 2 +1e-3\n").weights.finish()) == std::vector<double>({1e-3}));
}

TEST(no_weight_is_rounded_beside_floats_or_to_zero) {
    for (const char* weights : {"9007199254740993\na 1 2 0.5", "0.5\na 1 2 9007199254740993",
                                "-9007199254740993\na 1 2 2.0", "2.0\na 1 2 18446744073709551615"})
        CHECK(caught<ParseError>([&] {
                  dimacs("p sp 2 2\na 1 2 " + std::string(weights) + "\n");
              }).find("would be rounded") != std::string::npos);
    CHECK(std::get<2>(dimacs("p sp 2 2\na 1 2 -9223372036854775808\na 1 2 2.0\n").weights.finish()) ==
          std::vector<double>({-9223372036854775808.0, 2}));
    for (const char* weight : {"1e-400", "1e400", "-1e-400"})
        CHECK(caught<ParseError>([&] { dimacs("p sp 2 1\na 1 2 " + std::string(weight) + "\n"); }) ==
              "weight '" + std::string(weight) + "' is too small or too large for a float64");
    CHECK(std::get<2>(dimacs("p sp 2 2\na 1 2 0e-400\na 1 2 5e-324\n").weights.finish()) ==
          std::vector<double>({0, 5e-324}));
}

TEST(errors_say_where) {
    auto error = [](const std::string& text) { return caught<ParseError>([&] { dimacs(text); }); };
    CHECK(error("").find("no line 'p sp") != std::string::npos);
    CHECK(error("p sp 2 1\na 1 3 5\n") == "vertex 3 is not in 1..2");
    CHECK(error("p sp 2 1\na 0 1 5\n") == "vertex 0 is not in 1..2");
    CHECK(error("p sp 2 1\na 1 2\n").find("a weight expected, but the end of the line") == 0);
    CHECK(error("p sp 2 1\na 1 2 x\n") == "a weight expected, but 'x' found");
    CHECK(error("p sp 2 1\na 1 2 5 6\n") == "unexpected '6'");
    CHECK(error("p sp 2 2\na 1 2 5\n").find("promises 2 arcs, but the file holds 1; is it cut short?") !=
          std::string::npos);
    CHECK(error("p sp 2 1000000000000000000\n").find("promises 1000000000000000000") != std::string::npos);
    CHECK(error("p sp 99999999999999999999999 1\n").find("is larger than") != std::string::npos);
    CHECK(error("p sp 2 1\na 1 2 99999999999999999999\n").find("does not fit 64 bits") != std::string::npos);
}

// Lines in the usual form are read by a faster parser; two blanks lead to the general one.
TEST(the_fast_and_the_general_parser_agree) {
    std::mt19937 rng(4);
    for (int round = 0; round < 300; ++round) {
        std::string plain = "p sp 1000000000 40\n", general = plain;
        for (int i = 0; i < 40; ++i) {
            const auto tail = std::to_string(1 + rng() % (1u << rng() % 30)),
                       head = std::to_string(1 + rng() % 999999999);
            const auto weight = std::to_string(rng() >> rng() % 32);
            plain += "a " + tail + " " + head + " " + weight + "\n";
            general += "a  " + tail + "  " + head + "  " + weight + " \n";
        }
        TextArcs one = dimacs(plain), other = dimacs(general);
        CHECK(one.tails == other.tails && one.heads == other.heads && one.weights.finish() == other.weights.finish());
    }
    CHECK(caught<ParseError>([] {
              dimacs("p sp 5 1\na 1 6 123456789\nc a long line after it, of more than thirty\n");
          }) == "vertex 6 is not in 1..5");
    CHECK(caught<ParseError>([] {
              dimacs("p sp 5 1\na 0 5 123456789\nc a long line after it, of more than thirty\n");
          }) == "vertex 0 is not in 1..5");
}

auto edge_list(std::string_view text, Watch& watch) { return parse_edge_list(text, 0, watch); }

auto named_edges(std::string_view text, Watch& watch) { return parse_named_edges(text, 0, watch); }

TEST(edge_lists_and_metis) {
    auto edges = parse_exact("# c\n0\t1\r\n5,7\n% d\n", edge_list);
    CHECK(edges.columns == 2 && edges.heads == std::vector<std::uint64_t>({1, 7}));
    CHECK(caught<ParseError>([] { parse_exact("0 1\n0 1 2\n", edge_list); }).find("has 3 columns") !=
          std::string::npos);
    auto named = parse_exact("# c\nRome\tOstia  7\r\nOstia,a_name_of_many_letters,8\n", named_edges);
    CHECK(named.tails == std::vector<Vertex>({0, 1}) && named.heads == std::vector<Vertex>({1, 2}));
    CHECK(named.ends == std::vector<std::int64_t>({0, 4, 9, 31}));
    CHECK(std::string(named.names.begin(), named.names.end()) == "RomeOstiaa_name_of_many_letters");
    CHECK(caught<ParseError>([] { parse_exact("a\n", named_edges); }).find("a name expected") == 0);
    CHECK(caught<ParseError>([] { parse_exact(std::string("a \0b\n", 5), named_edges); }).find("control") !=
          std::string::npos);
    auto rows = parse_exact("% c\n3 2 1\n2 5\n1 5 3 6\n2 6\n", parse_metis);
    CHECK(rows.weighted && rows.heads == std::vector<Vertex>({1, 0, 2, 1}));
}

TEST(matrix_entries) {
    auto entries = [](const std::string& text, MatrixSize size, MatrixField field) {
        return parse_exact(text, [&](std::string_view t, Watch& w) { return parse_matrix_entries(t, size, field, w); });
    };
    TextArcs arcs = entries("3 3 2\n1 2 5\n% c\n\n3 1 100000000000000000000", {6, 3, 2}, MatrixField::real);
    CHECK(arcs.tails == std::vector<Vertex>({0, 2}) && arcs.heads == std::vector<Vertex>({1, 0}));
    CHECK(std::get<2>(arcs.weights.finish()) == std::vector<double>({5, 1e20}));
    CHECK(caught<ParseError>([&] { entries("1 2\n2 3t", {0, 3, 2}, MatrixField::pattern); }).find("'3t'") !=
          std::string::npos);
    CHECK(caught<ParseError>([&] { entries("", {99, 3, 2}, MatrixField::integer); }).find("cut short") !=
          std::string::npos);
}

TEST(numbers_survive_writing) {
    const std::vector<Offset> offsets{0, 2, 2};
    const std::vector<Vertex> heads{0, 1};
    const std::vector<double> weights{0.1, 1e-300}, whole{-0.0, 1180591620717411303424.0};
    const Csr<double> graph{2, offsets.data(), heads.data(), weights.data()};
    CHECK(format_arcs(graph, 0, 2, "a ", ' ', 1, false) == "a 1 1 0.1\na 1 2 1e-300\n");
    CHECK(format_arcs(Csr<double>{2, offsets.data(), heads.data(), whole.data()}, 0, 2, "", ' ', 0, false) ==
          "0 0 -0.0\n0 1 1180591620717411303424.0\n");
    CHECK(format_rows(graph, 0, 2) == "1 0.1 2 1e-300\n\n");
}

// Whatever the bytes are, a parser ends with a result or a ParseError.
TEST(damaged_text_never_crashes_a_parser) {
    const std::string seeds[] = {"c x\np sp 3 2\na 1 2 7\na 3 1 0.5\n", "p tw 3 2\n1 2\n2 3\n",
                                 "p aux sp co 2\nv 1 -5 6\nv 2 7 8\n", "# c\n0 1 5\n3 4 6\n",
                                 "3 2 11\n4 2 5\n4 1 5 3 6\n4 2 6\n"};
    std::mt19937 rng(1);
    const std::string spice = "0123456789 \n\t\r-+.eacpv#%,\0\xff";
    for (int round = 0; round < 20'000; ++round) {
        std::string text = seeds[rng() % 5];
        for (unsigned change = rng() % 4; change > 0 && !text.empty(); --change) {
            const std::size_t at = rng() % text.size();
            switch (rng() % 4) {
            case 0:
                text[at] = spice[rng() % spice.size()];
                break;
            case 1:
                text.insert(at, 1, spice[rng() % spice.size()]);
                break;
            case 2:
                text.erase(at, 1 + rng() % 3);
                break;
            default:
                text.resize(at);
            }
        }
        caught<ParseError>([&] { dimacs(text); });
        caught<ParseError>(
            [&] { parse_exact(text, [](std::string_view t, Watch& w) { return parse_dimacs(t, false, w); }); });
        caught<ParseError>([&] { parse_exact(text, parse_coordinates); });
        caught<ParseError>([&] { parse_exact(text, edge_list); });
        caught<ParseError>([&] { parse_exact(text, named_edges); });
        caught<ParseError>([&] { parse_exact(text, parse_metis); });
    }
}
