// Direction-optimising breadth-first search (Beamer, Asanovic, Patterson 2012), for graphs whose arcs all weigh 1.
//
// The search goes level by level. Top-down, the arcs of the frontier are followed, and every vertex not reached before
// joins the next frontier. When the frontier holds a large part of the remaining arcs, bottom-up is cheaper: every
// vertex not reached before scans its in-arcs for one that comes from the frontier, and stops at the first. That needs
// the reversed graph, which for an undirected graph is the graph itself.
//
// Top-down, the threads share the arcs of the frontier, not its vertices, so that hubs do not unbalance them;
// bottom-up, they share the vertices, and no thread writes what another reads.
#pragma once

#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "core/blocks.hpp"
#include "relax/relax.hpp"

namespace pathfront {

template <class D>
class BreadthFirst {
  public:
    // `backward` is the reversed graph, or null if it is not available: then all levels are top-down.
    BreadthFirst(const Csr<Hop>& graph, const Csr<Hop>* backward, const Query<D>& query, unsigned threads, Watch& watch)
        : graph_(graph), backward_(backward), query_(query), threads_(threads), watch_(watch), workers_(threads) {}

    Outcome<D> run() {
        std::vector<Vertex> targets(query_.targets, query_.targets + query_.target_count);
        clear_answers(query_, 0, graph_.n);
        for_sources(query_, [&](Vertex v) {
            query_.dist[v] = 0;
            frontier_.push_back(v);
        });
        count_arcs();
        D here = 0;
        for (D there; size_ > 0; here = there) {
            while (!targets.empty() && query_.dist[targets.back()] != unreached<D>)
                targets.pop_back();
            if (query_.target_count > 0 && targets.empty())
                break;
            const bool fits = add_checked(here, 1u, there);
            out_.overflow |= !fits;
            if (!fits || there > query_.cutoff)
                break;
            step(here, there);
        }
        for (const Worker& worker : workers_)
            out_.threads += worker.edges > 0;
        return finish(graph_, query_, out_, query_.target_count > 0 && targets.empty());
    }

  private:
    static constexpr Offset arcs_at_a_time = 1 << 12;           // arcs of a block, top-down
    static constexpr Offset worth_sharing = 1 << 14;            // arcs of a frontier that threads share
    static constexpr std::int64_t vertices_at_a_time = 1 << 12; // vertices of a block, bottom-up: whole words of marks
    // Beamer's constants: bottom-up once the frontier has a fifteenth of the arcs that are left, top-down again once it
    // holds less than an eighteenth of the vertices.
    static constexpr Offset alpha = 15;
    static constexpr std::int64_t beta = 18;
    // Bottom-up reads every vertex: with more vertices per arc of the frontier, top-down is cheaper.
    static constexpr Offset vertices_per_arc = 8;

    struct Found {
        Vertex vertex, parent;
    };

    struct alignas(128) Worker {
        std::array<Found, enough_found + arcs_at_once> found;
        std::vector<Vertex> next;
        std::int64_t reached = 0;
        std::uint64_t edges = 0;
    };

    // One level: from the frontier, at distance `here`, to the next, at `there`.
    void step(D here, D there) {
        const std::int64_t size = size_;
        const bool many = backward_ && arcs_ > left_ / alpha && arcs_ > graph_.n / vertices_per_arc;
        if (bottom_up_ ? size >= graph_.n / beta : many)
            go_bottom_up(there);
        else
            go_top_down(there);
        std::uint64_t edges = 0;
        for (const Worker& worker : workers_)
            edges += worker.edges;
        if (query_.trace)
            trace_level(static_cast<std::uint64_t>(size), edges - out_.edges_relaxed, here);
        ++out_.iterations;
        out_.vertices_processed += static_cast<std::uint64_t>(size);
        out_.edges_relaxed = edges;
    }

    // A vertex is found once, at its final distance, and waits for the next level only.
    void trace_level(std::uint64_t size, std::uint64_t edges, D here) {
        TraceRow row{size, edges, static_cast<double>(here), static_cast<double>(here)};
        row.near = size;
        row.far = row.discarded = 0;
        row.labelled = row.final = out_.vertices_processed + size + static_cast<std::uint64_t>(size_);
        query_.trace->push_back(row);
    }

    void go_top_down(D there) {
        if (std::exchange(bottom_up_, false)) {
            list_frontier();
            count_arcs();
        }
        if (threads_ > 1 && arcs_ >= worth_sharing)
            for_blocks(threads_, arcs_, arcs_at_a_time, watch_, [&](unsigned id, Offset from, Offset to) {
                follow<Writers::all>(workers_[id], from, to, there);
            });
        else
            for (Offset from = 0; from < arcs_; from += arcs_at_a_time) {
                follow<Writers::one>(workers_[0], from, std::min(arcs_, from + arcs_at_a_time), there);
                watch_.tick(arcs_at_a_time);
            }
        frontier_.clear();
        for (Worker& worker : workers_) {
            frontier_.insert(frontier_.end(), worker.next.begin(), worker.next.end());
            worker.next.clear();
        }
        count_arcs();
    }

    // Follows the arcs [from, to) of the frontier, numbered consecutively.
    template <Writers writers>
    void follow(Worker& worker, Offset from, Offset to, D there) {
        worker.edges += static_cast<std::uint64_t>(to - from);
        std::size_t found = 0;
        auto i = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), from) - ends_.begin());
        for (; from < to; ++i) {
            if (i + ahead_vertex < frontier_.size())
                prefetch(graph_.offsets + frontier_[i + ahead_vertex]);
            if (i + ahead_arcs < frontier_.size())
                prefetch_arcs(graph_, frontier_[i + ahead_arcs]);
            const Vertex u = frontier_[i];
            Offset arc = graph_.offsets[u + 1] - (ends_[i] - from);
            const Offset end = std::min(graph_.offsets[u + 1], arc + (to - from));
            from += end - arc;
            while (arc < end) {
                for (const Offset stop = std::min(end, arc + arcs_at_once); arc < stop; ++arc) {
                    const Vertex v = graph_.heads[arc];
                    worker.found[found] = {v, u};
                    found += load<writers>(query_.dist + v) == unreached<D>; // no branch: see relax/scan.hpp
                }
                if (found >= enough_found) {
                    claim<writers>(worker, found, there);
                    found = 0;
                }
            }
        }
        claim<writers>(worker, found, there);
    }

    // Takes the vertices that no other thread has taken since.
    template <Writers writers>
    void claim(Worker& worker, std::size_t found, D there) {
        for (std::size_t i = 0; i < found; ++i) {
            const auto [v, u] = worker.found[i];
            if (load<writers>(query_.dist + v) != unreached<D>)
                continue;
            if constexpr (writers == Writers::one)
                query_.dist[v] = there;
            else if (!lower(query_.dist + v, there))
                continue;
            if (query_.parent)
                query_.parent[v] = u;
            worker.next.push_back(v);
        }
    }

    void go_bottom_up(D there) {
        if (!std::exchange(bottom_up_, true))
            mark_frontier();
        next_marks_.assign(marks_.size(), 0);
        for_vertices(threads_, graph_.n, vertices_at_a_time, watch_, [&](unsigned id, Vertex v) {
            if (query_.dist[v] == unreached<D>)
                find_parent(workers_[id], v, there);
        });
        marks_.swap(next_marks_);
        size_ = 0;
        for (Worker& worker : workers_)
            size_ += std::exchange(worker.reached, 0);
    }

    void find_parent(Worker& worker, Vertex v, D there) {
        Offset arc = backward_->offsets[v];
        const Offset end = backward_->offsets[v + 1];
        while (arc < end && !(marks_[backward_->heads[arc] / 64] >> backward_->heads[arc] % 64 & 1))
            ++arc;
        worker.edges += static_cast<std::uint64_t>(arc - backward_->offsets[v] + (arc < end));
        if (arc == end)
            return;
        query_.dist[v] = there;
        if (query_.parent)
            query_.parent[v] = backward_->heads[arc];
        next_marks_[v / 64] |= std::uint64_t{1} << v % 64;
        ++worker.reached;
    }

    void mark_frontier() {
        marks_.assign((std::size_t{graph_.n} + 63) / 64, 0);
        for (const Vertex v : frontier_)
            marks_[v / 64] |= std::uint64_t{1} << v % 64;
    }

    void list_frontier() {
        frontier_.clear();
        for (std::size_t word = 0; word < marks_.size(); ++word)
            for (std::uint64_t bits = marks_[word]; bits; bits &= bits - 1)
                frontier_.push_back(static_cast<Vertex>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
    }

    // Numbers the arcs of the frontier consecutively: fills ends_ with the end of each vertex's arcs.
    void count_arcs() {
        size_ = static_cast<std::int64_t>(frontier_.size());
        ends_.resize(frontier_.size());
        arcs_ = 0;
        for (std::size_t i = 0; i < frontier_.size(); ++i) {
            if (i + ahead_vertex < frontier_.size())
                prefetch(graph_.offsets + frontier_[i + ahead_vertex]);
            ends_[i] = arcs_ += graph_.offsets[frontier_[i] + 1] - graph_.offsets[frontier_[i]];
        }
        left_ -= arcs_;
    }

    const Csr<Hop>& graph_;
    const Csr<Hop>* backward_;
    const Query<D>& query_;
    unsigned threads_;
    Watch& watch_;
    std::vector<Worker> workers_;
    std::vector<Vertex> frontier_; // top-down
    std::vector<Offset> ends_;
    std::vector<std::uint64_t> marks_, next_marks_; // bottom-up: a bit for each vertex of the frontier
    bool bottom_up_ = false;
    std::int64_t size_ = 0;    // of the frontier
    Offset arcs_ = 0;          // of the frontier, top-down
    Offset left_ = graph_.m(); // of vertices that no frontier has held, about
    Outcome<D> out_;
};

} // namespace pathfront
