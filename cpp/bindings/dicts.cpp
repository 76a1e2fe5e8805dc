// Answers with the objects that name the vertices: dictionaries of Python, and A* with an estimate in Python.
#include "bindings/arrays.hpp"
#include "bindings/define.hpp"
#include "bindings/objects.hpp"
#include "bindings/register.hpp"
#include "bindings/watching.hpp"
#include "core/prefetch.hpp"
#include "engines/astar.hpp"
#include "graph/settling.hpp"

namespace pathfront {
namespace {

std::int64_t settling_order(const Arcs& arcs, const AnyIn& dist, In<Vertex> sources, Out<Vertex> order,
                            Out<Vertex> parent) {
    const std::size_t n = arcs.n();
    require(dist.size() == n && order.size() == n && parent.size() == n, "arrays of n entries expected");
    std::int64_t count = 0;
    with_graph_and_distance(arcs, dist, [&](const auto& graph, const auto* typed_dist) {
        count = without_lock([&](Watch& watch) {
            return settle(graph, typed_dist, sources.data(), static_cast<std::int64_t>(sources.size()), order.data(),
                          parent.data(), watch);
        });
    });
    return count;
}

// The names of vertices: a list, which must hold one for each.
class Names {
  public:
    Names(const nb::list& names, std::size_t n) : names_(names.ptr()) {
        require(nb::len(names) == n, "one name per vertex expected");
    }
    PyObject* operator[](Vertex v) const { return PyList_GET_ITEM(names_, v); }

    // The same, with the name at a later place of the order requested: names are anywhere in memory.
    PyObject* at(const In<Vertex>& order, std::size_t i) const {
        constexpr std::size_t ahead = 16;
        if (i + ahead < order.size())
            prefetch_to_write((*this)[order.data()[i + ahead]]);
        return (*this)[order.data()[i]];
    }

  private:
    PyObject* names_;
};

void require_vertices(const In<Vertex>& vertices, std::size_t n) {
    for (std::size_t i = 0; i < vertices.size(); ++i)
        require(vertices.data()[i] < n, "vertices expected");
}

// The distance of each vertex, in this order. The first `exact` ones are the integer 0 whatever the type is: sources.
nb::dict distance_dict(const nb::list& names, In<Vertex> order, const AnyIn& dist, std::size_t exact) {
    const Names name(names, dist.size());
    require_vertices(order, dist.size());
    const nb::object zero = python_number(0);
    nb::dict made;
    Watch watch = python_watch();
    const CollectorPaused paused;
    with_numbers(dist, [&](const auto* typed_dist) {
        for (std::size_t i = 0; i < order.size(); ++i) {
            watch.tick(1);
            const Vertex v = order.data()[i];
            const nb::object value = i < exact ? zero : python_number(typed_dist[v]);
            require_done(PyDict_SetItem(made.ptr(), name.at(order, i), value.ptr()));
        }
    });
    return made;
}

// The path to each vertex, in this order, in which parents stand before their children. `turned` paths begin with the
// vertex itself: those of a search along reversed arcs.
nb::dict path_dict(const nb::list& names, In<Vertex> order, In<Vertex> parent, bool turned) {
    const Names name(names, parent.size());
    require_vertices(order, parent.size());
    nb::dict made;
    Watch watch = python_watch();
    const CollectorPaused paused;
    std::vector<PyObject*> paths(parent.size()); // borrowed from the dictionary
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Vertex v = order.data()[i], before = parent.data()[v];
        PyObject* first = before == no_vertex ? nullptr : paths.at(before);
        require(before == no_vertex || first != nullptr, "parents before their children expected");
        const Py_ssize_t length = first == nullptr ? 0 : PyList_GET_SIZE(first);
        const nb::object path = owned(PyList_New(length + 1));
        for (Py_ssize_t k = 0; k < length; ++k)
            PyList_SET_ITEM(path.ptr(), k + turned, Py_NewRef(PyList_GET_ITEM(first, k)));
        PyList_SET_ITEM(path.ptr(), turned ? 0 : length, Py_NewRef(name[v]));
        require_done(PyDict_SetItem(made.ptr(), name[v], path.ptr()));
        paths[v] = path.ptr();
        watch.tick(length + 1);
    }
    return made;
}

// All predecessors of each vertex on shortest paths, in the order of the vertices.
nb::dict predecessor_dict(const nb::list& names, const Arcs& arcs, In<Vertex> order, const AnyIn& dist) {
    const Names name(names, arcs.n());
    require(dist.size() == arcs.n(), "one distance per vertex expected");
    require_vertices(order, arcs.n());
    nb::dict made;
    Watch watch = python_watch();
    const CollectorPaused paused;
    std::vector<PyObject*> lists(arcs.n()); // borrowed from the dictionary
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Vertex v = order.data()[i];
        const nb::object list = owned(PyList_New(0));
        require_done(PyDict_SetItem(made.ptr(), name[v], list.ptr()));
        lists[v] = list.ptr();
        watch.tick(1);
    }
    with_graph_and_distance(arcs, dist, [&](const auto& graph, const auto* typed_dist) {
        for_tight_arcs(graph, typed_dist, order.data(), static_cast<std::int64_t>(order.size()), watch,
                       [&](Vertex u, Vertex v) {
                           if (lists[v] != nullptr)
                               require_done(PyList_Append(lists[v], name[u]));
                       });
    });
    return made;
}

// The path that A* finds, with an estimate that is a function of Python: (vertices, distance), or None if there is
// none.
nb::object astar_path(const nb::list& names, const Arcs& arcs, Vertex source, Vertex target,
                      const nb::callable& heuristic, std::optional<double> limit) {
    const Names name(names, arcs.n());
    require(source < arcs.n() && target < arcs.n(), "vertices expected");
    nb::object answer = nb::none();
    Watch watch = python_watch();
    const auto estimate = [&](Vertex v) {
        const nb::object left = heuristic(nb::borrow(name[v]), nb::borrow(name[target]));
        const double number = PyFloat_AsDouble(left.ptr());
        if (number == -1 && PyErr_Occurred())
            throw nb::python_error();
        return number;
    };
    const auto run = [&]<class D>(const auto& graph, D) {
        AStarAnswer<D> found = astar<D>(graph, source, target, estimate, limit, watch);
        if (found.overflow)
            throw std::overflow_error("a distance needs more than 64 bits");
        if (!found.path.empty())
            answer = nb::make_tuple(to_numpy(std::move(found.path)), python_number(found.distance));
    };
    arcs.typed([&]<class W>(const Csr<W>& graph) { run(graph, typename DistanceTypes<W>::Wide{}); });
    return answer;
}

} // namespace

void register_dicts(nb::module_& m) {
    define(m, "settling_order", &settling_order, {"arcs", "dist", "sources", "order", "parent"});
    define(m, "distance_dict", &distance_dict, {"names", "order", "dist", "exact"});
    define(m, "path_dict", &path_dict, {"names", "order", "parent", "turned"});
    define(m, "predecessor_dict", &predecessor_dict, {"names", "arcs", "order", "dist"});
    define(m, "astar_path", &astar_path, {"names", "arcs", "source", "target", "heuristic", "limit"});
}

} // namespace pathfront
