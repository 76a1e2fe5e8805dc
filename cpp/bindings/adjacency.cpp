// Dictionaries of dictionaries, {tail: {head: data}}, read as arrays. In a multigraph the data of a pair is {key:
// data}.
#include <cmath>

#include "bindings/arrays.hpp"
#include "bindings/define.hpp"
#include "bindings/objects.hpp"
#include "bindings/register.hpp"
#include "bindings/watching.hpp"
#include "core/csr.hpp"

namespace pathfront {
namespace {

constexpr std::int64_t exact_in_double = std::int64_t{1} << 53;

PyObject* require_dict(PyObject* value) {
    if (!PyDict_Check(value))
        throw nb::type_error("a dictionary expected");
    return value;
}

// Calls f(tail, head, data) for every entry. `f` may run Python, which must not change the dictionaries meanwhile.
template <class F>
void for_pairs(const nb::dict& adjacency, F&& f) {
    Watch watch = python_watch();
    PyObject *tail, *row, *head, *data;
    Py_ssize_t i = 0;
    while (PyDict_Next(adjacency.ptr(), &i, &tail, &row)) {
        const nb::object kept = nb::borrow(require_dict(row));
        Py_ssize_t k = 0;
        while (PyDict_Next(row, &k, &head, &data))
            f(tail, head, data);
        watch.tick(PyDict_GET_SIZE(row) + 1);
    }
}

// The names of the vertices, {name: vertex}, offsets and heads. With `parallel` each edge of a multigraph is an arc.
nb::tuple read_adjacency(const nb::dict& adjacency, bool parallel) {
    nb::object names = owned(PyDict_Keys(adjacency.ptr()));
    nb::dict vertices;
    Watch watch = python_watch();
    const CollectorPaused paused;
    const Py_ssize_t n = PyList_GET_SIZE(names.ptr());
    for (Py_ssize_t v = 0; v < n; ++v) {
        require_done(PyDict_SetItem(vertices.ptr(), PyList_GET_ITEM(names.ptr(), v), python_number(v).ptr()));
        watch.tick(1);
    }
    std::vector<Offset> offsets{0};
    std::vector<Vertex> heads;
    offsets.reserve(n + 1);
    PyObject *tail, *row, *head, *data;
    Py_ssize_t i = 0;
    while (PyDict_Next(adjacency.ptr(), &i, &tail, &row)) {
        Py_ssize_t k = 0;
        require_dict(row);
        while (PyDict_Next(row, &k, &head, &data)) {
            PyObject* vertex = PyDict_GetItemWithError(vertices.ptr(), head);
            if (vertex == nullptr && PyErr_Occurred())
                throw nb::python_error();
            require(vertex != nullptr, "an edge leads to a node that is not in the graph");
            heads.insert(heads.end(), parallel ? PyDict_GET_SIZE(require_dict(data)) : 1,
                         static_cast<Vertex>(PyLong_AsLongLong(vertex)));
        }
        offsets.push_back(static_cast<Offset>(heads.size()));
        watch.tick(PyDict_GET_SIZE(row) + 1);
    }
    return nb::make_tuple(std::move(names), std::move(vertices), to_numpy(std::move(offsets)),
                          to_numpy(std::move(heads)));
}

// Numbers of Python as an array: of integers as long as all are, then of floats if these are exact.
class Numbers {
  public:
    Numbers() : integer_(nb::module_::import_("numpy").attr("integer")) {}

    // Entries that are None are 0 here and listed as hidden.
    void add(PyObject* value) {
        if (value == nullptr) {
            ++missing_;
            if (first_missing_ < 0)
                first_missing_ = size_;
            push(std::int64_t{1});
        } else if (PyFloat_Check(value)) {
            push(PyFloat_AS_DOUBLE(value));
        } else if (value == Py_None) {
            hidden_.push_back(size_);
            push(std::int64_t{0});
        } else if (PyLong_Check(value)) {
            push_integer(value);
        } else if (PyObject_IsInstance(value, integer_.ptr()) == 1) {
            push_integer(owned(PyNumber_Index(value)).ptr());
        } else {
            PyErr_Clear();
            odd();
        }
    }

    // A value that no array holds.
    void odd() {
        if (odd_ < 0)
            odd_ = size_;
        push(std::int64_t{0});
    }

    // The array, the first entry that it cannot hold (or -1), the entries that are None, the first that is missing
    // (or -1), and how many are.
    nb::tuple taken() {
        nb::object values;
        if (floats_.empty())
            values = low_ >= 0 && high_ < 0xFFFFFFFF ? narrow() : to_numpy(std::move(integers_));
        else
            values = to_numpy(std::move(floats_));
        return nb::make_tuple(values, odd_, to_numpy(std::move(hidden_)), first_missing_, missing_);
    }

  private:
    void push_integer(PyObject* value) {
        int overflow = 0;
        const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
        overflow == 0 ? push(static_cast<std::int64_t>(number)) : odd();
    }

    void push(std::int64_t value) {
        low_ = std::min(low_, value);
        high_ = std::max(high_, value);
        if (floats_.empty()) {
            integers_.push_back(value);
        } else {
            require_exact();
            floats_.push_back(static_cast<double>(value));
        }
        ++size_;
    }

    void push(double value) {
        if (floats_.empty()) {
            floats_.assign(integers_.begin(), integers_.end());
            require_exact();
        }
        if (!std::isfinite(value) && odd_ < 0)
            odd_ = size_;
        floats_.push_back(value);
        ++size_;
    }

    void require_exact() {
        if ((low_ < -exact_in_double || high_ > exact_in_double) && odd_ < 0)
            odd_ = size_;
    }

    nb::object narrow() { return to_numpy(std::vector<std::uint32_t>(integers_.begin(), integers_.end())); }

    nb::object integer_;
    std::vector<std::int64_t> integers_, hidden_;
    std::vector<double> floats_;
    std::int64_t size_ = 0, missing_ = 0, first_missing_ = -1, odd_ = -1, low_ = 0, high_ = 0;
};

PyObject* attribute_of(PyObject* data, const nb::object& attribute) {
    PyObject* value = PyDict_GetItemWithError(require_dict(data), attribute.ptr());
    if (value == nullptr && PyErr_Occurred())
        throw nb::python_error();
    return value;
}

// The least of the values of parallel edges, as min() finds it; nullptr for several that cannot be compared.
nb::object least_of(PyObject* edges, const nb::object& attribute, const nb::object& missing) {
    nb::object best;
    PyObject *key, *data;
    Py_ssize_t k = 0;
    while (PyDict_Next(edges, &k, &key, &data)) {
        PyObject* found = attribute_of(data, attribute);
        const nb::object value = found == nullptr ? missing : nb::borrow(found);
        if (!best.is_valid()) {
            best = value;
            continue;
        }
        const int less = PyObject_RichCompareBool(value.ptr(), best.ptr(), Py_LT);
        if (less < 0) {
            PyErr_Clear();
            return {};
        }
        if (less == 1)
            best = value;
    }
    return best;
}

// An attribute of the edges, in the order of `read_adjacency`; that of a pair in a multigraph is the least of its edges
// unless each is an arc (`parallel`).
nb::tuple read_attribute(const nb::dict& adjacency, const nb::object& attribute, bool multigraph, bool parallel) {
    Numbers numbers;
    const nb::object one = python_number(1);
    for_pairs(adjacency, [&](PyObject*, PyObject*, PyObject* data) {
        if (!multigraph) {
            numbers.add(attribute_of(data, attribute));
        } else if (parallel) {
            PyObject *key, *edge;
            Py_ssize_t k = 0;
            while (PyDict_Next(require_dict(data), &k, &key, &edge))
                numbers.add(attribute_of(edge, attribute));
        } else if (const nb::object least = least_of(require_dict(data), attribute, one); least.is_valid()) {
            numbers.add(least.ptr());
        } else {
            numbers.odd();
        }
    });
    return numbers.taken();
}

// The same of a list of values.
nb::tuple read_numbers(const nb::list& values) {
    Numbers numbers;
    Watch watch = python_watch();
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(values.ptr()); ++i) {
        numbers.add(PyList_GET_ITEM(values.ptr(), i));
        watch.tick(1);
    }
    return numbers.taken();
}

} // namespace

void register_adjacency(nb::module_& m) {
    define(m, "read_adjacency", &read_adjacency, {"adjacency", "parallel"});
    define(m, "read_attribute", &read_attribute, {"adjacency", "attribute", "multigraph", "parallel"});
    define(m, "read_numbers", &read_numbers, {"values"});
}

} // namespace pathfront
