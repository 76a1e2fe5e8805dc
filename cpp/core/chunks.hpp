// Bags of items as lists of fixed chunks, all from one pool. A bag grows without copying, gives its memory back the
// moment a chunk is used up, and can be split by handing over whole chunks; the memory of all bags together is that of
// the items in them plus one chunk for each bag.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
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

// Where chunks come from and go back to. Not shared between threads, but a chunk may end its life in another pool than
// the one it came from: pools of one team are freed together.
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
