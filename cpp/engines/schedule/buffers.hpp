// The buffers of a program: queues, and chunks and lists for each thread. They are cached for its next run.
#pragma once

#include <memory>
#include <vector>

#include "engines/schedule/program.hpp"
#include "engines/schedule/state.hpp"

namespace pathfront {

template <class D, class Item>
struct Buffers : CachedBuffers {
    std::vector<std::unique_ptr<ThreadState<D, Item>>> thread_states;
    std::vector<Bag<Item>> queues;
    std::vector<D> scalars;
    std::vector<Chunk<Item>*> chunks;        // of the queue that is being relaxed
    std::vector<Piece<Item>> pieces;         // what is left of it, in equal shares
    std::vector<Item> entries;               // of a queue that is being sorted
    std::vector<FrontierVertex<D>> frontier; // the vertices that are being relaxed, for operations that need a list
    std::vector<D> frontier_dist;            // n: the same as distances, unreached elsewhere; or of all vertices
    std::vector<std::uint8_t> state;         // n: for pulling, the states of vertices
    std::vector<Vertex> candidates;          // vertices that may have something to pull

    // The buffers of a program; new ones unless its last run had the same types.
    static Buffers& of(Program& program) {
        auto* buffers = dynamic_cast<Buffers*>(program.cached.get());
        if (!buffers) {
            auto made = std::make_unique<Buffers>();
            buffers = made.get();
            program.cached = std::move(made);
        }
        buffers->queues.resize(program.queue_count);
        buffers->scalars.resize(program.scalar_count);
        buffers->reserve(1);
        for (auto& thread : buffers->thread_states) {
            thread->all_edges = 0;
            thread->overflow = false;
        }
        buffers->state.clear();
        for (Bag<Item>& queue : buffers->queues)
            queue.clear(buffers->thread_states[0]->pool); // a search that found its targets leaves entries behind
        return *buffers;
    }

    void reserve(unsigned count) {
        while (thread_states.size() < count) {
            thread_states.push_back(std::make_unique<ThreadState<D, Item>>());
            thread_states.back()->out.resize(Routes<Item, D>::most);
        }
    }
};

} // namespace pathfront
