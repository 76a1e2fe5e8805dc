// Relaxing queued vertices, by one thread: the relax core with the queues of a schedule.
//
// Parents are written when an entry is taken out, once for each vertex instead of once for each improvement. The entry
// of a vertex's final distance is taken out in an operation that begins with that distance, when all other entries of
// the vertex are stale. So the last parent written is right; of two equal entries either will do.
#pragma once

#include <algorithm>
#include <utility>

#include "engines/schedule/state.hpp"

namespace pathfront {

// The writers of an operation that is shared or not. Plain stores where possible: the processor stalls on every
// compare-and-swap, which made near_far on two threads 6 to 8% slower on a Kronecker graph.
template <bool shared>
inline constexpr Writers writers_if = shared ? Writers::racing : Writers::one;

// The writers of a synchronous operation.
template <bool shared>
inline constexpr Writers synchronous_writers = shared ? Writers::all : Writers::one;

template <class W, class D, Parents parents>
class QueueRelaxer : public RelaxCore<W, D, parents, QueueRelaxer<W, D, parents>, true> {
  public:
    using Base = RelaxCore<W, D, parents, QueueRelaxer, true>;
    using typename Base::Item;
    using Chunk = pathfront::Chunk<Item>;

    QueueRelaxer(const SearchState<W, D>& state, ThreadState<D, Item>& thread, const Routes<Item, D>& routes)
        : Base(state), thread_(thread), routes_(routes) {}
    QueueRelaxer(const QueueRelaxer&) = delete;

    ~QueueRelaxer() {
        thread_.vertices += this->vertices_processed;
        thread_.edges += this->edges_relaxed;
        thread_.overflow |= this->overflow;
    }

    // Drops the stale entries of a chunk.
    template <Writers writers>
    void take(Chunk& chunk) {
        this->template drop_stale<writers>(chunk);
        for (std::uint32_t i = 0; i < chunk.size; ++i)
            this->task_.prefetch_offsets(chunk.items[i].vertex);
    }

    // Relaxes the vertices of a chunk, all of them with the distances of their entries, though some may have fallen
    // since the operation began.
    template <Writers writers, class During>
    void relax_as_queued(const Chunk& chunk, During&& during) {
        const Csr<W>& graph = this->task_.graph;
        settle<writers>(chunk.items, chunk.items + chunk.size);
        for (std::uint32_t k = 0; k < chunk.size; ++k) {
            if (k + ahead_arcs < chunk.size)
                prefetch_arcs(graph, chunk.items[k + ahead_arcs].vertex);
            const auto& [dist, u] = std::pair(chunk.items[k].dist, chunk.items[k].vertex);
            this->template relax_arcs<writers>({u, dist, graph.offsets[u], graph.offsets[u + 1]}, during);
        }
        this->vertices_processed += chunk.size;
    }

    // Relaxes the arcs [from, to) of a chunk's vertices, counted from the first arc of the first vertex. With `rereads`
    // vertices whose distance has fallen are left out.
    template <Writers writers, bool rereads, class During>
    void relax_range(const Chunk& chunk, Offset from, Offset to, During&& during) {
        const Csr<W>& graph = this->task_.graph;
        const D* const dist = this->task_.query.dist;
        std::size_t found = 0;
        Offset at = 0; // the first arc of the vertex, counted in the same way
        for (std::uint32_t k = 0; k < chunk.size && at < to; ++k) {
            const Item& entry = chunk.items[k];
            const Offset first = graph.offsets[entry.vertex], degree = graph.offsets[entry.vertex + 1] - first;
            const Offset begin = std::max(from - at, Offset{0}), end = std::min(to - at, degree);
            at += degree;
            if (begin >= end)
                continue;
            if (k + ahead_vertex < chunk.size)
                prefetch(dist + chunk.items[k + ahead_vertex].vertex);
            if (k + ahead_arcs < chunk.size)
                prefetch_arcs(graph, chunk.items[k + ahead_arcs].vertex);
            if (rereads && load<writers>(dist + entry.vertex) != entry.dist)
                continue;
            this->vertices_processed += begin == 0;
            found = this->template scan_pieces<writers>(graph, entry.vertex, entry.dist, first + begin, first + end,
                                                        found, during);
        }
        this->template apply<writers>(found);
    }

    // Writes the parents of entries.
    template <Writers writers>
    void settle(const Item* first, const Item* last) const {
        if constexpr (parents == Parents::when_settled)
            if (this->task_.query.parent)
                for (; first < last; ++first)
                    store<writers>(this->task_.query.parent + first->vertex, first->parent);
    }

    // The relax core calls this and the next.
    void push(D sum, Vertex v, Vertex u, bool) { routes_(sum).push({sum, v, u}, thread_.pool); }

    // Writes distances again that were overwritten. Among threads such an entry is queued again: another thread that
    // read the larger distance may be about to write one in between, and has done so when the operation is over.
    template <Writers writers>
    void restore(Chunk& chunk) {
        D* const dist = this->task_.query.dist;
        Item* current = chunk.items;
        for (std::uint32_t i = 0; i < chunk.size; ++i) {
            const Item entry = chunk.items[i];
            if (lower(dist + entry.vertex, entry.dist) && writers != Writers::one)
                routes_(entry.dist).push(entry, thread_.pool);
            else
                *current++ = entry;
        }
        current = std::remove_if(chunk.items, current, [&](const Item& entry) { return !is_current(entry, dist); });
        chunk.size = static_cast<std::uint32_t>(current - chunk.items);
    }

  private:
    ThreadState<D, Item>& thread_;
    const Routes<Item, D>& routes_;
};

} // namespace pathfront
