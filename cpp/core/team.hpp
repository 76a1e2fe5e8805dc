// A team of threads for one parallel step, and how to share a range among them.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace pathfront {

// Runs work(id) for id = 0 .. threads-1, id 0 on the calling thread, and returns when all are done. The first
// exception is rethrown after every thread has ended. Shares that the system refuses a thread for are done by
// the caller, so `work` must not wait for other shares.
template <class Work>
void run_team(unsigned threads, Work&& work) {
    std::exception_ptr first;
    std::mutex guard;
    auto share = [&](unsigned id) {
        try {
            work(id);
        } catch (...) {
            std::scoped_lock lock(guard);
            if (!first)
                first = std::current_exception();
        }
    };
    std::vector<std::thread> team;
    unsigned started = 1;
    try {
        team.reserve(threads);
        for (; started < threads; ++started)
            team.emplace_back(share, started);
    } catch (const std::exception&) {
        // no more threads, or no memory for one: go on with those there are
    }
    share(0);
    for (unsigned id = started; id < threads; ++id)
        share(id);
    for (std::thread& thread : team)
        thread.join();
    if (first)
        std::rethrow_exception(first);
}

// The id-th of `parts` nearly equal pieces of [0, total).
inline std::pair<std::int64_t, std::int64_t> piece(std::int64_t total, unsigned parts, unsigned id) {
    const std::int64_t size = total / parts, extra = total % parts;
    const std::int64_t begin = size * id + std::min<std::int64_t>(id, extra);
    return {begin, begin + size + (id < static_cast<unsigned>(extra) ? 1 : 0)};
}

// Hands out [0, total) in blocks, in order, to whoever asks next; `stop` ends the handing out.
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

} // namespace pathfront
