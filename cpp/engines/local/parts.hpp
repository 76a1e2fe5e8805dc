// What loops over many searches share: results are collected in parts, one per block of jobs, and joined in the end,
// since one array for all would have to know its size before.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "core/blocks.hpp"

namespace pathfront {

inline std::size_t blocks_of(std::int64_t count, std::int64_t block) {
    return static_cast<std::size_t>((count + block - 1) / block);
}

// Puts a column of all parts together and frees theirs.
template <class Part, class T>
std::vector<T> joined(std::vector<Part>& parts, std::vector<T> Part::* column, unsigned threads, Watch& watch) {
    std::vector<std::size_t> begins{0};
    for (const Part& part : parts)
        begins.push_back(begins.back() + (part.*column).size());
    std::vector<T> all(begins.back());
    for_blocks(threads, static_cast<std::int64_t>(parts.size()), 1, watch, [&](unsigned, std::int64_t i, std::int64_t) {
        std::vector<T> part;
        part.swap(parts[i].*column);
        std::copy(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(begins[i]));
    });
    return all;
}

// The first of many jobs that has failed, whichever fails first: jobs before it are still run.
class FirstFailure {
  public:
    explicit FirstFailure(std::int64_t count) : count_(count), first_(count) {}

    bool none_before(std::int64_t job) const { return first_.load(std::memory_order_relaxed) > job; }

    void note(std::int64_t job) {
        std::int64_t first = first_.load();
        while (job < first && !first_.compare_exchange_weak(first, job))
            continue;
    }

    // -1 if none has.
    std::int64_t first() const { return first_ < count_ ? first_.load() : -1; }

  private:
    const std::int64_t count_;
    std::atomic<std::int64_t> first_;
};

} // namespace pathfront
