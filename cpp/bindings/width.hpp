// The distance type of a search whose width the caller chooses.
#pragma once

#include "bindings/arrays.hpp"

namespace pathfront {

// Calls f(graph, D{}), where D is the distance type that the weights have, or the wider one.
template <class F>
void with_graph_and_width(const Arcs& arcs, bool wide, F&& f) {
    arcs.typed([&]<class W>(const Csr<W>& graph) {
        using Types = DistanceTypes<W>;
        if (wide)
            f(graph, typename Types::Wide{});
        else
            f(graph, typename Types::Natural{});
    });
}

} // namespace pathfront
