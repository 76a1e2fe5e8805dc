// Random numbers and edges for the generators.
#include "bindings/arrays.hpp"
#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/watching.hpp"
#include "generate/exact_math.hpp"
#include "generate/random.hpp"
#include "generate/rmat.hpp"
#include "generate/spanning_tree.hpp"

namespace pathfront {
namespace {

// Sets out[i] = make(numbers, i) with the random numbers of a stream.
template <class T, class Make>
void fill(T* out, std::size_t size, std::uint64_t seed, std::uint64_t stream, unsigned threads, Make&& make) {
    const Stream numbers(seed, stream);
    without_lock([&](Watch& watch) {
        fill_random(out, static_cast<std::int64_t>(size), threads, watch,
                    [&](std::uint64_t i) { return static_cast<T>(make(numbers, i)); });
    });
}

// out[i] uniform in [low, low + span), span > 0.
void random_integers(const AnyOut& out, std::uint64_t seed, std::uint64_t stream, std::int64_t low, std::uint64_t span,
                     unsigned threads) {
    with_type_of<std::uint32_t, std::int64_t>(out, [&](auto* typed) {
        fill(typed, out.size(), seed, stream, threads, [&](const Stream& numbers, std::uint64_t i) {
            return static_cast<std::uint64_t>(low) + numbers.below(i, span);
        });
    });
}

// out[i] uniform in [0, bounds[i]), bounds > 0.
void random_below(In<std::int64_t> bounds, Out<std::int64_t> out, std::uint64_t seed, std::uint64_t stream,
                  unsigned threads) {
    require(bounds.size() == out.size(), "one bound per number expected");
    fill(out.data(), out.size(), seed, stream, threads, [&](const Stream& numbers, std::uint64_t i) {
        return numbers.below(i, static_cast<std::uint64_t>(bounds.data()[i]));
    });
}

// out[i] uniform in [0, 1).
void random_floats(Out<double> out, std::uint64_t seed, std::uint64_t stream, unsigned threads) {
    fill(out.data(), out.size(), seed, stream, threads,
         [](const Stream& numbers, std::uint64_t i) { return numbers.unit(i); });
}

// Sets out[arc] = make(bits) from random bits, the same for both arcs of an undirected edge.
template <class T, class Make>
void fill_arcs(const Arcs& arcs, bool directed, T* out, std::size_t size, std::uint64_t seed, unsigned threads,
               Make&& make) {
    require(size == arcs.heads.size(), "one number per arc expected");
    without_lock([&](Watch& watch) {
        for_arc_noise(arcs.unweighted(), directed, Stream(seed, 1), threads, watch,
                      [&](Offset arc, std::uint64_t bits) { out[arc] = make(bits); });
    });
}

// Integers in [low, low + span).
void arc_integers(const Arcs& arcs, bool directed, const AnyOut& out, std::uint64_t seed, std::int64_t low,
                  std::uint64_t span, unsigned threads) {
    with_integers(out, [&]<class T>(T* numbers) {
        fill_arcs(arcs, directed, numbers, out.size(), seed, threads, [&](std::uint64_t bits) {
            return static_cast<T>(static_cast<std::uint64_t>(low) + Stream::scale(bits, span));
        });
    });
}

// Floats in [0, 1).
void arc_floats(const Arcs& arcs, bool directed, Out<double> out, std::uint64_t seed, unsigned threads) {
    fill_arcs(arcs, directed, out.data(), out.size(), seed, threads, Stream::to_unit);
}

// Log-normal numbers: e to the power of mu + sigma times a standard normal number.
void arc_lognormals(const Arcs& arcs, bool directed, Out<double> out, std::uint64_t seed, double mu, double sigma,
                    unsigned threads) {
    fill_arcs(arcs, directed, out.data(), out.size(), seed, threads,
              [&](std::uint64_t bits) { return exact_exp(mu + sigma * to_normal(bits)); });
}

// The Euclidean distance between the ends of each arc, times scale.
void arc_lengths(const Arcs& arcs, nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> coordinates,
                 double scale, Out<double> out, unsigned threads) {
    require(out.size() == arcs.heads.size(), "one number per arc expected");
    require(coordinates.shape(0) == arcs.n(), "coordinates for each vertex expected");
    const std::size_t dimensions = coordinates.shape(1);
    const auto length = [&](std::uint64_t u, std::uint64_t v, Offset arc) {
        double sum = 0;
        for (std::size_t d = 0; d < dimensions; ++d) {
            const double apart = coordinates.data()[u * dimensions + d] - coordinates.data()[v * dimensions + d];
            sum += apart * apart;
        }
        out.data()[arc] = scale * std::sqrt(sum);
    };
    without_lock([&](Watch& watch) { for_arcs(arcs.unweighted(), threads, watch, length); });
}

void random_spanning_tree(In<Vertex> tails, In<Vertex> heads, Vertex n, std::uint64_t seed, std::uint64_t stream,
                          Out<std::uint8_t> chosen, unsigned threads) {
    require(tails.size() == heads.size() && tails.size() == chosen.size(), "arrays differ in length");
    require(tails.size() <= 0xFFFFFFFFu, "fewer than 2^32 edges expected");
    without_lock([&](Watch& watch) {
        spanning_tree(tails.data(), heads.data(), static_cast<std::int64_t>(tails.size()), n, Stream(seed, stream),
                      chosen.data(), threads, watch);
    });
}

void rmat(unsigned scale, std::uint64_t n, double a, double b, double c, std::uint64_t seed, Out<Vertex> tails,
          Out<Vertex> heads, unsigned threads, const Progress& progress) {
    require(tails.size() == heads.size(), "tails and heads differ");
    Watch watch = python_watch(progress);
    Unlocked unlocked;
    rmat_edges(scale, n, static_cast<std::int64_t>(tails.size()), a, b, c, seed, tails.data(), heads.data(), threads,
               watch);
}

} // namespace

void register_generate(nb::module_& m) {
    define(m, "random_integers", &random_integers, {"out", "seed", "stream", "low", "span", "threads"});
    define(m, "random_below", &random_below, {"bounds", "out", "seed", "stream", "threads"});
    define(m, "random_floats", &random_floats, {"out", "seed", "stream", "threads"});
    define(m, "arc_integers", &arc_integers, {"arcs", "directed", "out", "seed", "low", "span", "threads"});
    define(m, "arc_floats", &arc_floats, {"arcs", "directed", "out", "seed", "threads"});
    define(m, "arc_lognormals", &arc_lognormals, {"arcs", "directed", "out", "seed", "mu", "sigma", "threads"});
    define(m, "arc_lengths", &arc_lengths, {"arcs", "coordinates", "scale", "out", "threads"});
    define(m, "random_spanning_tree", &random_spanning_tree,
           {"tails", "heads", "n", "seed", "stream", "chosen", "threads"});
    define(m, "exact_exp", &exact_exp, {"x"});
    define(m, "exact_log", &exact_log, {"x"});
    define(m, "exact_normal_quantile", &exact_normal_quantile, {"p"});
    define(m, "rmat", &rmat, {"scale", "n", "a", "b", "c", "seed", "tails", "heads", "threads", "progress"});
}

} // namespace pathfront
