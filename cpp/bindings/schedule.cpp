// Recorded schedules, and how they are run.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>

#include "bindings/define.hpp"
#include "bindings/register.hpp"
#include "bindings/request.hpp"
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
void set_jump(Program& program, std::size_t index, std::size_t to) { program.code.at(index).jump = to; }

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

// The settings of a program, besides its request.
struct ProgramSettings {
    nb::list scalars;                      // the first values of the program's scalars
    bool negative;                         // some weights are negative
    bool swaps;                            // see Task
    std::optional<unsigned> parallel_from; // the size from which operations are parallel, where it is not the default
    // What only some programs need: the graph with its arcs reversed, the lightest arc of each vertex, and the graph
    // as a matrix.
    std::optional<Arcs> in_arcs;
    std::optional<AnyIn> lightest_out, dense, dense_in;

    template <class D>
    std::vector<D> values() const {
        Locked lock;
        std::vector<D> out;
        for (nb::handle value : scalars)
            out.push_back(nb::cast<D>(value));
        return out;
    }

    template <class W, class D>
    void add_to(SearchState<W, D>& state) const {
        const auto typed = [](const std::optional<AnyIn>& array) {
            require(!array || array->dtype() == nb::dtype<WeightOf<W>>(), "an array of another type than the weights");
            return array ? static_cast<const WeightOf<W>*>(array->data()) : nullptr;
        };
        state.swaps = swaps;
        state.lightest_out = typed(lightest_out);
        state.dense = {typed(dense)};
        state.dense_in = {typed(dense_in)};
        if (in_arcs) {
            const WeightOf<W>* const weights = typed(in_arcs->weights);
            state.in_arcs = in_arcs->with<W>(nullptr);
            if constexpr (!std::is_same_v<W, Hop>)
                state.in_arcs.weights = weights;
        }
    }
};

// Runs a program. Returns the answer, the number of arcs that each thread relaxed, and, if a trace is wanted, the
// seconds spent on relaxing arcs and on organising queues.
nb::tuple run_program(Program& program, const Request& request, const ProgramSettings& settings) {
    const std::optional<unsigned> from = settings.parallel_from;
    const ParallelThresholds thresholds = from ? ParallelThresholds{*from, *from, *from}
                                               : ParallelThresholds::on(request.arcs.n(), request.arcs.heads.size());
    RunStats stats;
    stats.traces = request.trace;
    Answer answer = run_search(
        request, [&]<class W, class D>(const Csr<W>& graph, const Query<D>& query, D heaviest, Watch& watch) {
            const std::vector<D> values = settings.values<D>();
            program.scalar_count = static_cast<unsigned>(values.size());
            SearchState<W, D> state(graph, query, heaviest, settings.negative);
            settings.add_to(state);
            // an entry of a wide distance has room for a parent anyway
            if constexpr (sizeof(D) == 4)
                if (!query.parent)
                    return run_typed<Parents::none>(program, state, values, request.threads, thresholds, watch, stats);
            return run_typed<Parents::when_settled>(program, state, values, request.threads, thresholds, watch, stats);
        });
    if (request.trace)
        answer.trace = to_numpy(std::move(stats.rows)); // rows with the program's own columns
    return nb::make_tuple(std::move(answer), stats.edges_by_thread, stats.relaxing, stats.organising);
}

// The lightest arc that leaves each vertex: see SearchState. A weight that could be taken for "none" counts as a little
// less.
void lightest_out(const Arcs& arcs, AnyOut lightest, unsigned threads) {
    require(lightest.size() == arcs.n(), "an array of n entries expected");
    arcs.typed([&]<class W>(const Csr<W>& graph) {
        using Weight = WeightOf<W>;
        require(lightest.dtype() == nb::dtype<Weight>(), "an array of the weights' type expected");
        auto* const out = static_cast<Weight*>(lightest.data());
        without_lock([&](Watch& watch) {
            for_blocks(threads, graph.n, 1 << 14, watch, [&](unsigned, std::int64_t from, std::int64_t to) {
                for (std::int64_t v = from; v < to; ++v) {
                    out[v] = unreached<Weight>;
                    for (Offset arc = graph.offsets[v]; arc < graph.offsets[v + 1]; ++arc)
                        out[v] = std::min({out[v], graph.weight(arc), largest_distance<Weight>});
                }
            });
        });
    });
}

} // namespace

void register_schedule(nb::module_& m) {
    nb::class_<Program>(m, "Program", "A recorded schedule, with the buffers of its last run.")
        .def(nb::init<>())
        .def("add", &add_instruction, nb::arg("op"), nb::arg("queues"), nb::arg("scalars"), nb::arg("number"))
        .def("set_jump", &set_jump, nb::arg("index"), nb::arg("to"))
        .def("size", [](const Program& program) { return program.code.size(); });
    using Settings = ProgramSettings;
    nb::class_<Settings> settings(m, "ProgramSettings", "The settings of a program, besides its request.");
    bind_fields(settings, Field{"scalars", &Settings::scalars}, Field{"negative", &Settings::negative},
                Field{"swaps", &Settings::swaps}, Field{"parallel_from", &Settings::parallel_from},
                Field{"in_arcs", &Settings::in_arcs}, Field{"lightest_out", &Settings::lightest_out},
                Field{"dense", &Settings::dense}, Field{"dense_in", &Settings::dense_in});
    define(m, "run_program", &run_program, {"program", "request", "settings"});
    nb::list ops;
    for (const std::string_view name : op_names)
        ops.append(nb::str(name.data(), name.size()));
    m.attr("OPS") = nb::tuple(ops);
    define(m, "lightest_out", &lightest_out, {"arcs", "lightest", "threads"});
}

} // namespace pathfront
