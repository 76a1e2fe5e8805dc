// Building, reversing, simplifying and checking graphs.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "bindings/arrays.hpp"
#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/watching.hpp"
#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/dead_ends.hpp"
#include "graph/light_arcs.hpp"
#include "graph/sample.hpp"
#include "graph/simplify.hpp"
#include "graph/symmetry.hpp"

namespace pathfront {
namespace {

// Weights are moved as raw bits of their size: the sort does not interpret them.
template <class F>
void with_payload(const std::optional<AnyIn>& in, const std::optional<AnyOut>& out, F&& f) {
    require(in.has_value() == out.has_value(), "weights in and out must both be given or both be absent");
    if (!in)
        f(static_cast<const Hop*>(nullptr), static_cast<Hop*>(nullptr));
    else if (in->itemsize() == 4 && out->itemsize() == 4)
        f(static_cast<const std::uint32_t*>(in->data()), static_cast<std::uint32_t*>(out->data()));
    else if (in->itemsize() == 8 && out->itemsize() == 8)
        f(static_cast<const std::uint64_t*>(in->data()), static_cast<std::uint64_t*>(out->data()));
    else
        require(false, "weights of 4 or 8 bytes expected");
}

void build(const AnyIn& tails, const AnyIn& heads, const std::optional<AnyIn>& weights, bool mirrored,
           Out<Offset> offsets, Out<Vertex> out_heads, const std::optional<AnyOut>& out_weights, unsigned threads,
           const Progress& progress) {
    require(tails.dtype() == heads.dtype() && tails.size() == heads.size(), "tails and heads differ");
    require(!weights || weights->size() == tails.size(), "weights are of another length");
    require(!out_weights || out_weights->size() == out_heads.size(), "output weights are of another length");
    Watch watch = python_watch(progress);
    with_integers(tails, [&]<class Index>(const Index* typed_tails) {
        with_payload(weights, out_weights, [&](const auto* in, auto* out) {
            const EdgeList<Index, std::remove_pointer_t<decltype(out)>> edges{
                static_cast<std::int64_t>(tails.size()), typed_tails, static_cast<const Index*>(heads.data()), in};
            nb::gil_scoped_release unlocked;
            build_rows(edges, static_cast<Vertex>(offsets.size() - 1), mirrored, offsets.data(), out_heads.data(), out,
                       threads, watch);
        });
    });
}

void reverse(In<Offset> offsets, In<Vertex> heads, const std::optional<AnyIn>& weights, Out<Offset> out_offsets,
             Out<Vertex> out_heads, const std::optional<AnyOut>& out_weights, unsigned threads,
             const Progress& progress) {
    require(out_offsets.size() == offsets.size() && out_heads.size() == heads.size(), "outputs differ in length");
    Watch watch = python_watch(progress);
    const auto graph = csr<Hop>(offsets, heads, nullptr);
    with_payload(weights, out_weights, [&](const auto* in, auto* out) {
        const ReversedArcs<std::remove_pointer_t<decltype(out)>> arcs{graph.m(), graph, in};
        nb::gil_scoped_release unlocked;
        build_rows(arcs, graph.n, false, out_offsets.data(), out_heads.data(), out, threads, watch);
    });
}

// (smallest, largest) of an index array, as Python integers.
nb::object index_extent(const AnyIn& values, unsigned threads) {
    require(values.size() > 0, "an empty array has no extent");
    nb::object result;
    with_integers(values, [&]<class Index>(const Index* typed) {
        Watch watch = python_watch();
        std::pair<Index, Index> found;
        {
            nb::gil_scoped_release unlocked;
            found = extent(typed, static_cast<std::int64_t>(values.size()), threads, watch);
        }
        result = nb::make_tuple(found.first, found.second);
    });
    return result;
}

std::int64_t count_loops(const AnyIn& tails, const AnyIn& heads) {
    require(tails.dtype() == heads.dtype() && tails.size() == heads.size(), "tails and heads differ");
    std::int64_t loops = 0;
    with_integers(tails, [&]<class Index>(const Index* t) {
        const auto* h = static_cast<const Index*>(heads.data());
        nb::gil_scoped_release unlocked;
        for (std::size_t i = 0; i < tails.size(); ++i)
            loops += t[i] == h[i];
    });
    return loops;
}

// Simplifies the rows in place and writes the length of each.
void simplify(In<Offset> offsets, Out<Vertex> heads, const std::optional<AnyOut>& weights, Out<Offset> lengths,
              unsigned threads) {
    Watch watch = python_watch();
    const auto n = static_cast<Vertex>(offsets.size() - 1);
    require(lengths.size() == n, "one length per vertex expected");
    auto run = [&](auto* typed) {
        nb::gil_scoped_release unlocked;
        simplify_rows(offsets.data(), n, heads.data(), typed, lengths.data(), threads, watch);
    };
    if (weights)
        with_numbers(*weights, run);
    else
        run(static_cast<Hop*>(nullptr));
}

void pack(In<Offset> offsets, In<Offset> packed, const AnyIn& from, const AnyOut& to, unsigned threads) {
    Watch watch = python_watch();
    const auto n = static_cast<Vertex>(offsets.size() - 1);
    with_payload(from, to, [&]<class T>(const T* in, T* out) {
        if constexpr (!std::is_same_v<T, Hop>) {
            nb::gil_scoped_release unlocked;
            pack_rows(offsets.data(), packed.data(), n, in, out, threads, watch);
        }
    });
}

std::int64_t bad_offset(In<Offset> offsets, std::int64_t m, unsigned threads) {
    Watch watch = python_watch();
    nb::gil_scoped_release unlocked;
    return first_bad_offset(offsets.data(), offsets.size() - 1, m, threads, watch);
}

std::int64_t bad_head(In<Vertex> heads, std::uint64_t n, unsigned threads) {
    Watch watch = python_watch();
    nb::gil_scoped_release unlocked;
    return first_bad_head(heads.data(), static_cast<std::int64_t>(heads.size()), n, threads, watch);
}

double lightest_of_vertex_bound(const In<Offset>& offsets, const In<Vertex>& heads, const AnyIn& weights) {
    double found = 0;
    with_numbers(weights, [&](const auto* typed) { found = lightest_of_vertex(csr(offsets, heads, typed)); });
    return found;
}

unsigned block_bits(const In<Offset>& offsets, const In<Vertex>& heads, unsigned threads) {
    return choose_block_bits(csr<Hop>(offsets, heads, nullptr), threads);
}

std::uint64_t mark_dead_ends_bound(const In<Offset>& offsets, const In<Vertex>& heads, bool undirected,
                                   std::uint64_t least, const Out<std::uint64_t>& words) {
    const std::size_t n = offsets.size() - 1;
    require(words.size() == (n + 63) / 64, "a bit for each vertex expected");
    nb::gil_scoped_release unlocked;
    return mark_dead_ends(csr<Hop>(offsets, heads, nullptr), undirected, least, words.data());
}

// Calls f(graph, heaviest) with both typed, without the interpreter lock.
template <class F>
void with_light_arcs(const In<Offset>& offsets, const In<Vertex>& heads, const AnyIn& weights,
                     const nb::object& heaviest, F&& f) {
    with_numbers(weights, [&]<class W>(const W* typed) {
        const W most = nb::cast<W>(heaviest);
        nb::gil_scoped_release unlocked;
        f(csr(offsets, heads, typed), most);
    });
}

// Fills `out_offsets` for copy_light_arcs.
void count_light_arcs_bound(In<Offset> offsets, In<Vertex> heads, AnyIn weights, nb::object heaviest,
                            Out<Offset> out_offsets, unsigned threads) {
    require(out_offsets.size() == offsets.size(), "as many offsets expected");
    Watch watch = python_watch();
    with_light_arcs(offsets, heads, weights, heaviest, [&](const auto& graph, auto most) {
        count_light_arcs(graph, most, out_offsets.data(), threads, watch);
    });
}

void copy_light_arcs_bound(In<Offset> offsets, In<Vertex> heads, AnyIn weights, nb::object heaviest,
                           In<Offset> out_offsets, Out<Vertex> out_heads, AnyOut out_weights, unsigned threads) {
    require(out_offsets.size() == offsets.size() && out_weights.dtype() == weights.dtype() &&
                out_heads.size() == out_weights.size(),
            "arrays for the light arcs expected");
    Watch watch = python_watch();
    with_light_arcs(offsets, heads, weights, heaviest, [&]<class W>(const Csr<W>& graph, W most) {
        copy_light_arcs(graph, most, out_offsets.data(), out_heads.data(), static_cast<W*>(out_weights.data()), threads,
                        watch);
    });
}

void pack_light_arcs_bound(In<Offset> offsets, In<Vertex> heads, AnyIn weights, nb::object heaviest,
                           In<std::uint32_t> out_offsets, Out<std::uint32_t> out_arcs, unsigned threads) {
    require(out_offsets.size() == offsets.size() && out_offsets.data()[offsets.size() - 1] == out_arcs.size(),
            "arrays for the light arcs expected");
    Watch watch = python_watch();
    with_light_arcs(offsets, heads, weights, heaviest, [&]<class W>(const Csr<W>& graph, W most) {
        require(std::is_integral_v<W>, "integers expected");
        if constexpr (std::is_integral_v<W>)
            pack_light_arcs(graph, most, out_offsets.data(), out_arcs.data(), threads, watch);
    });
}

// (lightest, heaviest, sum, first negative arc, first arc that is NaN or infinite); positions are -1 for
// none.
nb::object weight_summary(const AnyIn& weights, unsigned threads) {
    nb::object result;
    with_numbers(weights, [&]<class W>(const W* typed) {
        Watch watch = python_watch();
        WeightSummary<W> found;
        {
            nb::gil_scoped_release unlocked;
            found = summarise_weights(typed, static_cast<std::int64_t>(weights.size()), threads, watch);
        }
        result =
            nb::make_tuple(found.lightest, found.heaviest, found.sum, found.first_negative, found.first_not_finite);
    });
    return result;
}

// The first arc that is parallel to an earlier one, or -1.
std::int64_t parallel_arc(In<Offset> offsets, In<Vertex> heads) {
    Watch watch = python_watch();
    const auto graph = csr<Hop>(offsets, heads, nullptr);
    nb::gil_scoped_release unlocked;
    return first_parallel_arc(graph, watch);
}

bool looks_symmetric_bound(In<Offset> offsets, In<Vertex> heads, std::optional<AnyIn> weights, unsigned threads) {
    Watch watch = python_watch();
    bool found = false;
    with_weights(weights, [&](const auto* typed) {
        nb::gil_scoped_release unlocked;
        found = looks_symmetric(csr(offsets, heads, typed), threads, watch);
    });
    return found;
}

Offset max_degree(In<Offset> offsets, unsigned threads) {
    Watch watch = python_watch();
    nb::gil_scoped_release unlocked;
    return largest_degree(offsets.data(), offsets.size() - 1, threads, watch);
}

} // namespace

void register_graph(nb::module_& m) {
    define(m, "build", &build,
           {"tails", "heads", "weights", "mirrored", "offsets", "out_heads", "out_weights", "threads", "progress"});
    define(m, "reverse", &reverse,
           {"offsets", "heads", "weights", "out_offsets", "out_heads", "out_weights", "threads", "progress"});
    define(m, "index_extent", &index_extent, {"values", "threads"},
           nb::sig("def index_extent(values: object, threads: int) -> tuple[int, int]"));
    define(m, "count_loops", &count_loops, {"tails", "heads"});
    define(m, "simplify", &simplify, {"offsets", "heads", "weights", "lengths", "threads"});
    define(m, "pack", &pack, {"offsets", "packed", "values", "out", "threads"});
    define(m, "bad_offset", &bad_offset, {"offsets", "m", "threads"});
    define(m, "bad_head", &bad_head, {"heads", "n", "threads"});
    define(m, "weight_summary", &weight_summary, {"weights", "threads"},
           nb::sig("def weight_summary(weights: object, threads: int) -> tuple[float, float, float, int, int]"));
    define(m, "block_bits", &block_bits, {"offsets", "heads", "threads"});
    define(m, "mark_dead_ends", &mark_dead_ends_bound, {"offsets", "heads", "undirected", "least", "words"});
    define(m, "count_light_arcs", &count_light_arcs_bound,
           {"offsets", "heads", "weights", "heaviest", "out_offsets", "threads"});
    define(m, "copy_light_arcs", &copy_light_arcs_bound,
           {"offsets", "heads", "weights", "heaviest", "out_offsets", "out_heads", "out_weights", "threads"});
    define(m, "pack_light_arcs", &pack_light_arcs_bound,
           {"offsets", "heads", "weights", "heaviest", "out_offsets", "out_arcs", "threads"});
    define(m, "lightest_of_vertex", &lightest_of_vertex_bound, {"offsets", "heads", "weights"});
    define(m, "parallel_arc", &parallel_arc, {"offsets", "heads"});
    define(m, "looks_symmetric", &looks_symmetric_bound, {"offsets", "heads", "weights", "threads"});
    define(m, "max_degree", &max_degree, {"offsets", "threads"});
}

} // namespace pathfront
