// The native module: a table of contents.
#include <nanobind/nanobind.h>

#include <stdexcept>

#include "bindings/register.hpp"

namespace {

// A thread that releases the interpreter lock for a search gets back the lock of the main interpreter.
void require_main_interpreter() {
    if (PyInterpreterState_Get() != PyInterpreterState_Main())
        throw std::runtime_error("pathfront runs in Python's main interpreter only, but this is a subinterpreter; "
                                 "use threads, which may search at the same time, or processes.");
}

} // namespace

NB_MODULE(_core, m) {
    require_main_interpreter();
    m.doc() = "The native core of pathfront. Private: arguments are checked by the Python that calls it.";
    // A graph in a cache or a traceback may outlive the interpreter; a user should not read of a leak then.
    nanobind::set_leak_warnings(false);
    pathfront::register_graph(m);
    pathfront::register_search(m);
    pathfront::register_bfs(m);
    pathfront::register_centrality(m);
    pathfront::register_measures(m);
    pathfront::register_delta_stepping(m);
    pathfront::register_schedule(m);
    pathfront::register_adds(m);
    pathfront::register_tree(m);
    pathfront::register_adjacency(m);
    pathfront::register_dicts(m);
    pathfront::register_nearest(m);
    pathfront::register_local(m);
    pathfront::register_verify(m);
    pathfront::register_text(m);
    pathfront::register_generate(m);
}
