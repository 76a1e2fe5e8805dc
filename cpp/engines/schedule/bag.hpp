// Queues of the bulk-synchronous methods: entries in the order they came, as a list of chunks.
//
// An entry is a vertex with the distance it had when it was put there. Whoever lowers a distance puts in a new entry,
// so of all entries of a vertex, in all queues together, exactly one can be alive: the one that has the vertex's
// distance. That makes a queue a set without marks or a table of owners: the dead are dropped by whoever comes across
// them.
//
// There is one exception. When two thread_states lower the same vertex at the same moment, the larger of both distances
// may be written last (see Relax::improve). The smaller is not lost, since its entry is there: an entry below its
// vertex's distance is alive, too, and whoever comes across it writes the distance again. If both had the same distance
// there are two entries alike, and the vertex is relaxed twice.
#pragma once

#include <algorithm>
#include <utility>

#include "core/chunks.hpp"
#include "core/csr.hpp"

namespace pathfront {

template <class D, bool keeps_parents>
struct QueueEntry {
    D dist;
    Vertex vertex;

    QueueEntry() = default;
    QueueEntry(D d, Vertex v, Vertex) : dist(d), vertex(v) {}
};
template <class D>
struct QueueEntry<D, true> {
    D dist;
    Vertex vertex, parent; // the parent is written when the entry is taken out: see Relax

    QueueEntry() = default;
    QueueEntry(D d, Vertex v, Vertex p) : dist(d), vertex(v), parent(p) {}
};

template <class Item>
class Bag {
  public:
    using Chunk = pathfront::Chunk<Item>;

    bool empty() const { return size_ == 0; }
    std::uint64_t size() const { return size_; }
    Chunk* first() const { return first_; }

    void push(Item item, ChunkPool<Item>& pool) {
        if (!last_ || last_->full()) [[unlikely]]
            grow(pool);
        last_->items[last_->size++] = item;
        ++size_;
    }

    // Everything, leaving nothing.
    Bag take() { return std::exchange(*this, Bag{}); }

    // The first chunk, which the caller gives back to a pool.
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

    // Puts back at the front what is left of a chunk.
    void put_back(Chunk* chunk) {
        chunk->next = first_;
        first_ = chunk;
        size_ += chunk->size;
        if (!last_)
            last_ = chunk;
    }

    // Takes over what is left of a chunk that came from elsewhere; a little is moved, so that chunks stay full enough.
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
            (last_ ? last_->next : first_) = chunk;
            last_ = chunk;
        }
    }

    void append(Bag&& other) {
        if (!other.first_)
            return;
        (last_ ? last_->next : first_) = other.first_;
        last_ = other.last_;
        size_ += other.size_;
        other = Bag{};
    }

    void clear(ChunkPool<Item>& pool) {
        while (Chunk* chunk = take_chunk())
            pool.put(chunk);
    }

  private:
    void grow(ChunkPool<Item>& pool) {
        Chunk* const chunk = pool.get(nullptr);
        (last_ ? last_->next : first_) = chunk;
        last_ = chunk;
    }

    Chunk* first_ = nullptr;
    Chunk* last_ = nullptr;
    std::uint64_t size_ = 0;
};

} // namespace pathfront
