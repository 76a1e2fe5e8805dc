// Building, reversing, simplifying and checking graphs.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "bindings/arrays.hpp"
#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/watching.hpp"
#include "core/exact_csr.hpp"
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
    with_integers(tails, [&]<class Index>(const Index* typed_tails) {
        with_payload(weights, out_weights, [&]<class W>(const W* in, W* out) {
            const EdgeList<Index, W> edges{static_cast<std::int64_t>(tails.size()), typed_tails,
                                           static_cast<const Index*>(heads.data()), in};
            const auto n = static_cast<Vertex>(offsets.size() - 1);
            without_lock(
                [&](Watch& watch) {
                    build_rows(edges, n, mirrored, offsets.data(), out_heads.data(), out, threads, watch);
                },
                progress);
        });
    });
}

void reverse(const Arcs& arcs, Out<Offset> out_offsets, Out<Vertex> out_heads, const std::optional<AnyOut>& out_weights,
             unsigned threads) {
    require(out_offsets.size() == arcs.offsets.size() && out_heads.size() == arcs.heads.size(),
            "outputs differ in length");
    with_payload(arcs.weights, out_weights, [&]<class W>(const W* in, W* out) {
        const Csr<Hop> graph = arcs.unweighted();
        without_lock([&](Watch& watch) {
            build_rows(ReversedArcs<W>{graph.m(), graph, in}, graph.n, false, out_offsets.data(), out_heads.data(), out,
                       threads, watch);
        });
    });
}

// (smallest, largest) of an index array, as Python integers.
nb::object index_extent(const AnyIn& values, unsigned threads) {
    require(values.size() > 0, "an empty array has no extent");
    nb::object result;
    with_integers(values, [&](const auto* typed) {
        const auto found = without_lock(
            [&](Watch& watch) { return extent(typed, static_cast<std::int64_t>(values.size()), threads, watch); });
        result = nb::make_tuple(found.first, found.second);
    });
    return result;
}

std::int64_t count_loops(const AnyIn& tails, const AnyIn& heads) {
    require(tails.dtype() == heads.dtype() && tails.size() == heads.size(), "tails and heads differ");
    std::int64_t loops = 0;
    with_integers(tails, [&]<class Index>(const Index* t) {
        const auto* h = static_cast<const Index*>(heads.data());
        without_lock([&](Watch& watch) {
            for_blocks(1, static_cast<std::int64_t>(tails.size()), 1 << 16, watch,
                       [&](unsigned, std::int64_t from, std::int64_t to) {
                           for (std::int64_t i = from; i < to; ++i)
                               loops += t[i] == h[i];
                       });
        });
    });
    return loops;
}

// Simplifies the rows in place and writes the length of each.
void simplify(In<Offset> offsets, Out<Vertex> heads, const std::optional<AnyOut>& weights, Out<Offset> lengths,
              unsigned threads) {
    const auto n = static_cast<Vertex>(offsets.size() - 1);
    require(lengths.size() == n, "one length per vertex expected");
    auto run = [&](auto* typed) {
        without_lock([&](Watch& watch) {
            simplify_rows(offsets.data(), n, heads.data(), typed, lengths.data(), threads, watch);
        });
    };
    if (weights)
        with_numbers(*weights, run);
    else
        run(static_cast<Hop*>(nullptr));
}

void pack(In<Offset> offsets, In<Offset> packed, const AnyIn& from, const AnyOut& to, unsigned threads) {
    const auto n = static_cast<Vertex>(offsets.size() - 1);
    with_payload(from, to, [&]<class T>(const T* in, T* out) {
        if constexpr (!std::is_same_v<T, Hop>)
            without_lock([&](Watch& watch) { pack_rows(offsets.data(), packed.data(), n, in, out, threads, watch); });
    });
}

void arcs_kept(const Arcs& arcs, In<Offset> offsets, In<Vertex> heads, Out<Offset> out, unsigned threads) {
    require(offsets.size() == arcs.offsets.size() && heads.size() == out.size(),
            "rows of the simplified graph expected");
    arcs.typed([&](const auto& graph) {
        without_lock([&](Watch& watch) { kept_arcs(graph, offsets.data(), heads.data(), out.data(), threads, watch); });
    });
}

std::int64_t bad_offset(const Arcs& arcs, unsigned threads) {
    const auto m = static_cast<std::int64_t>(arcs.heads.size());
    return without_lock(
        [&](Watch& watch) { return first_bad_offset(arcs.offsets.data(), arcs.n(), m, threads, watch); });
}

std::int64_t bad_head(const Arcs& arcs, unsigned threads) {
    const auto m = static_cast<std::int64_t>(arcs.heads.size());
    return without_lock([&](Watch& watch) { return first_bad_head(arcs.heads.data(), m, arcs.n(), threads, watch); });
}

double lightest_of_vertex_bound(const Arcs& arcs) {
    double found = 0;
    arcs.typed([&](const auto& graph) { found = lightest_of_vertex(graph); });
    return found;
}

unsigned block_bits(const Arcs& arcs, unsigned threads) { return choose_block_bits(arcs.unweighted(), threads); }

std::uint64_t mark_dead_ends_bound(const Arcs& arcs, bool undirected, std::uint64_t least,
                                   const Out<std::uint64_t>& words) {
    require(words.size() == (std::size_t{arcs.n()} + 63) / 64, "a bit for each vertex expected");
    return without_lock(
        [&](Watch& watch) { return mark_dead_ends(arcs.unweighted(), undirected, least, words.data(), watch); });
}

// Calls f(graph, heaviest, watch), typed, without the interpreter lock.
template <class F>
void with_light_arcs(const Arcs& arcs, const nb::object& heaviest, F&& f) {
    require(arcs.weights.has_value(), "weights expected");
    arcs.typed([&]<class W>(const Csr<W>& graph) {
        if constexpr (!std::is_same_v<W, Hop>) {
            const W most = nb::cast<W>(heaviest);
            without_lock([&](Watch& watch) { f(graph, most, watch); });
        }
    });
}

// Fills `out_offsets` for copy_light_arcs.
void count_light_arcs_bound(const Arcs& arcs, const nb::object& heaviest, Out<Offset> out_offsets, unsigned threads) {
    require(out_offsets.size() == arcs.offsets.size(), "as many offsets expected");
    with_light_arcs(arcs, heaviest, [&](const auto& graph, auto most, Watch& watch) {
        count_light_arcs(graph, most, out_offsets.data(), threads, watch);
    });
}

void copy_light_arcs_bound(const Arcs& arcs, const nb::object& heaviest, In<Offset> out_offsets, Out<Vertex> out_heads,
                           AnyOut out_weights, unsigned threads) {
    require(out_offsets.size() == arcs.offsets.size() && arcs.weights && out_weights.dtype() == arcs.weights->dtype() &&
                out_heads.size() == out_weights.size(),
            "arrays for the light arcs expected");
    with_light_arcs(arcs, heaviest, [&]<class W>(const Csr<W>& graph, W most, Watch& watch) {
        copy_light_arcs(graph, most, out_offsets.data(), out_heads.data(), static_cast<W*>(out_weights.data()), threads,
                        watch);
    });
}

void pack_light_arcs_bound(const Arcs& arcs, const nb::object& heaviest, In<std::uint32_t> out_offsets,
                           Out<std::uint32_t> out_arcs, unsigned threads) {
    require(out_offsets.size() == arcs.offsets.size() && out_offsets.data()[arcs.n()] == out_arcs.size(),
            "arrays for the light arcs expected");
    with_light_arcs(arcs, heaviest, [&]<class W>(const Csr<W>& graph, W most, Watch& watch) {
        require(std::is_integral_v<W>, "integers expected");
        if constexpr (std::is_integral_v<W>)
            pack_light_arcs(graph, most, out_offsets.data(), out_arcs.data(), threads, watch);
    });
}

// (lightest, heaviest, sum, first negative arc, first arc that is NaN or infinite); positions are -1 for none.
nb::object weight_summary(const AnyIn& weights, unsigned threads) {
    nb::object result;
    with_numbers(weights, [&](const auto* typed) {
        const auto found = without_lock([&](Watch& watch) {
            return summarise_weights(typed, static_cast<std::int64_t>(weights.size()), threads, watch);
        });
        result =
            nb::make_tuple(found.lightest, found.heaviest, found.sum, found.first_negative, found.first_not_finite);
    });
    return result;
}

// (low, high): all weights are sums of the powers of two from 2^low to 2^(high - 1).
nb::tuple range_of_weights(const AnyIn& weights, unsigned threads) {
    WeightRange found;
    with_type_of<float, double>(weights, [&](const auto* typed) {
        found = without_lock([&](Watch& watch) {
            return weight_range(typed, static_cast<std::int64_t>(weights.size()), threads, watch);
        });
    });
    return nb::make_tuple(found.low, found.high);
}

// Writes weights as multiples of 2^unit.
void scaled_weights(const AnyIn& weights, int unit, Out<std::int64_t> out, unsigned threads) {
    require(out.size() == weights.size(), "an array of m entries expected");
    with_type_of<float, double>(weights, [&](const auto* typed) {
        without_lock([&](Watch& watch) {
            scale_weights(typed, static_cast<std::int64_t>(weights.size()), unit, out.data(), threads, watch);
        });
    });
}

// The first arc that is parallel to an earlier one, or -1.
std::int64_t parallel_arc(const Arcs& arcs) {
    return without_lock([&](Watch& watch) { return first_parallel_arc(arcs.unweighted(), watch); });
}

bool looks_symmetric_bound(const Arcs& arcs, unsigned threads) {
    bool found = false;
    arcs.typed([&](const auto& graph) {
        found = without_lock([&](Watch& watch) { return looks_symmetric(graph, threads, watch); });
    });
    return found;
}

Offset max_degree(const Arcs& arcs, unsigned threads) {
    return without_lock([&](Watch& watch) { return largest_degree(arcs.offsets.data(), arcs.n(), threads, watch); });
}

} // namespace

void register_graph(nb::module_& m) {
    nb::class_<Arcs>(m, "Arcs", "A graph's arrays.")
        .def(
            "__init__",
            [](Arcs* self, In<Offset> offsets, In<Vertex> heads, std::optional<AnyIn> weights) {
                require(offsets.size() > 0, "offsets are empty");
                require(!weights || weights->size() == heads.size(), "weights are of another length");
                new (self) Arcs{std::move(offsets), std::move(heads), std::move(weights)};
            },
            parameter<In<Offset>>("offsets"), parameter<In<Vertex>>("heads"),
            parameter<std::optional<AnyIn>>("weights"));
    define(m, "build", &build,
           {"tails", "heads", "weights", "mirrored", "offsets", "out_heads", "out_weights", "threads", "progress"});
    define(m, "reverse", &reverse, {"arcs", "out_offsets", "out_heads", "out_weights", "threads"});
    define(m, "index_extent", &index_extent, {"values", "threads"},
           nb::sig("def index_extent(values: object, threads: int) -> tuple[int, int]"));
    define(m, "count_loops", &count_loops, {"tails", "heads"});
    define(m, "simplify", &simplify, {"offsets", "heads", "weights", "lengths", "threads"});
    define(m, "kept_arcs", &arcs_kept, {"arcs", "offsets", "heads", "out", "threads"});
    define(m, "pack", &pack, {"offsets", "packed", "values", "out", "threads"});
    define(m, "bad_offset", &bad_offset, {"arcs", "threads"});
    define(m, "bad_head", &bad_head, {"arcs", "threads"});
    define(m, "weight_range", &range_of_weights, {"weights", "threads"},
           nb::sig("def weight_range(weights: object, threads: int) -> tuple[int, int]"));
    define(m, "scale_weights", &scaled_weights, {"weights", "unit", "out", "threads"});
    define(m, "weight_summary", &weight_summary, {"weights", "threads"},
           nb::sig("def weight_summary(weights: object, threads: int) -> tuple[float, float, float, int, int]"));
    define(m, "block_bits", &block_bits, {"arcs", "threads"});
    define(m, "mark_dead_ends", &mark_dead_ends_bound, {"arcs", "undirected", "least", "words"});
    define(m, "count_light_arcs", &count_light_arcs_bound, {"arcs", "heaviest", "out_offsets", "threads"});
    define(m, "copy_light_arcs", &copy_light_arcs_bound,
           {"arcs", "heaviest", "out_offsets", "out_heads", "out_weights", "threads"});
    define(m, "pack_light_arcs", &pack_light_arcs_bound, {"arcs", "heaviest", "out_offsets", "out_arcs", "threads"});
    define(m, "lightest_of_vertex", &lightest_of_vertex_bound, {"arcs"});
    define(m, "parallel_arc", &parallel_arc, {"arcs"});
    define(m, "looks_symmetric", &looks_symmetric_bound, {"arcs", "threads"});
    define(m, "max_degree", &max_degree, {"arcs", "threads"});
}

} // namespace pathfront
