// Queues of the bulk-synchronous methods: entries in the order of their arrival, as a list of chunks.
//
// An entry is a vertex with the distance it had when it was queued. Every improvement adds a new entry, so of all
// entries of a vertex, in all queues, exactly one is current: the one that has the vertex's distance. A queue is thus a
// set without marks or a table of owners. Stale entries are dropped when they are read.
//
// There is one exception. When two threads lower the same vertex at the same time by plain stores (Writers::racing),
// the larger of the two distances may be written last. The smaller one is not lost, since its entry is queued: an entry
// below its vertex's distance is current, too, and the thread that reads it writes the distance again. If both threads
// wrote the same distance there are two equal entries, and the vertex is relaxed twice.
#pragma once

#include <algorithm>
#include <utility>

#include "core/chunks.hpp"

namespace pathfront {

template <class Item>
class Bag {
  public:
    using Chunk = pathfront::Chunk<Item>;

    bool empty() const { return size_ == 0; }
    std::uint64_t size() const { return size_; }
    Chunk* first() const { return first_; }

    void push(Item item, ChunkPool<Item>& pool) {
        if (!last_ || last_->full()) [[unlikely]] {
            Chunk* const chunk = pool.get(nullptr);
            link(chunk, chunk);
        }
        last_->items[last_->size++] = item;
        ++size_;
    }

    // Moves everything out.
    Bag take() { return std::exchange(*this, Bag{}); }

    // Takes the first chunk; the caller returns it to a pool.
    Chunk* take_chunk() {
        Chunk* const chunk = first_;
        if (chunk) {
            first_ = chunk->next;
            size_ -= chunk->size;
            if (!first_)
                last_ = nullptr;
        }
        return chunk;
    }

    // Puts what is left of a chunk back at the front.
    void put_back(Chunk* chunk) {
        chunk->next = first_;
        first_ = chunk;
        size_ += chunk->size;
        if (!last_)
            last_ = chunk;
    }

    // Appends a chunk. Entries that fit into the last chunk are copied there, so that chunks stay full.
    void adopt(Chunk* chunk, ChunkPool<Item>& pool) {
        size_ += chunk->size;
        if (last_ && chunk->size <= Chunk::capacity - last_->size) {
            std::copy_n(chunk->items, chunk->size, last_->items + last_->size);
            last_->size += chunk->size;
            pool.put(chunk);
        } else if (chunk->size == 0) {
            pool.put(chunk);
        } else {
            chunk->next = nullptr;
            link(chunk, chunk);
        }
    }

    void append(Bag&& other) {
        if (!other.first_)
            return;
        link(other.first_, other.last_);
        size_ += other.size_;
        other = Bag{};
    }

    void clear(ChunkPool<Item>& pool) {
        while (Chunk* chunk = take_chunk())
            pool.put(chunk);
    }

  private:
    // Appends a list of chunks.
    void link(Chunk* first, Chunk* last) {
        (last_ ? last_->next : first_) = first;
        last_ = last;
    }

    Chunk* first_ = nullptr;
    Chunk* last_ = nullptr;
    std::uint64_t size_ = 0;
};

} // namespace pathfront
