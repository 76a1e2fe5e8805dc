// The CPU device: recorded programs, and how they are run.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <string_view>

#include "bindings/register.hpp"
#include "bindings/searching.hpp"
#include "device/machine.hpp"

namespace pathfront {
namespace {

constexpr std::array<std::string_view, 17> op_names{"start", "repeat", "again",  "when",  "jump",    "relax",
                                                    "relax_edges", "pull", "unique", "split", "lowest", "raise",
                                                    "sort", "merge", "settled", "cycle", "trace"};

// Adds an instruction and returns its place.
std::size_t add_instruction(Program& program, const std::string& op, std::vector<unsigned> queues, std::vector<unsigned> scalars,
                std::int64_t number) {
    const auto found = std::find(op_names.begin(), op_names.end(), op);
    require(found != op_names.end(), "an operation that the machine does not know");
    for (unsigned queue : queues)
        program.queue_count = std::max(program.queue_count, queue + 1);
    program.code.push_back({static_cast<Op>(found - op_names.begin()), std::move(queues), std::move(scalars), number, 0});
    return program.code.size() - 1;
}

// Says where an instruction jumps to, which is known only later.
void set_jump(Program& program, std::size_t place, std::size_t to) { program.code.at(place).jump = to; }

template <class D>
std::vector<D> typed(const nb::list& values) {
    std::vector<D> out;
    for (nb::handle value : values)
        out.push_back(nb::cast<D>(value));
    return out;
}

template <bool keeps_parents, class W, class D>
Outcome<D> run_typed(Program& program, const Board<W, D>& board, const std::vector<D>& scalars, unsigned threads,
                     bool traces, Watch& watch, Account& account) {
    try {
        return Machine<W, D, keeps_parents>(program, board, scalars, threads, traces, watch, account).run();
    } catch (...) {
        program.kept.reset(); // half-done queues
        throw;
    }
}

Answer run_program(Program& program, In<Offset> offsets, In<Vertex> heads, std::optional<AnyIn> weights, Vertex source,
                   AnyOut dist, std::optional<Out<Vertex>> parent, nb::object cutoff, std::optional<In<Vertex>> targets,
                   bool trace, Progress progress, std::optional<In<Vertex>> others, nb::list scalars,
                   nb::object heaviest, bool negative, unsigned threads, nb::list edges_by_member) {
    Account account;
    Answer answer = run_search(
        offsets, heads, weights, source, dist, parent, cutoff, targets, false, progress, others,
        [&]<class W, class D>(const Csr<W>& graph, const Query<D>& query, Watch& watch) {
            D heavy;
            std::vector<D> values;
            {
                nb::gil_scoped_acquire lock;
                heavy = nb::cast<D>(heaviest);
                values = typed<D>(scalars);
            }
            program.scalar_count = static_cast<unsigned>(values.size());
            const Board<W, D> board{graph, query, safe_distance(heavy), negative || heavy > largest_distance<D>};
            // an entry of a wide distance has room for a parent anyway
            if constexpr (sizeof(D) == 4)
                if (!query.parent)
                    return run_typed<false>(program, board, values, threads, trace, watch, account);
            return run_typed<true>(program, board, values, threads, trace, watch, account);
        });
    for (std::uint64_t edges : account.edges_by_member)
        edges_by_member.append(edges);
    if (trace)
        answer.trace = to_numpy(std::move(account.rows));
    return answer;
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
          "others"_a.noconvert().none(), "scalars"_a, "heaviest"_a, "negative"_a, "threads"_a, "edges_by_member"_a);
}

} // namespace pathfront
