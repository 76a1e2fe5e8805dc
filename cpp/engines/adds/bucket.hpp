// One bucket: a queue of a single reader, the manager, and many writers, the workers.
//
// Writing. A worker raises the reservation pointer (resv_ptr) by the number of its items, which gives it slots that no
// other thread writes; it writes the items, and only then raises the write-completed counter (WCC) of their segment.
//
// Reading. Workers write their slots in any order. A segment whose WCC is full is readable; a partly full one only if
// its start plus its WCC equals the reservation pointer, read after the WCC: then every slot reserved in it has been
// written. If the pointer were read before the WCC, a later writer could be counted instead of an earlier one that
// has not finished.
//
// Retiring. A bucket is finished when its completed-work counter (CWC) equals its reservation pointer, read in this
// order. Being empty is not enough: workers that process its last items may still push into it.
//
// Nothing is reset: pointers have 64 bits and only rise, and blocks are replaced beneath them. A late push into a
// bucket that has been retired and is the last by now is out of order but never lost.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "engines/adds/blocks.hpp"

namespace pathfront::adds {

// Items of one block assigned to a worker, which owns them until it has completed them. Relaxing uses it as a chunk.
template <class Item>
struct Range {
    Item* items = nullptr;
    std::uint32_t size = 0;  // items left to process
    std::uint32_t count = 0; // items assigned
    Block<Item>* block = nullptr;
    std::uint32_t bucket = 0;
};

template <class Item>
class alignas(128) Bucket {
  public:
    static constexpr std::uint64_t spare_blocks = 1; // beyond the one that is being written

    Bucket(Layout layout, std::uint32_t index) : layout_(layout), index_(index) {
        tables_.push_back(std::make_unique<Table>(8));
        table_.store(tables_.back().get(), std::memory_order_release);
    }

    // ---- for workers

    // Appends items. `await()` is called while a block is missing, and returns whether to go on; `enter()` is called at
    // the start of a block, so that the next can be provided. False if stopped: the bucket cannot be read after that.
    template <bool shared, class Enter, class Await>
    bool push(const Item* items, std::uint32_t count, Enter&& enter, Await&& await) {
        // relaxed: a thread that sees a counter below sees this too
        std::uint64_t index = raise<shared>(reserved_, std::uint64_t{count}, std::memory_order_relaxed);
        while (count > 0) {
            Block<Item>* const block = find(layout_.number_of(index));
            if (!block) {
                if (!await())
                    return false;
                continue;
            }
            const std::uint32_t offset = layout_.offset_of(index);
            const std::uint32_t piece = std::min(count, layout_.segment() - (offset & (layout_.segment() - 1)));
            std::copy_n(items, piece, block->items.get() + offset);
            // release: the reader of the counter sees the items, and the reservation above
            raise<shared>(block->written[offset >> layout_.segment_bits], piece, std::memory_order_release);
            if (offset == 0)
                enter();
            items += piece;
            index += piece;
            count -= piece;
        }
        return true;
    }

    // Completes a range. All its pushes must precede this call.
    template <bool shared>
    void complete(const Range<Item>& range) {
        // release: a thread that sees the completion sees the pushes. The block may be recycled from here on.
        raise<shared>(range.block->completed, range.count, std::memory_order_release);
        raise<shared>(completed_, std::uint64_t{range.count}, std::memory_order_release);
    }

    // ---- for the manager

    // Provides blocks for all reserved slots, and `spare_blocks` more.
    void provide(BlockPool<Item>& pool) {
        // relaxed: a worker that waits for a block wakes the manager again
        const std::uint64_t last = layout_.number_of(reserved_.load(std::memory_order_relaxed)) + spare_blocks;
        for (; installed_ <= last; ++installed_)
            install(pool.get());
    }

    // Returns the blocks whose items have all been completed. Only entirely assigned blocks are checked.
    void recycle(BlockPool<Item>& pool) {
        std::erase_if(drained_, [&](std::uint64_t number) {
            std::atomic<Block<Item>*>& slot = newest().slot(number);
            Block<Item>* const block = slot.load(std::memory_order_relaxed); // written by this thread
            // acquire: the workers are done with the items
            if (block->completed.load(std::memory_order_acquire) != layout_.block())
                return false;
            slot.store(nullptr, std::memory_order_relaxed);
            block->tag.store(Block<Item>::no_tag, std::memory_order_relaxed); // find() does not return it any more
            pool.put(block);
            return true;
        });
    }

    // Whether some entirely assigned block has not been returned.
    bool has_drained() const { return !drained_.empty(); }

    // The number of items after the read pointer that are known to be written; stops counting at `enough`.
    std::uint64_t readable(std::uint64_t enough) const {
        std::uint64_t end = read_;
        while (end - read_ < enough && layout_.number_of(end) < installed_) {
            const std::uint64_t start = end & ~std::uint64_t{layout_.segment() - 1};
            const Block<Item>* const block = newest().slot(layout_.number_of(end)).load(std::memory_order_relaxed);
            // acquire: the items are visible, and the pointer below is read after the counter
            const std::uint32_t written =
                block->written[layout_.offset_of(start) >> layout_.segment_bits].load(std::memory_order_acquire);
            if (written < layout_.segment()) {
                const std::uint64_t reserved = reserved_.load(std::memory_order_relaxed);
                return start + written == reserved ? reserved - read_ : end - read_;
            }
            end = start + layout_.segment();
        }
        return end - read_;
    }

    // Takes up to `count` items, all readable, from the block at the read pointer.
    Range<Item> take(std::uint64_t count) {
        const std::uint64_t number = layout_.number_of(read_);
        Block<Item>* const block = newest().slot(number).load(std::memory_order_relaxed); // written by this thread
        const std::uint32_t offset = layout_.offset_of(read_);
        const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, layout_.block() - offset));
        read_ += size;
        if (offset + size == layout_.block())
            drained_.push_back(number);
        return {block->items.get() + offset, size, size, block, index_};
    }

    bool finished() const {
        // acquire: the pushes of completed work are visible, and the pointer is read after the counter
        const std::uint64_t completed = completed_.load(std::memory_order_acquire);
        return completed == reserved_.load(std::memory_order_relaxed);
    }

    // Items reserved and not completed; a snapshot.
    std::uint64_t live() const {
        const std::uint64_t completed = completed_.load(std::memory_order_relaxed);
        return std::max(reserved_.load(std::memory_order_relaxed), completed) - completed;
    }

    std::uint64_t reserved() const { return reserved_.load(std::memory_order_relaxed); }
    std::uint64_t completed() const { return completed_.load(std::memory_order_relaxed); }
    std::uint64_t read() const { return read_; }
    std::uint64_t installed() const { return installed_; }

  private:
    // The blocks by number, in a circular array.
    struct Table {
        explicit Table(std::size_t size) : mask(size - 1), slots(std::make_unique<std::atomic<Block<Item>*>[]>(size)) {}

        std::atomic<Block<Item>*>& slot(std::uint64_t number) const { return slots[number & mask]; }

        std::size_t mask;
        std::unique_ptr<std::atomic<Block<Item>*>[]> slots;
    };

    // A single thread needs no locked instruction.
    template <bool shared, class Number>
    static Number raise(std::atomic<Number>& counter, Number by, std::memory_order order) {
        if constexpr (shared)
            return counter.fetch_add(by, order);
        const Number before = counter.load(std::memory_order_relaxed);
        counter.store(before + by, std::memory_order_relaxed);
        return before;
    }

    // The tag of a block: unique over all blocks of all buckets, so a block with this tag is the right one even if it
    // was found in an outdated table.
    std::uint64_t tag_of(std::uint64_t number) const { return number << 12 | index_; }

    Block<Item>* find(std::uint64_t number) const {
        // acquire, all three: the table's slots, the block's arrays, its counters at zero
        const Table* const table = table_.load(std::memory_order_acquire);
        Block<Item>* const block = table->slot(number).load(std::memory_order_acquire);
        return block && block->tag.load(std::memory_order_acquire) == tag_of(number) ? block : nullptr;
    }

    const Table& newest() const { return *tables_.back(); }

    void install(Block<Item>* block) {
        while (newest().slot(installed_).load(std::memory_order_relaxed))
            grow(); // the table is full: the oldest block is still in use
        block->become(tag_of(installed_), layout_);
        newest().slot(installed_).store(block, std::memory_order_release); // a finder sees its arrays
    }

    // Doubles the table. Workers may still read the old one, so it is not freed; there they find the old blocks, by
    // their tags, and no new ones.
    void grow() {
        const Table& old = newest();
        auto table = std::make_unique<Table>(2 * (old.mask + 1));
        for (std::uint64_t number = installed_ > old.mask ? installed_ - old.mask - 1 : 0; number < installed_;
             ++number)
            if (Block<Item>* const block = old.slot(number).load(std::memory_order_relaxed))
                table->slot(number).store(block, std::memory_order_relaxed);
        tables_.push_back(std::move(table));
        table_.store(tables_.back().get(), std::memory_order_release); // a reader of the table sees its slots
    }

    Layout layout_;
    std::uint32_t index_;
    std::atomic<const Table*> table_;
    alignas(128) std::atomic<std::uint64_t> reserved_{0};  // the reservation pointer
    alignas(128) std::atomic<std::uint64_t> completed_{0}; // the completed-work counter
    alignas(128) std::uint64_t read_ = 0;                  // this and all below: only for the manager
    std::uint64_t installed_ = 0;                          // blocks so far
    std::vector<std::uint64_t> drained_;                   // numbers of entirely assigned blocks
    std::vector<std::unique_ptr<Table>> tables_;
};

} // namespace pathfront::adds
