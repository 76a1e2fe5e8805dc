// Python objects, counted: for loops over millions of them, which call CPython's API directly.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

namespace pathfront {

// A new reference from CPython's API, or the exception that it raised instead.
inline nanobind::object owned(PyObject* made) {
    if (made == nullptr)
        throw nanobind::python_error();
    return nanobind::steal(made);
}

inline void require_done(int status) {
    if (status < 0)
        throw nanobind::python_error();
}

// Keeps the collector from searching, again and again, the many objects that are being made: none of them is garbage.
class CollectorPaused {
  public:
    CollectorPaused() : enabled_(PyGC_Disable()) {}
    ~CollectorPaused() {
        if (enabled_)
            PyGC_Enable();
    }
    CollectorPaused(const CollectorPaused&) = delete;
    CollectorPaused& operator=(const CollectorPaused&) = delete;

  private:
    int enabled_;
};

template <class T>
nanobind::object python_number(T value) {
    if constexpr (std::is_floating_point_v<T>)
        return owned(PyFloat_FromDouble(static_cast<double>(value)));
    else if constexpr (std::is_signed_v<T>)
        return owned(PyLong_FromLongLong(value));
    else
        return owned(PyLong_FromUnsignedLongLong(value));
}

} // namespace pathfront
