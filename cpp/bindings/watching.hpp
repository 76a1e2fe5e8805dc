// A Watch that handles Python's signals and calls a progress callback. Only Python's main thread handles signals, so
// a call from any other thread without a progress callback never takes the interpreter lock.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <optional>

#include "core/watch.hpp"

namespace pathfront {

using Progress = std::optional<nanobind::callable>;

// `progress` must outlive the watch.
inline Watch python_watch(const Progress& progress = {}) {
    namespace nb = nanobind;
    enum class Needed { unknown, yes, no }; // whether the callback has anything to do
    const nb::callable* const show = progress ? &*progress : nullptr;
    return Watch([show, needed = Needed::unknown](double fraction) mutable {
        if (needed == Needed::no)
            return;
        nb::gil_scoped_acquire lock;
        if (needed == Needed::unknown) {
            nb::object threading = nb::module_::import_("threading");
            const bool main = threading.attr("current_thread")().is(threading.attr("main_thread")());
            needed = main || show ? Needed::yes : Needed::no;
        }
        if (PyErr_CheckSignals() != 0)
            throw nb::python_error();
        if (show)
            (*show)(fraction);
    });
}

// Returns f(watch), called without the interpreter lock.
template <class F>
auto without_lock(F&& f, const Progress& progress = {}) {
    Watch watch = python_watch(progress);
    nanobind::gil_scoped_release unlocked;
    return f(watch);
}

} // namespace pathfront
