// Arrays as they come from Python: borrowed, contiguous, never converted (a conversion would work on a copy
// and lose the result), and how their runtime types choose a template.
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

// The bindings trust their caller, the package's own Python, but a wrong length must not become a wild read.
inline void require(bool holds, const char* what) {
    if (!holds)
        throw std::invalid_argument(what);
}

// Calls f with a typed null pointer for the array's type, one of Ts.
template <class... Ts, class Array, class F>
void with_type_of(const Array& array, F&& f) {
    bool known = ((array.dtype() == nb::dtype<Ts>() ? (f(static_cast<Ts*>(nullptr)), true) : false) || ...);
    require(known, "array of a type that the core does not know");
}

// Calls f with the weights as a pointer to their type, or to Hop where there are none.
template <class F>
void with_weights(const std::optional<AnyIn>& weights, F&& f) {
    if (!weights) {
        f(static_cast<const Hop*>(nullptr));
        return;
    }
    with_type_of<std::uint32_t, std::int32_t, std::uint64_t, std::int64_t, float, double>(
        *weights, [&](auto* type) { f(static_cast<const std::remove_pointer_t<decltype(type)>*>(weights->data())); });
}

// The distance types a weight type may have: its own, and the next wider one should that overflow.
template <class W>
struct DistanceTypes {
    using Natural = W;
    using Wide = W;
};
template <>
struct DistanceTypes<Hop> {
    using Natural = std::uint32_t;
    using Wide = std::uint32_t;
};
template <>
struct DistanceTypes<std::uint32_t> {
    using Natural = std::uint32_t;
    using Wide = std::uint64_t;
};
template <>
struct DistanceTypes<std::int32_t> {
    using Natural = std::int32_t;
    using Wide = std::int64_t;
};
template <>
struct DistanceTypes<float> {
    using Natural = float;
    using Wide = double;
};

// Calls f(weights, dist) with both typed.
template <class Array, class F>
void with_weights_and_distance(const std::optional<AnyIn>& weights, const Array& dist, F&& f) {
    with_weights(weights, [&](const auto* typed_weights) {
        using W = std::remove_cvref_t<decltype(*typed_weights)>;
        using Natural = typename DistanceTypes<W>::Natural;
        using Wide = typename DistanceTypes<W>::Wide;
        if (dist.dtype() == nb::dtype<Natural>()) {
            f(typed_weights, static_cast<Natural*>(const_cast<void*>(static_cast<const void*>(dist.data()))));
            return;
        }
        if constexpr (!std::is_same_v<Natural, Wide>)
            if (dist.dtype() == nb::dtype<Wide>()) {
                f(typed_weights, static_cast<Wide*>(const_cast<void*>(static_cast<const void*>(dist.data()))));
                return;
            }
        require(false, "distances of a type that does not go with the weights");
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
    auto kept = std::make_unique<std::vector<T>>(std::move(values));
    T* data = kept->data();
    const std::size_t size = kept->size();
    nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, owner));
}

} // namespace pathfront
