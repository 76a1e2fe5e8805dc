// How a search with targets ends early. Once all targets have been reached, nothing farther than the farthest of them
// matters. Their distances still fall, and the limit with them; what is left when the queue is empty is final.
#pragma once

#include <algorithm>
#include <atomic>
#include <vector>

#include "core/search.hpp"

namespace pathfront::adds {

template <class D>
class TargetLimit {
  public:
    explicit TargetLimit(const Query<D>& query)
        : query_(query), unreached_(query.targets, query.targets + query.target_count) {}

    D value() const { return limit_; } // unreached: there is none yet

    // Looks how far the targets are by now; not every time, where there are many.
    void look() {
        if (query_.target_count == 0 || !all_reached() || ++times_ * 64 < query_.target_count)
            return;
        times_ = 0;
        D farthest = 0;
        for (std::int64_t i = 0; i < query_.target_count; ++i)
            farthest = std::max(farthest, dist(query_.targets[i]));
        limit_ = farthest;
    }

    bool all_reached() {
        while (!unreached_.empty() && dist(unreached_.back()) != unreached<D>)
            unreached_.pop_back();
        return unreached_.empty();
    }

  private:
    // relaxed: workers may be lowering it, and any value it ever had is a bound
    D dist(Vertex v) const { return std::atomic_ref<D>(query_.dist[v]).load(std::memory_order_relaxed); }

    const Query<D>& query_;
    std::vector<Vertex> unreached_;
    std::int64_t times_ = 0;
    D limit_ = unreached<D>;
};

} // namespace pathfront::adds
