// Relaxing the arcs of queued vertices, by one thread_state of a team.
//
// What makes it fast is what makes delta-stepping fast (engines/relaxing.hpp): the dead are dropped first, so that they
// do not stand between the living; improvements are found without branches and applied later; and memory is asked early
// for what comes next.
//
// Parents are written when an entry is taken out, not when a distance falls: once for each vertex instead of once for
// each improvement. The entry of a vertex's final distance is taken out in an operation that begins with that distance,
// when all others are dead, so the last one written is its parent; if there are two alike either will do.
#pragma once

#include <algorithm>
#include <limits>

#include "core/prefetch.hpp"
#include "engines/schedule/state.hpp"

namespace pathfront {

inline constexpr Offset no_limit = std::numeric_limits<Offset>::max();
inline constexpr std::uint32_t fetch_vertex_ahead = 16, fetch_arcs_ahead = 6; // entries; measured in relaxing.hpp

template <class W, class D, bool keeps_parents>
class Relax {
  public:
    using Item = QueueEntry<D, keeps_parents>;
    using Chunk = pathfront::Chunk<Item>;

    Relax(const SearchState<W, D>& state, ThreadState<D, Item>& thread, const Routes<Item, D>& routes)
        : state_(state), thread_(thread), routes_(routes) {}

    // Drops the dead of a chunk and settles the parents of the others.
    template <bool shared>
    void take(Chunk& chunk) {
        const D* const dist = state_.query.dist;
        bool overwritten = false;
        for (std::uint32_t i = 0; i < std::min(fetch_vertex_ahead, chunk.size); ++i)
            prefetch(dist + chunk.items[i].vertex);
        std::uint32_t live = 0;
        for (std::uint32_t i = 0; i < chunk.size; ++i) {
            const Item entry = chunk.items[i];
            if (i + fetch_vertex_ahead < chunk.size)
                prefetch(dist + chunk.items[i + fetch_vertex_ahead].vertex);
            const D now = load<shared>(dist + entry.vertex);
            chunk.items[live] = entry;
            live += entry.dist <= now;
            overwritten |= entry.dist < now;
        }
        chunk.size = live;
        if (overwritten) [[unlikely]]
            mend<shared>(chunk);
        for (std::uint32_t i = 0; i < chunk.size; ++i) {
            prefetch(state_.graph.offsets + chunk.items[i].vertex);
            if constexpr (keeps_parents)
                if (state_.query.parent) // atomic: there may be two of the same distance
                    std::atomic_ref<Vertex>(state_.query.parent[chunk.items[i].vertex])
                        .store(chunk.items[i].parent, std::memory_order_relaxed);
        }
    }

    // Relaxes the vertices of a chunk that has been taken, up to `budget` arcs; returns the place of the first vertex
    // that would take more. Those of `hub` arcs or more are set aside, for all thread_states together. `pause(arcs)` is
    // called now and then; false stops the work.
    template <bool shared, class Pause>
    std::uint32_t relax(const Chunk& chunk, Offset hub, Offset budget, Pause&& pause) {
        const Csr<W> graph = state_.graph;
        const D* const dist = state_.query.dist;
        std::uint64_t vertices = 0;
        Offset edges = 0;
        std::uint32_t i = 0;
        for (; i < chunk.size; ++i) {
            if (i + fetch_arcs_ahead < chunk.size)
                fetch_arcs(chunk.items[i + fetch_arcs_ahead].vertex);
            const D here = chunk.items[i].dist;
            const Vertex u = chunk.items[i].vertex;
            const Offset from = graph.offsets[u], to = graph.offsets[u + 1];
            budget -= to - from;
            if (budget < 0) [[unlikely]]
                break;
            if (load<shared>(dist + u) != here)
                continue; // improved since, by a neighbour in this very chunk
            ++vertices;
            if (to - from >= hub) [[unlikely]] {
                thread_.hubs.push_back({here, u});
            } else if (!shared || to - from > arcs_in_a_piece || state_.careful(here)) {
                // what comes below was 3 to 10% faster in sweeps by two thread_states, and 4 to 15% slower for one
                if (!find<shared>(u, here, from, to, pause)) {
                    i = chunk.size;
                    break;
                }
            } else {
                find_freely<shared>(graph, dist, u, here, from, to);
                edges += to - from;
                if (found_ >= found_enough)
                    apply<shared>();
            }
        }
        thread_.vertices += vertices;
        thread_.edges += static_cast<std::uint64_t>(edges);
        return i;
    }

    // Relaxes some arcs of one vertex, piece by piece.
    template <bool shared, class Pause>
    bool find(Vertex u, D here, Offset from, Offset to, Pause&& pause) {
        const bool careful = state_.careful(here);
        for (Offset arc = from; arc < to;) {
            const Offset end = std::min(to, arc + arcs_in_a_piece);
            careful ? find_carefully<shared>(u, here, arc, end)
                    : find_freely<shared>(state_.graph, state_.query.dist, u, here, arc, end);
            thread_.edges += static_cast<std::uint64_t>(end - arc);
            const Offset done = end - arc;
            arc = end;
            if (found_ >= found_enough)
                apply<shared>();
            if (arc < to && !pause(done))
                return false;
        }
        return true;
    }

    // Writes the improvements found so far and queues their vertices.
    template <bool shared>
    void apply() {
        if constexpr (shared) // all lines at once, which other thread_states may have
            for (std::size_t i = 0; i < found_; ++i)
                prefetch_to_write(state_.query.dist + thread_.found[i].vertex());
        for (std::size_t i = 0; i < found_; ++i) {
            const D sum = thread_.found[i].dist();
            const Vertex v = thread_.found[i].vertex();
            Vertex u = no_vertex;
            if constexpr (keeps_parents)
                u = thread_.parents[i];
            if (sum <= state_.query.cutoff && improve<shared>(v, sum))
                routes_(sum).push({sum, v, u}, thread_.pool);
        }
        found_ = 0;
    }

    void fetch_vertex(Vertex u) const {
        prefetch(state_.query.dist + u);
        prefetch(state_.graph.offsets + u);
    }

    void fetch_arcs(Vertex u) const {
        const Offset arc = state_.graph.offsets[u];
        prefetch(state_.graph.heads + arc);
        if constexpr (!std::is_same_v<W, Hop>)
            prefetch(state_.graph.weights + arc);
    }

  private:
    template <bool shared>
    void find_freely(const Csr<W>& graph, const D* dist, [[maybe_unused]] Vertex u, D here, Offset from, Offset to) {
        std::size_t found = found_;
        for (Offset arc = from; arc < to; ++arc) {
            const D sum = add(here, graph.weight(arc));
            const Vertex v = graph.heads[arc];
            thread_.found[found] = {sum, v};
            if constexpr (keeps_parents)
                thread_.parents[found] = u;
            found += sum < load<shared>(dist + v);
        }
        found_ = found;
    }

    // The same where a sum may leave the range of D.
    template <bool shared>
    void find_carefully([[maybe_unused]] Vertex u, D here, Offset from, Offset to) {
        const Csr<W> graph = state_.graph;
        for (Offset arc = from; arc < to; ++arc) {
            D sum;
            if (!add_checked(here, graph.weight(arc), sum)) {
                thread_.overflow = true;
                continue;
            }
            thread_.found[found_] = {sum, graph.heads[arc]};
            if constexpr (keeps_parents)
                thread_.parents[found_] = u;
            found_ += sum < load<shared>(state_.query.dist + graph.heads[arc]);
        }
    }

    // By compare-and-swap only if it must be, because the processor lets everything else wait for it: that made
    // near_far by two thread_states 6 to 8% slower on a Kronecker graph. Without it another thread_state may overwrite
    // a smaller distance, or this one may: see Bag.
    template <bool shared>
    bool improve(Vertex v, D sum) {
        D* const dist = state_.query.dist;
        if (shared && state_.swaps)
            return lower(dist + v, sum);
        if (sum >= load<shared>(dist + v))
            return false;
        if constexpr (shared)
            std::atomic_ref<D>(dist[v]).store(sum, std::memory_order_relaxed);
        else
            dist[v] = sum;
        return true;
    }

    // Writes distances again that were overwritten. Among others such an entry waits for another turn: somebody who saw
    // the larger distance may at this moment be about to write one in between, and will have done so when all are done.
    template <bool shared>
    void mend(Chunk& chunk) {
        D* const dist = state_.query.dist;
        Item* live = chunk.items;
        for (std::uint32_t i = 0; i < chunk.size; ++i) {
            const Item entry = chunk.items[i];
            if (lower(dist + entry.vertex, entry.dist) && shared)
                routes_(entry.dist).push(entry, thread_.pool);
            else
                *live++ = entry;
        }
        live = std::remove_if(chunk.items, live, [&](const Item& entry) { return !is_alive(entry, dist); });
        chunk.size = static_cast<std::uint32_t>(live - chunk.items);
    }

    const SearchState<W, D>& state_;
    ThreadState<D, Item>& thread_;
    const Routes<Item, D>& routes_;
    std::size_t found_ = 0;
};

} // namespace pathfront
