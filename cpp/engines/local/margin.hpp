// How far sums of floating-point numbers that are added up in different orders can be apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "engines/local/search.hpp"

namespace pathfront {

// A factor above (1 + u)^2k, and above 1 / (1 - u)^2k, for the k arcs that a path of about this length can have in a
// graph of n vertices; u is half the distance from 1 to the next number.
template <class D>
double margin_of(D length, Vertex n, const WeightBounds<D>& weights) {
    if constexpr (!std::is_floating_point_v<D>) {
        return 1;
    } else {
        double arcs = n;
        if (weights.lightest > 0 && length != unreached<D>)
            arcs = std::min(arcs, 2 * static_cast<double>(length) / static_cast<double>(weights.lightest) + 2);
        return std::exp((2 * arcs + 8) * std::numeric_limits<D>::epsilon());
    }
}

} // namespace pathfront
