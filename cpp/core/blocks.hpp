// The loop of most parallel routines: the blocks of a range, distributed over a thread team, interruptible.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/csr.hpp"
#include "core/thread_pool.hpp"
#include "core/watch.hpp"

namespace pathfront {

// Distributes [0, total) in blocks, in order, over the threads that call next(); stop() ends it.
class Blocks {
  public:
    Blocks(std::int64_t total, std::int64_t block) : total_(total), block_(block) {}

    bool next(std::int64_t& begin, std::int64_t& end) {
        begin = next_.fetch_add(block_, std::memory_order_relaxed);
        if (begin >= total_)
            return false;
        end = std::min(begin + block_, total_);
        return true;
    }

    void stop() { next_.store(total_, std::memory_order_relaxed); }

    double fraction() const {
        return total_ == 0 ? 1.0
                           : static_cast<double>(std::min(next_.load(std::memory_order_relaxed), total_)) /
                                 static_cast<double>(total_);
    }

  private:
    std::int64_t total_, block_;
    std::atomic<std::int64_t> next_{0};
};

// Calls work(id, begin, end) for blocks of [0, total). The calling thread polls the watch; when that throws, no more
// blocks are distributed and the exception is rethrown here.
template <class Work>
void for_blocks(unsigned threads, std::int64_t total, std::int64_t block, Watch& watch, Work&& work) {
    if (total <= block)
        threads = 1;
    Blocks blocks(total, block);
    run_team(threads, [&](unsigned id) {
        try {
            for (std::int64_t begin, end; blocks.next(begin, end);) {
                work(id, begin, end);
                if (id == 0)
                    watch.tick(end - begin, blocks.fraction());
            }
        } catch (...) {
            blocks.stop();
            throw;
        }
    });
}

// Combines of_block(begin, end) over the blocks of [0, total), in any order.
template <class T, class OfBlock, class Combine>
T reduce_blocks(unsigned threads, std::int64_t total, std::int64_t block, Watch& watch, T initial, OfBlock&& of_block,
                Combine&& combine) {
    std::vector<T> found(threads, initial);
    for_blocks(threads, total, block, watch, [&](unsigned id, std::int64_t begin, std::int64_t end) {
        found[id] = combine(found[id], of_block(begin, end));
    });
    return std::accumulate(found.begin(), found.end(), initial, combine);
}

inline constexpr std::int64_t row_block = 1 << 12; // vertices in a block of a loop over the arcs

// Calls visit(id, v) for every vertex, in parallel.
template <class Visit>
void for_vertices(unsigned threads, Vertex n, std::int64_t block, Watch& watch, Visit&& visit) {
    for_blocks(threads, n, block, watch, [&](unsigned id, std::int64_t begin, std::int64_t end) {
        for (std::int64_t v = begin; v < end; ++v)
            visit(id, static_cast<Vertex>(v));
    });
}

// Calls take(u, v, arc) for every arc u->v, in parallel.
template <class W, class Take>
void for_arcs(const Csr<W>& graph, unsigned threads, Watch& watch, Take&& take) {
    for_vertices(threads, graph.n, row_block, watch, [&](unsigned, std::uint64_t u) {
        for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc)
            take(u, std::uint64_t{graph.heads[arc]}, arc);
    });
}

} // namespace pathfront
