// The CPU device: recorded programs, and how they are run.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>

#include "bindings/register.hpp"
#include "bindings/searching.hpp"
#include "engines/schedule/machine.hpp"

namespace pathfront {
namespace {

// Adds an instruction and returns its index.
std::size_t add_instruction(Program& program, const std::string& op, std::vector<unsigned> queues,
                            std::vector<unsigned> scalars, std::int64_t number) {
    const auto found = std::find(std::begin(op_names), std::end(op_names), op);
    require(found != std::end(op_names), "an operation that the machine does not know");
    for (unsigned queue : queues)
        program.queue_count = std::max(program.queue_count, queue + 1);
    program.code.push_back(
        {static_cast<Op>(found - std::begin(op_names)), std::move(queues), std::move(scalars), number, 0});
    return program.code.size() - 1;
}

// Sets the jump target of an instruction, which is known only later.
void set_jump(Program& program, std::size_t place, std::size_t to) { program.code.at(place).jump = to; }

template <class D>
std::vector<D> typed(const nb::list& values) {
    nb::gil_scoped_acquire lock;
    std::vector<D> out;
    for (nb::handle value : values)
        out.push_back(nb::cast<D>(value));
    return out;
}

template <Parents parents, class W, class D>
Outcome<D> run_typed(Program& program, const SearchState<W, D>& state, const std::vector<D>& scalars, unsigned threads,
                     ParallelThresholds thresholds, Watch& watch, RunStats& stats) {
    try {
        return Machine<W, D, parents>(program, state, scalars, threads, thresholds, watch, stats).run();
    } catch (...) {
        program.cached.reset(); // its queues are half done
        throw;
    }
}

// What only some programs need; null where it is not.
struct More {
    std::optional<In<Offset>> in_offsets;
    std::optional<In<Vertex>> in_heads;
    std::optional<AnyIn> in_weights, lightest_out, dense, dense_in;

    // Arrays that have the type of the weights, which the caller has seen to.
    template <class W, class D>
    void put_on(SearchState<W, D>& state) const {
        const auto typed = [](const std::optional<AnyIn>& array) {
            require(!array || array->dtype() == nb::dtype<WeightOf<W>>(), "an array of another type than the weights");
            return array ? static_cast<const WeightOf<W>*>(array->data()) : nullptr;
        };
        state.lightest_out = typed(lightest_out);
        state.dense = {typed(dense)};
        state.dense_in = {typed(dense_in)};
        if (in_offsets && in_heads) {
            const WeightOf<W>* const weights = typed(in_weights);
            state.in_arcs = {state.graph.n, in_offsets->data(), in_heads->data(), nullptr};
            if constexpr (!std::is_same_v<W, Hop>)
                state.in_arcs.weights = weights;
        }
    }
};

Answer run_program(Program& program, In<Offset> offsets, In<Vertex> heads, std::optional<AnyIn> weights, Vertex source,
                   AnyOut dist, std::optional<Out<Vertex>> parent, nb::object cutoff, std::optional<In<Vertex>> targets,
                   bool trace, Progress progress, std::optional<In<Vertex>> others, nb::list scalars,
                   nb::object heaviest, bool negative, bool swaps, unsigned threads, std::optional<unsigned> share_from,
                   nb::list edges_by_thread, std::optional<In<Offset>> in_offsets, std::optional<In<Vertex>> in_heads,
                   std::optional<AnyIn> in_weights, std::optional<AnyIn> lightest_out, std::optional<AnyIn> dense,
                   std::optional<AnyIn> dense_in) {
    const More more{in_offsets, in_heads, in_weights, lightest_out, dense, dense_in};
    const ParallelThresholds thresholds = share_from ? ParallelThresholds{*share_from, *share_from, *share_from}
                                                     : ParallelThresholds::on(offsets.size() - 1, heads.size());
    RunStats stats;
    stats.traces = trace;
    Answer answer = run_search(
        offsets, heads, weights, source, dist, parent, cutoff, targets, false, progress, others,
        [&]<class W, class D>(const Csr<W>& graph, const Query<D>& query, Watch& watch) {
            const D heavy = cast_locked<D>(heaviest);
            const std::vector<D> values = typed<D>(scalars);
            program.scalar_count = static_cast<unsigned>(values.size());
            SearchState<W, D> state(graph, query, heavy, negative);
            state.swaps = swaps;
            more.put_on(state);
            // an entry of a wide distance has room for a parent anyway
            if constexpr (sizeof(D) == 4)
                if (!query.parent)
                    return run_typed<Parents::none>(program, state, values, threads, thresholds, watch, stats);
            return run_typed<Parents::when_settled>(program, state, values, threads, thresholds, watch, stats);
        });
    for (std::uint64_t edges : stats.edges_by_thread)
        edges_by_thread.append(edges);
    if (trace)
        answer.trace = to_numpy(std::move(stats.rows));
    return answer;
}

// The lightest arc that leaves each vertex: see SearchState. A weight that could be taken for "none" counts as a little
// less.
void lightest_out(In<Offset> offsets, std::optional<AnyIn> weights, AnyOut lightest, unsigned threads) {
    require(lightest.size() == offsets.size() - 1, "an array of n entries expected");
    with_weights(weights, [&]<class W>(const W* typed_weights) {
        using Weight = WeightOf<W>;
        require(lightest.dtype() == nb::dtype<Weight>(), "an array of the weights' type expected");
        const Csr<W> graph{static_cast<Vertex>(lightest.size()), offsets.data(), nullptr, typed_weights};
        auto* const out = static_cast<Weight*>(lightest.data());
        Watch watch = python_watch();
        nb::gil_scoped_release unlocked;
        for_blocks(threads, graph.n, 1 << 14, watch, [&](unsigned, std::int64_t from, std::int64_t to) {
            for (std::int64_t v = from; v < to; ++v) {
                out[v] = unreached<Weight>;
                for (Offset arc = graph.offsets[v]; arc < graph.offsets[v + 1]; ++arc)
                    out[v] = std::min({out[v], graph.weight(arc), largest_distance<Weight>});
            }
        });
    });
}

} // namespace

void register_device(nb::module_& m) {
    nb::class_<Program>(m, "Program", "A recorded schedule, with the buffers of its last run.")
        .def(nb::init<>())
        .def("add", &add_instruction, "op"_a, "queues"_a, "scalars"_a, "number"_a)
        .def("set_jump", &set_jump, "place"_a, "to"_a)
        .def("size", [](const Program& program) { return program.code.size(); });
    m.def("run_program", &run_program, "program"_a, "offsets"_a.noconvert(), "heads"_a.noconvert(),
          "weights"_a.noconvert().none(), "source"_a, "dist"_a.noconvert(), "parent"_a.noconvert().none(),
          "cutoff"_a.none(), "targets"_a.noconvert().none(), "trace"_a, "progress"_a.none(),
          "others"_a.noconvert().none(), "scalars"_a, "heaviest"_a, "negative"_a, "swaps"_a, "threads"_a,
          "share_from"_a.none(), "edges_by_thread"_a, "in_offsets"_a.noconvert().none() = nb::none(),
          "in_heads"_a.noconvert().none() = nb::none(), "in_weights"_a.noconvert().none() = nb::none(),
          "lightest_out"_a.noconvert().none() = nb::none(), "dense"_a.noconvert().none() = nb::none(),
          "dense_in"_a.noconvert().none() = nb::none());
    m.def("lightest_out", &lightest_out, "offsets"_a.noconvert(), "weights"_a.noconvert().none(),
          "lightest"_a.noconvert(), "threads"_a);
}

} // namespace pathfront
