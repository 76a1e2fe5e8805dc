// A Watch that lets Python's signals in and feeds a progress callback. Signals are only ever handled by
// Python's main thread, so a call from any other thread that shows no progress never takes the interpreter
// lock at all.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <optional>

#include "core/watch.hpp"

namespace pathfront {

using Progress = std::optional<nanobind::callable>;

// `progress` is borrowed: it must outlive the watch.
inline Watch python_watch(const Progress& progress = {}) {
    namespace nb = nanobind;
    enum class Listens { unknown, yes, no };
    const nb::callable* const show = progress ? &*progress : nullptr;
    return Watch([show, listens = Listens::unknown](double fraction) mutable {
        if (listens == Listens::no)
            return;
        nb::gil_scoped_acquire lock;
        if (listens == Listens::unknown) {
            nb::object threading = nb::module_::import_("threading");
            const bool main = threading.attr("current_thread")().is(threading.attr("main_thread")());
            listens = main || show ? Listens::yes : Listens::no;
        }
        if (PyErr_CheckSignals() != 0)
            throw nb::python_error();
        if (show)
            (*show)(fraction);
    });
}

} // namespace pathfront
