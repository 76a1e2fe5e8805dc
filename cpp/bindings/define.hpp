// How functions and structs are bound: each parameter is named once, and its type decides how it is converted.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <optional>
#include <type_traits>
#include <utility>

#include "bindings/watching.hpp"

namespace pathfront {

template <class T>
inline constexpr bool may_be_none = std::is_same_v<T, nanobind::object>;
template <class T>
inline constexpr bool may_be_none<std::optional<T>> = true;

template <class T>
inline constexpr bool is_array = false;
template <class... T>
inline constexpr bool is_array<nanobind::ndarray<T...>> = true;

// A parameter. Arrays are never converted: a copy would receive the results.
template <class T>
auto parameter(const char* name) {
    if constexpr (may_be_none<T>)
        return nanobind::arg(name).noconvert().none();
    else if constexpr (is_array<T>)
        return nanobind::arg(name).noconvert();
    else
        return nanobind::arg(name);
}

// A parameter that may be left out if it may be None.
template <class T>
auto keyword(const char* name) {
    if constexpr (may_be_none<T>)
        return parameter<T>(name) = nanobind::none();
    else
        return parameter<T>(name);
}

// Defines a function with these names of its parameters. A progress function may be left out.
template <class R, class... P, class... Extra>
void define(nanobind::module_& m, const char* name, R (*function)(P...),
            const std::array<const char*, sizeof...(P)>& names, const Extra&... extra) {
    const auto argument = []<class T>(const char* each, std::type_identity<T>) {
        if constexpr (std::is_same_v<T, Progress>)
            return keyword<T>(each);
        else
            return parameter<T>(each);
    };
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        m.def(name, function, argument(names[i], std::type_identity<std::remove_cvref_t<P>>{})..., extra...);
    }(std::index_sequence_for<P...>{});
}

template <class T, class M>
struct Field {
    const char* name;
    M T::* member;
};

// Gives a class a constructor that takes these fields as keywords.
template <class T, class... M>
void bind_fields(nanobind::class_<T>& type, Field<T, M>... fields) {
    type.def(
        "__init__",
        [fields...](T* self, M... values) {
            new (self) T{};
            ((self->*fields.member = std::move(values)), ...);
        },
        nanobind::kw_only(), keyword<M>(fields.name)...);
}

} // namespace pathfront
