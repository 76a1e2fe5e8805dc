// Early termination of a search with targets. Once all targets have been reached, vertices farther than the farthest
// target are not processed. The targets' distances, and so the limit, still fall; they are final when the queue is
// empty.
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

    D value() const { return limit_; } // unreached: no limit yet

    // Lowers the limit to the farthest target's distance; with many targets, only every count / 64-th call does.
    void update() {
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
    // relaxed: workers may be lowering it, and every earlier value is an upper bound
    D dist(Vertex v) const { return std::atomic_ref<D>(query_.dist[v]).load(std::memory_order_relaxed); }

    const Query<D>& query_;
    std::vector<Vertex> unreached_;
    std::int64_t times_ = 0;
    D limit_ = unreached<D>;
};

} // namespace pathfront::adds
