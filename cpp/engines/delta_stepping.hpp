// Delta-stepping (Meyer and Sanders 2003) on one thread.
//
// Vertices wait in buckets of width delta. The lowest bucket is taken out whole and its vertices are relaxed; arcs that
// lead back into it refill it, and it is taken out again until it stays empty: then its vertices are final. An improved
// vertex is queued again and its old entry left behind; an entry is stale, and skipped, when its distance is not the
// vertex's any more.
//
// What makes it fast is that the next vertices are known long before they are needed: while one is relaxed, the
// distance and the offset of the vertex a few entries ahead are on their way from memory, and the arcs of a nearer one.
#pragma once

#include <vector>

#include "core/level.hpp"
#include "core/level_queue.hpp"
#include "engines/search.hpp"

namespace pathfront {

inline constexpr std::size_t ahead_vertex = 8, ahead_arcs = 4; // entries; measured on roads, meshes and rmat
inline constexpr std::size_t kept_capacity = 1 << 16;          // entries of a bucket whose memory is not given back

inline void prefetch(const void* address) { __builtin_prefetch(address); }

template <class D>
struct Entry {
    D dist;
    Vertex vertex;
};

// What a search knows besides its queue: the same for one thread and for many.
template <class W, class D>
struct Task {
    const Csr<W>& graph;
    const Query<D>& query;
    Leveling<D> level_of;
    D safe;           // up to here no sum can leave the range of D
    bool always_look; // even the first sum may

    Task(const Csr<W>& g, const Query<D>& q, D heaviest, int exponent)
        : graph(g), query(q), level_of(exponent), safe(safe_distance(heaviest)),
          always_look(heaviest > largest_distance<D>) {}
};

// Asks memory for what the entries ahead of `i` will need.
template <class W, class D>
void look_ahead(const Csr<W>& graph, const D* dist, const std::vector<Entry<D>>& batch, std::size_t i) {
    if (i + ahead_vertex < batch.size()) {
        const Vertex v = batch[i + ahead_vertex].vertex;
        prefetch(dist + v);
        prefetch(graph.offsets + v);
    }
    if (i + ahead_arcs < batch.size()) {
        const Offset arc = graph.offsets[batch[i + ahead_arcs].vertex];
        prefetch(graph.heads + arc);
        if constexpr (!std::is_same_v<W, Hop>)
            prefetch(graph.weights + arc);
    }
}

template <class W, class D>
class DeltaStepping {
  public:
    using Queue = LevelQueue<Entry<D>>;

    DeltaStepping(const Task<W, D>& task, Watch& watch) : task_(task), watch_(watch) {}

    Outcome<D> run() {
        const Query<D>& query = task_.query;
        clear_answers(task_.graph, query);
        std::vector<Vertex> targets(query.targets, query.targets + query.target_count);
        query.dist[query.source] = 0;
        queue_.push(0, {D{0}, query.source});
        auto level_of = [&](const Entry<D>& entry) { return task_.level_of(entry.dist); };
        for (std::uint64_t level; (level = queue_.next(level_of)) != Queue::none;) {
            queue_.move_to(level, level_of);
            finish_level();
            if (query.target_count > 0 && all_final(targets, level))
                break;
        }
        return finish(task_.graph, query, out_, targets.empty() && query.target_count > 0);
    }

  private:
    // Relaxes the current level until it stays empty.
    void finish_level() {
        while (queue_.take(batch_)) {
            if (task_.query.parent)
                relax_batch<true>();
            else
                relax_batch<false>();
            if (batch_.capacity() > kept_capacity)
                batch_ = {};
            batch_.clear();
        }
        ++out_.iterations;
    }

    template <bool parents>
    void relax_batch() {
        const Csr<W>& graph = task_.graph;
        const D* const dist = task_.query.dist;
        for (std::size_t i = 0; i < batch_.size(); ++i) {
            look_ahead(graph, dist, batch_, i);
            const auto [here, u] = batch_[i];
            if (dist[u] != here)
                continue; // stale: improved since, and queued again
            const Offset from = graph.offsets[u], to = graph.offsets[u + 1];
            if (here <= task_.safe && !task_.always_look)
                for (Offset arc = from; arc < to; ++arc)
                    improve<parents>(u, graph.heads[arc], add(here, graph.weight(arc)));
            else
                relax_carefully<parents>(u, here, from, to);
            ++out_.vertices_processed;
            out_.edges_relaxed += static_cast<std::uint64_t>(to - from);
            watch_.tick(to - from + 1);
        }
    }

    template <bool parents>
    void relax_carefully(Vertex u, D here, Offset from, Offset to) {
        for (Offset arc = from; arc < to; ++arc) {
            D sum;
            if (add_checked(here, task_.graph.weight(arc), sum))
                improve<parents>(u, task_.graph.heads[arc], sum);
            else
                out_.overflow = true;
        }
    }

    template <bool parents>
    void improve(Vertex u, Vertex v, D sum) {
        D* const dist = task_.query.dist;
        if (sum >= dist[v] || sum > task_.query.cutoff)
            return;
        dist[v] = sum;
        if constexpr (parents)
            task_.query.parent[v] = u;
        queue_.push(task_.level_of(sum), {sum, v});
    }

    bool all_final(std::vector<Vertex>& targets, std::uint64_t level) const {
        auto is_final = [&](Vertex v) {
            const D dist = task_.query.dist[v];
            return dist != unreached<D> && task_.level_of(dist) <= level;
        };
        while (!targets.empty() && is_final(targets.back()))
            targets.pop_back();
        return targets.empty();
    }

    const Task<W, D>& task_;
    Watch& watch_;
    Queue queue_;
    std::vector<Entry<D>> batch_;
    Outcome<D> out_;
};

} // namespace pathfront
