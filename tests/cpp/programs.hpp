// Recorded programs, as pathfront/devices/cpu.py makes them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "engines/schedule/program.hpp"

namespace pathfront {

using D = std::uint32_t; // of their scalars

struct Recording {
    Program program;
    std::vector<D> scalars;

    std::size_t add(Op op, std::vector<unsigned> queues = {}, std::vector<unsigned> values = {},
                    std::int64_t number = 0) {
        for (unsigned queue : queues)
            program.queue_count = std::max(program.queue_count, queue + 1);
        program.code.push_back({op, std::move(queues), std::move(values), number, 0});
        return program.code.size() - 1;
    }

    void close(std::size_t repeat) {
        program.code[add(Op::again)].jump = repeat;
        program.code[repeat].jump = program.code.size();
    }
};

// `mode` is 0 or `synchronous`.
inline Recording workfront(Traversal traversal, std::int64_t mode = 0) {
    Recording r;
    r.add(Op::start, {0});
    const std::size_t loop = r.add(Op::repeat, {0});
    r.add(Op::relax, {0, 0}, {}, static_cast<std::int64_t>(traversal) + mode);
    r.add(Op::unique, {0, 0});
    r.close(loop);
    return r;
}

// Near (0) and far (1); limit, step, lowest.
inline Recording near_far(Traversal traversal, D delta) {
    Recording r;
    r.scalars = {delta, delta, 0};
    r.add(Op::start, {0});
    const std::size_t outer = r.add(Op::repeat, {0, 1});
    const std::size_t inner = r.add(Op::repeat, {0});
    r.add(Op::relax, {0, 0, 1}, {0}, static_cast<std::int64_t>(traversal));
    r.close(inner);
    r.add(Op::lowest, {1, 1}, {2});
    r.add(Op::raise, {}, {0, 2, 1});
    r.add(Op::split, {1, 0, 1}, {0});
    r.close(outer);
    return r;
}

// One bucket, sorted and merged: lowest (0), found (1), pile (2), far (3); end, step, base.
inline Recording sorted_buckets(D delta) {
    Recording r;
    r.scalars = {delta, delta, 0};
    r.add(Op::start, {2});
    const std::size_t outer = r.add(Op::repeat, {2, 3});
    r.add(Op::split, {2, 0, 2}, {0}, 1);
    const std::size_t inner = r.add(Op::repeat, {0});
    r.add(Op::relax, {0, 1, 3}, {0}, static_cast<std::int64_t>(Traversal::cooperative_blocks));
    r.add(Op::sort, {1});
    r.add(Op::merge, {1, 2});
    r.add(Op::split, {2, 0, 2}, {0}, 1);
    r.close(inner);
    r.add(Op::lowest, {3, 3}, {2});
    r.add(Op::raise, {}, {0, 2, 1});
    r.add(Op::split, {3, 2, 3}, {0});
    r.add(Op::sort, {2});
    r.close(outer);
    return r;
}

inline Recording all_arcs(Op relaxing, std::int64_t mode = 0) {
    Recording r;
    r.add(Op::start, {0});
    const std::size_t loop = r.add(Op::repeat, {0});
    r.add(relaxing, {0}, {}, mode);
    r.close(loop);
    return r;
}

// FrontierVertex (0) and waiting (1); lowest.
inline Recording martin(Op relaxing) {
    Recording r;
    r.scalars = {0};
    r.add(Op::start, {1});
    const std::size_t loop = r.add(Op::repeat, {1});
    r.add(Op::lowest, {1, 1}, {0});
    r.add(Op::split, {1, 0, 1}, {0});
    r.add(relaxing, {0, 1});
    r.close(loop);
    return r;
}

} // namespace pathfront
