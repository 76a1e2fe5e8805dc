// What a program needs while it runs, kept for its next run: queues, and for each thread_state chunks and lists.
#pragma once

#include <memory>
#include <vector>

#include "engines/schedule/program.hpp"
#include "engines/schedule/state.hpp"

namespace pathfront {

template <class D, class Item>
struct Buffers : Kept {
    std::vector<std::unique_ptr<ThreadState<D, Item>>> thread_states;
    std::vector<Bag<Item>> queues;
    std::vector<D> scalars;
    std::vector<Chunk<Item>*> chunks;     // of the queue that is being worked on
    std::vector<Piece<Item>> pieces;      // what is left of it, in equal shares
    std::vector<Item> entries;            // of a queue that is being sorted
    std::vector<FrontierVertex<D>> front; // the vertices that are being relaxed, where everybody needs to know them
    std::vector<D> frontier_dist;         // n: the same as distances, unreached elsewhere
    std::vector<std::uint8_t> state;      // n: where vertices pull, what they are
    std::vector<Vertex> called;           // those that may have something to pull

    // The buffers of a program, made anew unless it has run with the same types before.
    static Buffers& of(Program& program) {
        auto* mine = dynamic_cast<Buffers*>(program.kept.get());
        if (!mine) {
            auto made = std::make_unique<Buffers>();
            mine = made.get();
            program.kept = std::move(made);
        }
        mine->queues.resize(program.queue_count);
        mine->scalars.resize(program.scalar_count);
        mine->reserve(1);
        for (auto& thread_state : mine->thread_states) {
            thread_state->all_edges = 0;
            thread_state->overflow = false;
        }
        mine->state.clear();
        for (Bag<Item>& queue : mine->queues)
            queue.clear(mine->thread_states[0]->pool); // a search that found its targets leaves things behind
        return *mine;
    }

    void reserve(unsigned count) {
        while (thread_states.size() < count) {
            thread_states.push_back(std::make_unique<ThreadState<D, Item>>());
            thread_states.back()->out.resize(Routes<Item, D>::most);
        }
    }
};

} // namespace pathfront
