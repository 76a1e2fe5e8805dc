// Requests and answers of all engines, and the serial engines.
#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/request.hpp"
#include "core/binary_heap.hpp"
#include "engines/bellman_ford.hpp"
#include "engines/dijkstra.hpp"
#include "engines/exact_bellman_ford.hpp"

namespace pathfront {
namespace {

Answer run_dijkstra(const Request& request) {
    return run_search(request, [](const auto& graph, const auto& query, auto heaviest, Watch& watch) {
        return dijkstra(graph, query, heaviest, watch);
    });
}

Answer run_dijkstra_with_binary_heap(const Request& request) {
    return run_search(request, [](const auto& graph, const auto& query, auto heaviest, Watch& watch) {
        return dijkstra<BinaryHeap>(graph, query, heaviest, watch);
    });
}

Answer run_bellman_ford(const Request& request) {
    require(request.parent.has_value(), "Bellman-Ford finds a negative cycle among the parents");
    return run_search(request, [](const auto& graph, const auto& query, auto, Watch& watch) {
        return bellman_ford(graph, query, watch);
    });
}

Answer run_exact_bellman_ford(const Request& request) {
    require(request.parent.has_value(), "Bellman-Ford finds a negative cycle among the parents");
    return run_search(request, [&]<class W, class D>(const Csr<W>& graph, const Query<D>& query, D, Watch& watch) {
        if constexpr (std::is_signed_v<W>)
            return exact_bellman_ford(graph, query, request.threads, watch);
        else
            return require(false, "signed weights expected"), Outcome<D>{};
    });
}

} // namespace

void register_search(nb::module_& m) {
    nb::class_<Request> request(m, "Request", "One search: the inputs of every engine.");
    bind_fields(request, Field{"arcs", &Request::arcs}, Field{"heaviest", &Request::heaviest},
                Field{"source", &Request::source}, Field{"others", &Request::others}, Field{"dist", &Request::dist},
                Field{"parent", &Request::parent}, Field{"cutoff", &Request::cutoff},
                Field{"targets", &Request::targets}, Field{"threads", &Request::threads},
                Field{"trace", &Request::trace}, Field{"progress", &Request::progress});
    nb::class_<Answer>(m, "Answer", "What an engine reports of its run; the distances are in the request's array.")
        .def_ro("iterations", &Answer::iterations)
        .def_ro("vertices_processed", &Answer::vertices_processed)
        .def_ro("edges_relaxed", &Answer::edges_relaxed)
        .def_ro("threads", &Answer::threads)
        .def_ro("overflow", &Answer::overflow)
        .def_ro("radius", &Answer::radius)
        .def_ro("on_cycle", &Answer::on_cycle)
        .def_ro("width", &Answer::width)
        .def_ro("trace", &Answer::trace);
    define(m, "dijkstra", &run_dijkstra, {"request"});
    define(m, "dijkstra_with_binary_heap", &run_dijkstra_with_binary_heap, {"request"});
    define(m, "bellman_ford", &run_bellman_ford, {"request"});
    define(m, "exact_bellman_ford", &run_exact_bellman_ford, {"request"});
}

} // namespace pathfront
