// Bags of items as linked lists of fixed-size chunks, all from one pool. A bag grows without copying, frees a chunk as
// soon as its items are used, and is split by moving whole chunks. All bags together need the memory of their items
// plus one chunk per bag.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace pathfront {

template <class Item>
struct Chunk {
    static constexpr std::size_t bytes = 4096;
    static constexpr std::uint32_t capacity = (bytes - 16) / sizeof(Item);

    Chunk* next;
    std::uint32_t size;
    alignas(8) Item items[capacity];

    bool full() const { return size == capacity; }
};

// Cuts a list of chunks in the middle and returns the second half.
template <class Item>
Chunk<Item>* cut_in_half(Chunk<Item>* list) {
    Chunk<Item>* middle = list;
    for (Chunk<Item>* end = list->next; end && end->next; end = end->next->next)
        middle = middle->next;
    return std::exchange(middle->next, nullptr);
}

// A free list of chunks. Not shared between threads, but a chunk may return to another pool than the one that allocated
// it: the pools of one team are freed together.
template <class Item>
class ChunkPool {
  public:
    Chunk<Item>* get(Chunk<Item>* next) {
        if (!free_)
            grow();
        Chunk<Item>* chunk = free_;
        free_ = chunk->next;
        chunk->next = next;
        chunk->size = 0;
        return chunk;
    }

    void put(Chunk<Item>* chunk) {
        chunk->next = free_;
        free_ = chunk;
    }

  private:
    // Slabs double up to a megabyte, so that small searches stay small.
    void grow() {
        const std::size_t count = slabs_.empty() ? 8 : std::min<std::size_t>(256, 2 * last_);
        slabs_.push_back(std::make_unique_for_overwrite<Chunk<Item>[]>(count));
        for (std::size_t i = 0; i < count; ++i)
            put(&slabs_.back()[i]);
        last_ = count;
    }

    std::vector<std::unique_ptr<Chunk<Item>[]>> slabs_;
    std::size_t last_ = 0;
    Chunk<Item>* free_ = nullptr;
};

} // namespace pathfront
