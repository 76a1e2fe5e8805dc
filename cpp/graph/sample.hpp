// What the arcs of a graph are like, from a few of them.
#pragma once

#include <algorithm>
#include <vector>

#include "core/csr.hpp"

namespace pathfront {

inline constexpr Offset sampled_arcs = 1024, looked_at = 64;

// How heavy the lightest arc of a vertex usually is: the mean over the tails of arcs that lie evenly through the graph,
// so that a vertex counts by its degree, without the heaviest twentieth.
template <class W>
double lightest_of_vertex(const Csr<W>& graph) {
    const Offset m = graph.offsets[graph.n];
    const Offset count = std::min(m, sampled_arcs);
    std::vector<double> lightest;
    for (Offset i = 0; i < count; ++i) {
        const Offset arc = m / count * i + m % count * i / count; // m * i / count without overflow
        const auto tail = std::upper_bound(graph.offsets, graph.offsets + graph.n + 1, arc) - graph.offsets - 1;
        const Offset from = graph.offsets[tail], to = std::min(graph.offsets[tail + 1], from + looked_at);
        auto least = graph.weight(from);
        for (Offset other = from + 1; other < to; ++other)
            least = std::min(least, graph.weight(other));
        lightest.push_back(static_cast<double>(least));
    }
    std::sort(lightest.begin(), lightest.end());
    lightest.resize((lightest.size() * 19 + 19) / 20);
    double mean = 0;
    for (const double weight : lightest)
        mean += weight / static_cast<double>(lightest.size());
    return mean;
}

} // namespace pathfront
