// The task of a delta-stepping search: the task of any search, the buckets and the light arcs.
#pragma once

#include <algorithm>

#include "core/level.hpp"
#include "relax/task.hpp"

namespace pathfront {

template <class W, class D>
struct DeltaTask : Task<W, D> {
    Leveling<D> leveling;
    bool adaptive; // the width of the buckets may change during the search
    // If light arcs come first (stages.hpp): these arcs, packed or not, and the heaviest weight among them.
    Csr<W> light{};
    PackedRows packed_light;
    D heaviest_light = 0;
    bool undirected = false; // every arc has its opposite, of the same weight

    DeltaTask(const Csr<W>& g, const Query<D>& q, D heaviest, double width, bool adapts)
        : Task<W, D>(g, q, heaviest), leveling(width), adaptive(adapts) {}

    // The number of entries that have this many arcs, on average.
    Offset entries_with(Offset arcs) const {
        const Offset m = this->with_rows([](const auto& any) { return any.m(); });
        return arcs * this->graph.n / std::max<Offset>(m, 1) + 8;
    }
};

} // namespace pathfront
