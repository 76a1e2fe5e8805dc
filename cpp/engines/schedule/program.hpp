// A recorded program: what a schedule says, as instructions for the machine.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace pathfront {

enum class Op : std::uint8_t {
    start,       // puts the sources into a queue
    repeat,      // jumps behind its end when all of its queues are empty
    again,       // jumps back to its repeat
    when,        // jumps unless a queue holds at least so many
    jump,        // jumps
    relax,       // takes a queue out, relaxes its vertices' arcs, queues what was improved
    relax_edges, // relaxes all arcs of the graph, and says in a queue whether anything fell
    pull,        // takes a queue out and looks for it among the in-arcs of all vertices that are not settled
    unique,      // drops the dead of a queue
    split,       // moves what is within limits to other queues
    lowest,      // the lowest distance of a queue, whose dead are dropped
    raise,       // a scalar becomes the sum of two others
    sort,        // orders a queue by distance
    merge,       // merges an ordered queue into another
    settled,     // ends the program if all targets are within a limit
    cycle,       // ends the program if the parents close a cycle
    trace,       // begins a row
};

enum class Traversal : std::uint8_t { cooperative_blocks, cta_warp_scan, load_balanced };

struct Instruction {
    Op op;
    std::vector<unsigned> queues;  // what is taken first, then where things go
    std::vector<unsigned> scalars; // limits in the order of the queues that they belong to
    std::int64_t number = 0;       // how many, which traversal, or a yes
    std::size_t jump = 0;          // where to go on
};

// What a program keeps between runs: its buffers.
struct Kept {
    virtual ~Kept() = default;
};

struct Program {
    std::vector<Instruction> code;
    unsigned queue_count = 0, scalar_count = 0;
    std::unique_ptr<Kept> kept;
};

} // namespace pathfront
