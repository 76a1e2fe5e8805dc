// What a trace counts besides the work: vertices that wait in queues, have a distance, or have a final one, dropped
// entries, and warps without work.
//
// A queue has an entry for every improvement, so waiting vertices are counted by a pass over the queues, before and
// after each iteration. The passes are made only for a trace, and their time is not part of the trace's.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/search.hpp"

namespace pathfront {

inline constexpr std::uint64_t warp_width = 32;

inline std::uint64_t warps_of(std::uint64_t threads) { return (threads + warp_width - 1) / warp_width; }

class Tracing {
    using Clock = std::chrono::steady_clock;

  public:
    // Stops the trace's clock while it exists.
    struct Pause {
        explicit Pause(Tracing& tracing)
            : seconds(std::chrono::duration<double>(Clock::now() - tracing.began_).count()), tracing_(tracing),
              from_(Clock::now()) {}
        ~Pause() { tracing_.began_ += Clock::now() - from_; }
        Pause(const Pause&) = delete;

        const double seconds; // since the search began

      private:
        Tracing& tracing_;
        Clock::time_point from_;
    };

    // The time since the search began, without that of the passes.
    double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

    std::uint64_t labelled = 0, final = 0; // vertices
    std::uint64_t discarded = 0;           // entries, since the last row
    std::uint64_t working_warps = 0;       // in this iteration

    // The vertices found waiting in a queue by the last count.
    std::uint64_t waiting(std::size_t queue) const { return waiting_[queue]; }

    // Counts the vertices that wait in each queue, and finds those that have got a distance.
    template <class Context>
    void count_waiting(const Context& context) {
        seen_.resize(context.state.graph.n);
        waiting_.assign(context.queues.size(), 0);
        ++count_;
        for (std::size_t q = 0; q < context.queues.size(); ++q)
            for (const auto* chunk = context.queues[q].first(); chunk; chunk = chunk->next)
                for (std::uint32_t i = 0; i < chunk->size; ++i) {
                    const auto& entry = chunk->items[i];
                    std::uint32_t& seen = seen_[entry.vertex];
                    if (seen == 0) {
                        ++labelled;
                        open_.push_back(entry.vertex);
                        seen = 1;
                    }
                    if (entry.dist <= context.state.query.dist[entry.vertex] && seen != count_) {
                        seen = count_;
                        ++waiting_[q];
                    }
                }
    }

    // The same for methods whose queues hold no vertices.
    template <class Context>
    void count_labelled(const Context& context) {
        using D = std::remove_cvref_t<decltype(*context.state.query.dist)>;
        labelled = 0;
        for (Vertex v = 0; v < context.state.graph.n; ++v)
            labelled += context.state.query.dist[v] != unreached<D>;
    }

    template <class D>
    void settle(const D* dist, D limit, bool below) {
        const std::size_t before = open_.size();
        std::erase_if(open_, [&](Vertex v) { return below ? dist[v] < limit : dist[v] <= limit; });
        final += before - open_.size();
    }

    // Counts the warps that have a thread at work where each vertex of a queue has one.
    template <class Context>
    void count_working_warps(std::size_t queue, const Context& context) {
        begin_warps(context.state.graph.n);
        for (const auto* chunk = context.queues[queue].first(); chunk; chunk = chunk->next)
            for (std::uint32_t i = 0; i < chunk->size; ++i)
                if (chunk->items[i].dist <= context.state.query.dist[chunk->items[i].vertex])
                    note_working(chunk->items[i].vertex);
    }

    // Counts them one by one.
    void begin_warps(Vertex n) {
        warps_.resize(warps_of(n));
        ++warp_count_;
        working_warps = 0;
    }

    void note_working(Vertex v) {
        if (std::exchange(warps_[v / warp_width], warp_count_) != warp_count_)
            ++working_warps;
    }

    // Counts them where every vertex has one until it is settled; called when one is.
    void note_settled(Vertex v, Vertex n) {
        if (warps_.empty()) {
            warps_.assign(warps_of(n), 0);
            working_warps = warps_.size();
        }
        const std::uint64_t warp = v / warp_width, first = warp * warp_width;
        if (++warps_[warp] == std::min<std::uint64_t>(warp_width, n - first))
            --working_warps;
    }

  private:
    std::vector<std::uint32_t> seen_; // n: 0 without a distance, else the last count that found the vertex waiting
    std::uint32_t count_ = 1;
    std::vector<std::uint64_t> waiting_;
    std::vector<Vertex> open_; // vertices that have a distance not known to be final
    std::vector<std::uint32_t> warps_;
    std::uint32_t warp_count_ = 0;
    Clock::time_point began_ = Clock::now(); // later by the time of the passes
};

} // namespace pathfront
