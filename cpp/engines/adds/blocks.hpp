// The memory of the work queue: blocks of a fixed number of items, all from one pool that only the manager accesses.
//
// A block is divided into segments. Workers count the items written in each segment (the write-completed counters, WCC)
// and the items completed in the block (the completed-work counter, CWC); when all are completed the block returns to
// the pool, and from there to any bucket. A block's tag identifies its current bucket and block number.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace pathfront::adds {

// An index is split by shifts into a block number and an offset in the block, which lies in one segment.
struct Layout {
    unsigned block_bits;
    unsigned segment_bits; // at most block_bits

    std::uint32_t block() const { return std::uint32_t{1} << block_bits; }
    std::uint32_t segment() const { return std::uint32_t{1} << segment_bits; }
    std::uint32_t segments() const { return std::uint32_t{1} << (block_bits - segment_bits); }
    std::uint64_t number_of(std::uint64_t index) const { return index >> block_bits; }
    std::uint32_t offset_of(std::uint64_t index) const { return static_cast<std::uint32_t>(index) & (block() - 1); }
};

template <class Item>
class Block {
  public:
    static constexpr std::uint64_t no_tag = ~std::uint64_t{0};

    explicit Block(Layout layout)
        : items(std::make_unique_for_overwrite<Item[]>(layout.block())),
          written(std::make_unique<std::atomic<std::uint32_t>[]>(layout.segments())) {}

    // Makes it the block of the bucket that `new_tag` names, with nothing written.
    void become(std::uint64_t new_tag, Layout layout) {
        for (std::uint32_t i = 0; i < layout.segments(); ++i)
            written[i].store(0, std::memory_order_relaxed);
        completed.store(0, std::memory_order_relaxed);
        tag.store(new_tag, std::memory_order_release); // a reader of the tag sees the counters at zero
    }

    std::unique_ptr<Item[]> items;
    std::unique_ptr<std::atomic<std::uint32_t>[]> written; // the write-completed counter of each segment
    alignas(64) std::atomic<std::uint32_t> completed{0};   // the completed-work counter
    std::atomic<std::uint64_t> tag{no_tag};
};

// The error of a pool that has reached its limit of blocks.
class PoolExhausted : public std::bad_alloc {
  public:
    explicit PoolExhausted(std::size_t most)
        : message_("method='adds' needs more than the " + std::to_string(most) +
                   " blocks of its option pool; give more, or leave it out.") {}
    const char* what() const noexcept override { return message_.c_str(); }

  private:
    std::string message_;
};

template <class Item>
class BlockPool {
  public:
    // `most` blocks at the same time; 0: as many as memory holds.
    BlockPool(Layout layout, std::size_t most) : layout_(layout), most_(most) {}

    // Fails if that many blocks at the same time are not allowed.
    void require(std::size_t blocks) const {
        if (most_ != 0 && blocks > most_)
            throw PoolExhausted(most_);
    }

    Block<Item>* get() {
        if (free_.empty()) {
            require(all_.size() + 1);
            if (free_.capacity() <= all_.size())
                free_.reserve(2 * all_.size() + 64); // so that put() never allocates
            all_.push_back(std::make_unique<Block<Item>>(layout_));
            free_.push_back(all_.back().get());
        }
        Block<Item>* const block = free_.back();
        free_.pop_back();
        return block;
    }

    void put(Block<Item>* block) { free_.push_back(block); }

    std::size_t in_use() const { return all_.size() - free_.size(); }
    std::size_t high_water() const { return all_.size(); } // a block is allocated only when none is free

  private:
    Layout layout_;
    std::size_t most_;
    std::vector<std::unique_ptr<Block<Item>>> all_;
    std::vector<Block<Item>*> free_;
};

} // namespace pathfront::adds
