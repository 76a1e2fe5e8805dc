// What all primitives of one search look at, and what each thread_state of a team has for itself.
#pragma once

#include <array>
#include <atomic>
#include <type_traits>
#include <vector>

#include "core/improvement.hpp"
#include "core/search.hpp"
#include "engines/schedule/bag.hpp"

namespace pathfront {

// The type of a weight, also where there are none.
template <class W>
using WeightOf = std::conditional_t<std::is_same_v<W, Hop>, std::uint32_t, W>;

// A matrix that is kept as one, with `missing_weight` where there is no edge.
template <class W>
struct Dense {
    const WeightOf<W>* rows = nullptr;
};

template <class W, class D>
struct SearchState {
    Csr<W> graph;
    Query<D> query;
    D safe;                                    // up to here no sum can leave the range of D
    bool checks;                               // every sum has to be looked at: weights are negative, or beyond D
    Csr<W> in_arcs{};                          // where vertices pull: the graph with its arcs turned round
    const WeightOf<W>* lightest_out = nullptr; // n: the lightest arc that leaves each vertex, unreached if none does
    Dense<W> dense{}, dense_in{};              // where the graph is a matrix
    // Members lower distances by compare-and-swap. It takes longer, see Relax, but is needed for parents if an arc may
    // lead to a distance that is not larger: among vertices of the same distance it keeps them from closing a ring.
    bool swaps = false;

    bool careful(D here) const { return checks || here > safe; }
};

// Where an entry goes: to the first bag whose limit is not below its distance, or to the last, which has none.
template <class Item, class D>
struct Routes {
    static constexpr unsigned most = 66; // buckets and a pile

    std::array<Bag<Item>*, most> bags;
    std::array<D, most> limits;
    unsigned limit_count = 0;

    Bag<Item>& operator()(D dist) const {
        unsigned place = 0;
        while (place < limit_count && dist > limits[place])
            ++place;
        return *bags[place];
    }
};

inline constexpr Offset arcs_in_a_piece = 1024; // of a hub, between two looks at anything else
inline constexpr std::size_t found_enough = 64; // improvements to be applied together

// A vertex that has been taken out of its queue.
template <class D>
struct FrontierVertex {
    D dist;
    Vertex vertex;
};

// Some of the arcs of a chunk's vertices, counted through.
template <class Item>
struct Piece {
    Chunk<Item>* chunk;
    Offset from, to;
};

template <class D, class Item>
struct alignas(128) ThreadState {
    ChunkPool<Item> pool;
    std::vector<Bag<Item>> out;            // one for each bag of an operation's routes
    std::vector<FrontierVertex<D>> hubs;   // to be relaxed by all together
    std::vector<Piece<Item>> rest;         // the same
    std::uint64_t vertices = 0, edges = 0; // of the current operation
    std::uint64_t all_edges = 0;           // of the whole run, for those who ask whether work is shared
    D lowest = unreached<D>;
    bool changed = false, overflow = false;
    std::array<Improvement<D>, found_enough + arcs_in_a_piece> found;
    std::array<Vertex, found_enough + arcs_in_a_piece> parents; // of those found
};

// A distance that other thread_states may be lowering.
template <bool shared, class D>
D load(const D* dist) {
    if constexpr (shared)
        return std::atomic_ref<D>(*const_cast<D*>(dist)).load(std::memory_order_relaxed);
    else
        return *dist;
}

// Lowers a distance that others may be lowering, too; false if it is as low already.
template <class D>
bool lower(D* dist, D to) {
    std::atomic_ref<D> place(*dist);
    D now = place.load(std::memory_order_relaxed);
    while (to < now)
        if (place.compare_exchange_weak(now, to, std::memory_order_relaxed))
            return true; // else somebody wrote it, or nothing happened: look again
    return false;
}

// Whether an entry is alive; if its distance was overwritten, it is written again.
template <class Item, class D>
bool is_alive(const Item& entry, D* dist) {
    const D now = load<true>(dist + entry.vertex);
    if (entry.dist < now) [[unlikely]]
        lower(dist + entry.vertex, entry.dist);
    return entry.dist <= now;
}

} // namespace pathfront
