// The interpreter lock, and a Watch that handles Python's signals, the caller's time limit and its progress callback.
// Only Python's main thread handles signals, so a call from any other thread with neither limit nor callback takes the
// lock only once.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <unistd.h>

#include <optional>
#if __has_include(<cxxabi.h>)
#include <cxxabi.h>
#endif

#include "core/thread_pool.hpp"
#include "core/watch.hpp"

namespace pathfront {

// Calls f, which takes the interpreter lock or runs Python. CPython before 3.14 ends a thread that wants the lock while
// the interpreter shuts down, by pthread_exit(). That would destroy the objects of a search that other threads are
// still working on, and abort the process at the first destructor that wants the lock. The thread sleeps instead: the
// process is about to end.
template <class F>
decltype(auto) or_sleep_at_exit(F&& f) {
#ifdef __GLIBCXX__
    try {
        return f();
    } catch (abi::__forced_unwind&) {
        for (;;)
            pause();
    }
#else
    return f();
#endif
}

// The interpreter's state of the calling thread, where the lock is released; null in threads that are not Python's.
inline thread_local PyThreadState* released_state = nullptr;

// Holds the interpreter lock, in a thread that has released it. With the thread's own state: PyGILState_Ensure() would
// look it up in the interpreter, of which nothing may be left when a daemon thread comes here at the end of a process.
class Locked {
  public:
    Locked() : state_(released_state) {
        or_sleep_at_exit([this] {
            if (state_)
                PyEval_RestoreThread(state_);
            else
                made_ = PyGILState_Ensure();
        });
    }
    ~Locked() {
        if (state_)
            PyEval_SaveThread();
        else
            PyGILState_Release(made_);
    }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

  private:
    PyThreadState* state_;
    PyGILState_STATE made_{};
};

// Releases the interpreter lock.
class Unlocked {
  public:
    Unlocked() : outer_(released_state) {
        prepare_to_throw();
        released_state = state_ = PyEval_SaveThread();
    }
    ~Unlocked() {
        released_state = outer_; // of the call that runs Python now, which makes this one
        or_sleep_at_exit([this] { PyEval_RestoreThread(state_); });
    }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

  private:
    PyThreadState* outer_;
    PyThreadState* state_;
};

using Progress = std::optional<nanobind::callable>;

// `progress` must outlive the watch. Without one the caller's time limit is checked (pathfront/progress.py); with one
// that is its task.
inline Watch python_watch(const Progress& progress = {}) {
    namespace nb = nanobind;
    enum class Needed { unknown, yes, no }; // whether the callback has anything to do
    return Watch([show = progress ? nb::handle(*progress) : nb::handle(), limit = nb::object(),
                  needed = Needed::unknown](double fraction) mutable {
        if (needed == Needed::no)
            return;
        Locked lock;
        or_sleep_at_exit([&] {
            if (needed == Needed::unknown) {
                const nb::object threading = nb::module_::import_("threading");
                const bool main = threading.attr("current_thread")().is(threading.attr("main_thread")());
                if (!show.is_valid()) {
                    limit = nb::module_::import_("pathfront.progress").attr("current_limit")();
                    if (!limit.is_none())
                        show = limit;
                }
                needed = main || show.is_valid() ? Needed::yes : Needed::no;
            }
            if (PyErr_CheckSignals() != 0)
                throw nb::python_error();
            if (show.is_valid())
                show(fraction);
        });
    });
}

// Returns f(watch), called without the interpreter lock.
template <class F>
auto without_lock(F&& f, const Progress& progress = {}) {
    Watch watch = python_watch(progress);
    Unlocked unlocked;
    return f(watch);
}

} // namespace pathfront
