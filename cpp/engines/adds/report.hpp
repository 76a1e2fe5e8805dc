// The settings of an ADDS search, and its statistics besides the outcome.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace pathfront::adds {

// No assignment was completed for longer than the caller allows; the text is the state of the search.
struct NoProgress : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Settings {
    double width;           // the initial delta
    double lowest, highest; // the range of delta
    bool adaptive = true;   // whether delta changes during the search
    std::uint32_t buckets = 32;
    unsigned block_bits = 12;    // items per block: 2^block_bits
    unsigned segment_bits = 8;   // items per segment: 2^segment_bits
    std::size_t most_blocks = 0; // 0: as many as memory holds
    double patience = 0;         // seconds without progress before the search fails; 0: no limit
    unsigned cores = 0;          // that threads run on at the same time; 0: as many as the machine has
};

// The state at one moment, for traces.
struct Sample {
    double seconds; // since the search began
    double head;    // the lower end of the most urgent bucket
    double delta;
    std::uint64_t near, far; // items in the buckets that may be assigned from, and in all others
    std::uint64_t labelled;  // vertices that have a distance
    std::uint64_t buckets;   // that hold items
    std::uint64_t urgent;    // most buckets assigned from at once since the last sample
    std::uint64_t workers;   // with an assignment
    std::uint64_t items;     // assigned to them
    std::uint64_t blocks;    // of the pool, in use
    // in total; in a report, since the last sample:
    std::uint64_t vertices, edges; // processed, relaxed
    std::uint64_t resorted;        // items moved to another bucket
    std::uint64_t discarded;       // stale items
};

struct Report {
    std::vector<Sample> samples;                   // only if a trace is wanted
    std::vector<std::pair<double, double>> deltas; // seconds, delta: the first one and every change
    std::uint64_t sweeps = 0, assignments = 0, raised = 0, lowered = 0, most_buckets = 0, most_urgent = 1;
    std::uint64_t pushed = 0, clipped = 0;
    std::uint64_t resorted = 0; // items that were moved to another bucket after delta had been lowered
    std::uint64_t blocks_high_water = 0, items_high_water = 0;
    std::int64_t excess_blocks = 0; // most blocks in use beyond what the live items would fill
    double utilisation = 0;         // the share of the threads' time spent on assignments
};

} // namespace pathfront::adds
