// Counts that take one pass over the arcs: loops, parallel arcs, isolated vertices, the largest in-degree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/csr.hpp"
#include "core/prefetch.hpp"
#include "core/watch.hpp"

namespace pathfront {

struct Tally {
    std::int64_t loops = 0;
    std::int64_t parallel = 0; // arcs beyond the first from one vertex to another
    std::int64_t isolated = 0; // vertices that no arc leaves or enters
    std::int64_t most_entering = 0;
};

inline Tally tally_arcs(const Csr<Hop>& graph, Watch& watch) {
    constexpr Offset ahead = 16;
    struct Head {
        std::int64_t entering = 0;
        Vertex last_tail = no_vertex;
    };
    Tally out;
    std::vector<Head> of(graph.n);
    const Offset m = graph.m();
    for (Vertex u = 0; u < graph.n; ++u) {
        const Offset from = graph.offsets[u], to = graph.offsets[u + 1];
        for (Offset arc = from; arc < to; ++arc) {
            if (arc + ahead < m)
                prefetch(of.data() + graph.heads[arc + ahead]);
            Head& head = of[graph.heads[arc]];
            out.loops += graph.heads[arc] == u;
            out.parallel += head.last_tail == u;
            head.last_tail = u;
            ++head.entering;
        }
        watch.tick(to - from + 1);
    }
    for (Vertex v = 0; v < graph.n; ++v) {
        out.isolated += of[v].entering == 0 && graph.offsets[v] == graph.offsets[v + 1];
        out.most_entering = std::max(out.most_entering, of[v].entering);
    }
    return out;
}

} // namespace pathfront
