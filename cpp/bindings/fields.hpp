// Structs that Python makes with keywords: their fields are listed once.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <type_traits>
#include <utility>

namespace pathfront {

template <class T, class M>
struct Field {
    const char* name;
    M T::* member;
};

template <class T>
inline constexpr bool may_be_none = std::is_same_v<T, nanobind::object>;
template <class T>
inline constexpr bool may_be_none<std::optional<T>> = true;

template <class T>
inline constexpr bool is_array = false;
template <class... T>
inline constexpr bool is_array<nanobind::ndarray<T...>> = true;

// The keyword of a field. Arrays are never converted: a copy would receive the results. A field that may be None
// may be left out.
template <class T, class M>
auto keyword(const Field<T, M>& field) {
    if constexpr (may_be_none<M>)
        return nanobind::arg(field.name).noconvert().none() = nanobind::none();
    else if constexpr (is_array<M>)
        return nanobind::arg(field.name).noconvert();
    else
        return nanobind::arg(field.name);
}

// Gives a class a constructor that takes these fields as keywords.
template <class T, class... M>
void bind_fields(nanobind::class_<T>& type, Field<T, M>... fields) {
    type.def(
        "__init__",
        [fields...](T* self, M... values) {
            new (self) T{};
            ((self->*fields.member = std::move(values)), ...);
        },
        nanobind::kw_only(), keyword(fields)...);
}

} // namespace pathfront
