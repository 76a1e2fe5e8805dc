// Relaxing the arcs of a queue, divided among threads by one of four strategies (Davidson et al. 2014, section IV.B).
// Threads stand for the paper's thread blocks and warps:
// - thread per list: every thread takes every so-manieth vertex, with all of its arcs, however many these are;
// - cooperative blocks: chunks of a fixed number of vertices, assigned to the next free thread;
// - CTA, warp, scan: the same, but all threads share the arcs of a hub;
// - load-balanced: shares of equally many arcs, wherever vertices begin and end.
//
// A synchronous operation drops all stale entries before it writes anything, and then relaxes every entry with the
// distance it was queued with. Threads lower distances by compare-and-swap: each vertex has one current entry for
// certain, so what is counted does not depend on threads.
#pragma once

#include <iterator>
#include <limits>

#include "engines/schedule/context.hpp"
#include "engines/schedule/ops/passes.hpp"
#include "engines/schedule/ops/relax.hpp"

namespace pathfront {

inline constexpr Offset hub_arcs = 1 << 14;        // left of a vertex, to be shared by all threads
inline constexpr Offset arcs_in_a_share = 1 << 15; // of a load-balanced share

template <class W, class D, Parents parents>
class Traverse {
  public:
    using Context = pathfront::Context<W, D, parents>;
    using Chunk = typename Context::Chunk;
    using ThreadState = typename Context::ThreadState;
    using Routes = typename Context::Routes;
    using Relaxer = QueueRelaxer<W, D, parents>;

    Traverse(const Instruction& it, Context& context)
        : it_(it), context_(context), graph_(context.state.graph), synchronous_(it.number >= synchronous) {}

    // Relaxes the queue. Hubs may be left over, in the thread states.
    void relax() {
        if (synchronous_)
            drop_stale_entries({.op = Op::unique, .queues = {it_.queues[0], it_.queues[0]}, .scalars = {}}, context_);
        const auto traversal = static_cast<Traversal>(it_.number % synchronous);
        if (context_.fork_join && context_.in_parallel(it_, context_.thresholds.relaxing)) {
            if (traversal == Traversal::load_balanced)
                return relax_equal_shares();
            if (traversal == Traversal::thread_per_list)
                return relax_lists();
        }
        const bool shares_hubs = context_.threads > 1 && traversal != Traversal::cooperative_blocks &&
                                 traversal != Traversal::thread_per_list;
        const Offset hub = shares_hubs ? hub_arcs : std::numeric_limits<Offset>::max();
        context_.pass(it_, context_.thresholds.relaxing,
                      [&](auto shared, ThreadState& thread, const Routes& routes, Chunk& chunk, unsigned id) {
                          Relaxer relaxer(context_.state, thread, routes);
                          relax_chunk<shared.value>(
                              relaxer, thread, chunk, [&](Vertex u, D dist, Offset arc, Offset& to) {
                                  if (to - arc >= hub)
                                      thread.hubs.push_back({u, dist, arc, std::exchange(to, arc)});
                                  else
                                      polling(id)(u, dist, arc, to);
                              });
                      });
    }

    // Relaxes the hubs that were left over.
    void relax_hubs() {
        std::vector<ArcRange<D>>& hubs = context_.leader().hubs;
        for (std::size_t i = 1; i < context_.thread_states().size(); ++i) {
            auto& more = context_.thread_states()[i]->hubs;
            hubs.insert(hubs.end(), more.begin(), more.end());
            more.clear();
        }
        for (const ArcRange<D>& hub : hubs)
            relax_hub(hub);
        hubs.clear();
    }

  private:
    // Relaxes the current entries of a chunk.
    template <bool shared, class During>
    void relax_chunk(Relaxer& relaxer, ThreadState& thread, Chunk& chunk, During&& during) {
        if (synchronous_) {
            note_lowest(thread, chunk);
            return relaxer.template relax_as_queued<synchronous_writers<shared>>(chunk, during);
        }
        relaxer.template take<writers_if<shared>>(chunk);
        note_lowest(thread, chunk);
        relaxer.template relax_current<writers_if<shared>>(graph_, chunk, [](std::uint32_t) {}, during);
    }

    // Each thread relaxes its vertices of every chunk.
    void relax_lists() {
        context_.list(context_.queues[it_.queues[0]].take());
        const auto& chunks = context_.buffers.chunks;
        const unsigned threads = context_.fork_join->size();
        context_.run(true, it_, 1, [&](auto, ThreadState& thread, const Routes& routes, unsigned id) {
            Chunk* const mine = thread.pool.get(nullptr);
            for (const Chunk* chunk : chunks) {
                mine->size = 0;
                for (std::uint32_t i = id; i < chunk->size; i += threads)
                    mine->items[mine->size++] = chunk->items[i];
                const std::uint32_t size = mine->size;
                Relaxer relaxer(context_.state, thread, routes);
                relax_chunk<true>(relaxer, thread, *mine, polling(id));
                if (!context_.poll(id, size))
                    break;
            }
            thread.pool.put(mine);
        });
        for (Chunk* chunk : chunks)
            context_.leader().pool.put(chunk);
    }

    // Each thread relaxes so many arcs of the chunks it takes; the rest is cut into equal pieces for all threads.
    void relax_equal_shares() {
        context_.list(context_.queues[it_.queues[0]].take());
        const auto& chunks = context_.buffers.chunks;
        context_.for_blocks(true, it_, 1, std::ssize(chunks), 1,
                            [&](auto, ThreadState& thread, const Routes& routes, unsigned id, Offset i, Offset) {
                                Relaxer relaxer(context_.state, thread, routes);
                                relax_share(relaxer, thread, id, *chunks[static_cast<std::size_t>(i)]);
                                return Chunk::capacity;
                            });
        relax_rest();
    }

    void relax_share(Relaxer& relaxer, ThreadState& thread, unsigned id, Chunk& chunk) {
        if (!synchronous_)
            relaxer.template take<Writers::racing>(chunk);
        note_lowest(thread, chunk);
        const std::uint32_t size = chunk.size;
        Offset arcs = 0;
        std::uint32_t share = 0;
        while (share < size && (arcs += degree(chunk.items[share])) <= arcs_in_a_share)
            ++share;
        chunk.size = share;
        if (synchronous_)
            relaxer.template relax_as_queued<Writers::all>(chunk, polling(id));
        else
            relaxer.template relax_current<Writers::racing>(graph_, chunk, [](std::uint32_t) {}, polling(id));
        if (share == size)
            return thread.pool.put(&chunk);
        chunk.size = size - share;
        std::copy_n(chunk.items + share, chunk.size, chunk.items);
        relaxer.template settle<Writers::racing>(chunk.items, chunk.items + chunk.size);
        arcs = 0;
        for (std::uint32_t k = 0; k < chunk.size; ++k) {
            arcs += degree(chunk.items[k]);
            thread.vertices += degree(chunk.items[k]) == 0; // part of no piece
        }
        thread.rest.push_back({&chunk, 0, arcs});
    }

    void relax_rest() {
        auto& pieces = context_.buffers.pieces;
        pieces.clear();
        for (auto& thread : context_.thread_states())
            for (const auto& rest : thread->rest)
                for (Offset from = rest.from; from < rest.to; from += arcs_in_a_share)
                    pieces.push_back({rest.chunk, from, std::min(from + arcs_in_a_share, rest.to)});
        if (!pieces.empty())
            context_.for_blocks(
                true, it_, 1, std::ssize(pieces), 1,
                [&](auto, ThreadState& thread, const Routes& routes, unsigned id, Offset i, Offset) {
                    const auto& [chunk, from, to] = pieces[static_cast<std::size_t>(i)];
                    Relaxer relaxer(context_.state, thread, routes);
                    if (synchronous_)
                        relaxer.template relax_range<Writers::all, false>(*chunk, from, to, polling(id));
                    else
                        relaxer.template relax_range<Writers::racing, true>(*chunk, from, to, polling(id));
                    return to - from;
                });
        for (auto& thread : context_.thread_states()) {
            for (const auto& rest : thread->rest)
                thread->pool.put(rest.chunk);
            thread->rest.clear();
        }
    }

    void relax_hub(const ArcRange<D>& hub) {
        context_.for_blocks(
            true, it_, 1, hub.to - hub.from, 4 * arcs_at_once,
            [&](auto shared, ThreadState& thread, const Routes& routes, unsigned id, Offset begin, Offset end) {
                Relaxer relaxer(context_.state, thread, routes);
                const ArcRange<D> arcs{hub.tail, hub.dist, hub.from + begin, hub.from + end};
                if (synchronous_)
                    relaxer.template relax_arcs<synchronous_writers<shared.value>>(arcs, polling(id));
                else
                    relaxer.template relax_arcs<writers_if<shared.value>>(arcs, polling(id));
                return arcs_at_once;
            });
    }

    // Called between the pieces of a hub: its other arcs are dropped when the search is to stop.
    auto polling(unsigned id) {
        return [this, id](Vertex, D, Offset arc, Offset& to) {
            if (!context_.poll(id, arcs_at_once))
                to = arc;
        };
    }

    void note_lowest(ThreadState& thread, const Chunk& chunk) const {
        if (context_.traces)
            for (std::uint32_t i = 0; i < chunk.size; ++i)
                thread.lowest = std::min(thread.lowest, chunk.items[i].dist);
    }

    template <class Item>
    Offset degree(const Item& entry) const {
        return graph_.offsets[entry.vertex + 1] - graph_.offsets[entry.vertex];
    }

    const Instruction& it_;
    Context& context_;
    const Csr<W>& graph_;
    const bool synchronous_;
};

} // namespace pathfront
