// Arrays from Python: borrowed, contiguous, never converted (a conversion would make a copy and lose the result), and
// the dispatch from their runtime types to templates.
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

// Calls f with the weights as a pointer to their type, or to Hop where there are none.
template <class F>
void with_weights(const std::optional<AnyIn>& weights, F&& f) {
    if (weights)
        with_numbers(*weights, std::forward<F>(f));
    else
        f(static_cast<const Hop*>(nullptr));
}

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

// Calls f(weights, dist) with both typed.
template <class Array, class F>
void with_weights_and_distance(const std::optional<AnyIn>& weights, const Array& dist, F&& f) {
    with_weights(weights, [&]<class W>(const W* typed_weights) {
        with_type_of<typename DistanceTypes<W>::Natural, typename DistanceTypes<W>::Wide>(
            dist, [&](auto* typed_dist) { f(typed_weights, typed_dist); });
    });
}

template <class W>
Csr<W> csr(const In<Offset>& offsets, const In<Vertex>& heads, const W* weights) {
    require(offsets.size() > 0, "offsets are empty");
    return {static_cast<Vertex>(offsets.size() - 1), offsets.data(), heads.data(), weights};
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
