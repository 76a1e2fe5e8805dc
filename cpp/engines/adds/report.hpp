// What an ADDS search is told besides its task, and what it tells besides its outcome.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace pathfront::adds {

struct Settings {
    int exponent;         // delta is a power of two, at first this one
    int lowest, highest;  // what the exponent may become
    bool adaptive = true; // whether it changes at all
    std::uint32_t buckets = 32;
    unsigned block_bits = 12, segment_bits = 8;
    std::size_t most_blocks = 0; // 0: as many as memory holds
    double patience = 0;         // seconds without progress before the search is given up; 0: for ever
};

// The state at one moment, for traces.
struct Sample {
    double seconds; // since the search began
    double head;    // the lower end of the most urgent bucket
    double delta;
    std::uint64_t buckets;  // that hold anything
    std::uint64_t urgent;   // that work was assigned from at once, at most, since the last sample
    std::uint64_t workers;  // with an assignment
    std::uint64_t items;    // assigned to them
    std::uint64_t blocks;   // of the pool, in use
    std::uint64_t vertices; // processed since the last sample
    std::uint64_t edges;    // relaxed since the last sample
};

struct Report {
    std::vector<Sample> samples;                   // only if a trace is wanted
    std::vector<std::pair<double, double>> deltas; // seconds, delta: the first one and every change
    std::uint64_t sweeps = 0, assignments = 0, raised = 0, lowered = 0, most_buckets = 0, most_urgent = 1;
    std::uint64_t pushed = 0, clipped = 0;
    std::uint64_t blocks_high_water = 0, items_high_water = 0;
    std::int64_t excess_blocks = 0; // most blocks in use beyond what the live items would fill
    double utilisation = 0;         // the share of the time that threads spent on assignments
};

} // namespace pathfront::adds
