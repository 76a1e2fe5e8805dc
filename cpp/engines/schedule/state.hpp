// The state that all operations of one search share, and the state of each thread.
#pragma once

#include <array>
#include <type_traits>
#include <vector>

#include "engines/schedule/bag.hpp"
#include "relax/relax.hpp"

namespace pathfront {

// The type of a weight; of a hop where the graph has no weights.
template <class W>
using WeightOf = std::conditional_t<std::is_same_v<W, Hop>, std::uint32_t, W>;

// A graph stored as a matrix, with `missing_weight` where there is no edge.
template <class W>
struct Dense {
    const WeightOf<W>* rows = nullptr;
};

// The task, and inputs of some operations only.
template <class W, class D>
struct SearchState : Task<W, D> {
    using Task<W, D>::Task;

    Csr<W> in_arcs{};                          // for pulling: the graph with its arcs reversed
    const WeightOf<W>* lightest_out = nullptr; // n: the lightest arc that leaves each vertex, unreached if none does
    Dense<W> dense{}, dense_in{};              // for a graph stored as a matrix
};

// The destination of an entry: the first bag whose limit is not below its distance, or the last, which has no limit.
template <class Item, class D>
struct Routes {
    static constexpr unsigned most = 66; // near buckets and a far bucket

    std::array<Bag<Item>*, most> bags;
    std::array<D, most> limits;
    unsigned limit_count = 0;

    Bag<Item>& operator()(D dist) const {
        unsigned i = 0;
        while (i < limit_count && dist > limits[i])
            ++i;
        return *bags[i];
    }
};

// A vertex that has been taken out of its queue.
template <class D>
struct FrontierVertex {
    D dist;
    Vertex vertex;
};

// Some of the arcs of a chunk's vertices, counted from the first arc of the first vertex.
template <class Item>
struct Piece {
    Chunk<Item>* chunk;
    Offset from, to;
};

template <class D, class Item>
struct alignas(128) ThreadState {
    ChunkPool<Item> pool;
    std::vector<Bag<Item>> out;            // one for each destination of an operation
    std::vector<ArcRange<D>> hubs;         // what is left of hubs, for all threads
    std::vector<Piece<Item>> rest;         // what is left of chunks, for all threads
    std::uint64_t vertices = 0, edges = 0; // of the current operation
    std::uint64_t all_edges = 0;           // of the whole run
    D lowest = unreached<D>;
    bool changed = false, overflow = false;
};

// Whether an entry is current. If its distance was overwritten by a larger one, it is written again: see bag.hpp.
template <class Item, class D>
bool is_current(const Item& entry, D* dist) {
    const D now = load<Writers::racing>(dist + entry.vertex);
    if (entry.dist < now) [[unlikely]]
        lower(dist + entry.vertex, entry.dist);
    return entry.dist <= now;
}

// Calls take(entry) for the current entries of a chunk.
template <class Chunk, class D, class Take>
void for_current(const Chunk& chunk, D* dist, Take&& take) {
    for (std::uint32_t i = 0; i < chunk.size; ++i) {
        if (i + ahead_vertex < chunk.size)
            prefetch(dist + chunk.items[i + ahead_vertex].vertex);
        if (is_current(chunk.items[i], dist))
            take(chunk.items[i]);
    }
}

} // namespace pathfront
