// A recorded program: a schedule as instructions for the machine.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace pathfront {

// All operations, listed once: the enumeration and the names that Python uses.
#define PATHFRONT_OPS(X)                                                                                               \
    X(start)          /* queues the sources */                                                                         \
    X(repeat)         /* jumps behind its end when all of its queues are empty */                                      \
    X(again)          /* jumps back to its repeat */                                                                   \
    X(when)           /* jumps unless a queue holds at least so many entries */                                        \
    X(jump)           /* jumps */                                                                                      \
    X(relax)          /* takes a queue out, relaxes the arcs of its vertices, queues the improved ones */              \
    X(relax_edges)    /* relaxes all arcs of the graph; a queue receives an entry if any distance fell */              \
    X(relax_vertices) /* the same, a list at a time, without those of unreached vertices */                            \
    X(pull)           /* takes a queue out; every vertex that is not settled scans its in-arcs for it */               \
    X(unique)         /* drops the stale entries of a queue */                                                         \
    X(split)          /* moves entries within limits to other queues */                                                \
    X(lowest)         /* the lowest distance of a queue, whose stale entries are dropped */                            \
    X(raise)          /* a scalar becomes the sum of two others */                                                     \
    X(sort)           /* orders a queue by distance */                                                                 \
    X(merge)          /* merges an ordered queue into another */                                                       \
    X(settled)        /* ends the program if all targets are within a limit */                                         \
    X(cycle)          /* ends the program if the parents close a cycle */                                              \
    X(trace)          /* begins a row of the trace */

enum class Op : std::uint8_t {
#define PATHFRONT_OP(name) name,
    PATHFRONT_OPS(PATHFRONT_OP)
#undef PATHFRONT_OP
};

inline constexpr std::string_view op_names[] = {
#define PATHFRONT_OP(name) #name,
    PATHFRONT_OPS(PATHFRONT_OP)
#undef PATHFRONT_OP
};

// In the order of TRAVERSALS in src/pathfront/devices/protocol.py.
enum class Traversal : std::uint8_t { load_balanced, cta_warp_scan, cooperative_blocks, thread_per_list };

// In the number of an operation that relaxes: sums are of the distances at its beginning. In a relax it is added to the
// traversal.
inline constexpr std::int64_t synchronous = 256;

// What the operands of a trace are: first the end of the window and its width among the scalars, and the near queues
// and the far ones among the queues; the rest are columns.
struct TraceForm {
    bool has_limit, has_delta, threads;
    std::size_t near, far;

    // From the instruction's number: see TraceForm in src/pathfront/devices/protocol.py.
    explicit TraceForm(std::int64_t number = 0)
        : has_limit(number & 1), has_delta(number & 2), threads(number & 4),
          near(static_cast<std::size_t>(number >> 8 & 255)), far(static_cast<std::size_t>(number >> 16 & 255)) {}
};

struct Instruction {
    Op op;
    std::vector<unsigned> queues;  // first the queue that is taken out, then the destinations
    std::vector<unsigned> scalars; // limits, in the order of their queues
    std::int64_t number = 0;       // a count, a traversal or a flag
    std::size_t jump = 0;          // the index of the instruction to go on with
};

// The buffers that a program caches between runs: see buffers.hpp.
struct CachedBuffers {
    virtual ~CachedBuffers() = default;
};

struct Program {
    std::vector<Instruction> code;
    unsigned queue_count = 0, scalar_count = 0;
    std::unique_ptr<CachedBuffers> cached;
};

} // namespace pathfront
