// Arrays and graphs from Python: borrowed, contiguous, never converted (a conversion would make a copy and lose the
// result), and the dispatch from their runtime types to templates.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/csr.hpp"

namespace nb = nanobind;

namespace pathfront {

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using AnyIn = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using AnyOut = nb::ndarray<nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The package's own Python validates arguments; a wrong length must still not lead to a read out of bounds.
inline void require(bool holds, const char* what) {
    if (!holds)
        throw std::invalid_argument(what);
}

template <class T>
T* typed_pointer(void* data) {
    return static_cast<T*>(data);
}
template <class T>
const T* typed_pointer(const void* data) {
    return static_cast<const T*>(data);
}

// Calls f with the array's data as a pointer to its type, one of Ts.
template <class... Ts, class Array, class F>
void with_type_of(const Array& array, F&& f) {
    bool known = ((array.dtype() == nb::dtype<Ts>() ? (f(typed_pointer<Ts>(array.data())), true) : false) || ...);
    require(known, "array of an unexpected type");
}

template <class Array, class F>
void with_integers(const Array& array, F&& f) {
    with_type_of<std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>(array, std::forward<F>(f));
}

template <class Array, class F>
void with_numbers(const Array& array, F&& f) {
    with_type_of<std::uint32_t, std::int32_t, std::uint64_t, std::int64_t, float, double>(array, std::forward<F>(f));
}

// A graph's arrays. The arcs that leave u are heads[offsets[u]..offsets[u + 1]).
struct Arcs {
    In<Offset> offsets;
    In<Vertex> heads;
    std::optional<AnyIn> weights; // absent: every arc is one hop

    Vertex n() const { return static_cast<Vertex>(offsets.size() - 1); }

    template <class W>
    Csr<W> with(const W* typed_weights) const {
        return {n(), offsets.data(), heads.data(), typed_weights};
    }

    Csr<Hop> unweighted() const { return with<Hop>(nullptr); }

    // Calls f with the graph as a Csr of its weights' type, or of Hop.
    template <class F>
    void typed(F&& f) const {
        if (weights)
            with_numbers(*weights, [&](const auto* typed_weights) { f(with(typed_weights)); });
        else
            f(unweighted());
    }
};

// The distance types a weight type may have: its own, and the next wider one should that overflow.
template <class N, class W = N>
struct NaturalAndWide {
    using Natural = N;
    using Wide = W;
};
template <class W>
struct DistanceTypes : NaturalAndWide<W> {};
template <>
struct DistanceTypes<Hop> : NaturalAndWide<std::uint32_t> {};
template <>
struct DistanceTypes<std::uint32_t> : NaturalAndWide<std::uint32_t, std::uint64_t> {};
template <>
struct DistanceTypes<std::int32_t> : NaturalAndWide<std::int32_t, std::int64_t> {};
template <>
struct DistanceTypes<float> : NaturalAndWide<float, double> {};

// Calls f(graph, dist) with both typed.
template <class Array, class F>
void with_graph_and_distance(const Arcs& arcs, const Array& dist, F&& f) {
    arcs.typed([&]<class W>(const Csr<W>& graph) {
        with_type_of<typename DistanceTypes<W>::Natural, typename DistanceTypes<W>::Wide>(
            dist, [&](auto* typed_dist) { f(graph, typed_dist); });
    });
}

// Gives a vector to numpy without copying it.
template <class T>
nb::object to_numpy(std::vector<T>&& values) {
    auto held = std::make_unique<std::vector<T>>(std::move(values));
    T* data = held->data();
    const std::size_t size = held->size();
    nb::capsule owner(held.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, owner));
}

} // namespace pathfront
