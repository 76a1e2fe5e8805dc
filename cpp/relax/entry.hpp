// A queued vertex, and when its parent is written.
#pragma once

#include "core/csr.hpp"

namespace pathfront {

// `when_improved`: with each improved distance. This is always right, also among threads. `when_settled`: from the
// entry of the vertex when it is taken out of the queue: usually one write per vertex instead of one per improvement,
// at a time when the vertex is in the cache; the last entry taken out is that of the final distance. Among threads it
// needs an order: an old entry must not be written after a newer one.
enum class Parents { none, when_improved, when_settled };

// A vertex in a queue, with the distance it had when it was queued. The entry is stale once the distance has fallen.
template <class D, Parents parents>
struct Entry {
    D dist;
    Vertex vertex;

    Entry() = default;
    Entry(D d, Vertex v, Vertex) : dist(d), vertex(v) {}
};
template <class D>
struct Entry<D, Parents::when_settled> {
    D dist;
    Vertex vertex, parent;

    Entry() = default;
    Entry(D d, Vertex v, Vertex p) : dist(d), vertex(v), parent(p) {}
};

} // namespace pathfront
