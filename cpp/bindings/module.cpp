// The native module: a table of contents.
#include <nanobind/nanobind.h>

#include "bindings/register.hpp"

NB_MODULE(_core, m) {
    m.doc() = "The native core of pathfront. Private: arguments are checked by the Python that calls it.";
    // A graph in a cache or a traceback may outlive the interpreter; a user should not read of a leak then.
    nanobind::set_leak_warnings(false);
    pathfront::register_graph(m);
    pathfront::register_search(m);
    pathfront::register_bfs(m);
    pathfront::register_delta_stepping(m);
    pathfront::register_schedule(m);
    pathfront::register_adds(m);
    pathfront::register_tree(m);
    pathfront::register_verify(m);
    pathfront::register_text(m);
    pathfront::register_generate(m);
}
