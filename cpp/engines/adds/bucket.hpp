// One bucket: a queue of a single reader, the manager, and many writers, the workers.
//
// Writing. A worker raises the reservation pointer by as many items as it has, which gives it places that nobody else
// writes; it writes the items, and only then raises the write-completed counter of their segment.
//
// Reading. Nothing is known of the order in which workers write their places. A segment whose counter is full is
// readable; one that is partly full only if its start plus its counter equals the reservation pointer, read after the
// counter: then every place that was ever reserved in it has been written. Were the pointer read before the counter,
// a later writer could stand in the count for an earlier one that is not done.
//
// Retiring. A bucket is finished when its completed-work counter equals its reservation pointer, read in this order. To
// be empty is not enough: workers that run its last items may still push into it.
//
// Nothing is ever reset: pointers are 64 bits and only rise, blocks come and go beneath them. So a push that comes
// late, into a bucket that has been retired and stands last by now, is out of order but never lost.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "engines/adds/blocks.hpp"

namespace pathfront::adds {

// Items of one block that are handed to a worker: its own until it has completed them. Looks like a chunk to Relaxing.
template <class Item>
struct Range {
    Item* items = nullptr;
    std::uint32_t size = 0;  // of what is left to do
    std::uint32_t count = 0; // of what was handed out
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

    // Appends items. `await()` is called while a block is missing, and says whether to go on; `enter()` when a block is
    // begun, so that the next can be made ready. False if given up: then the bucket cannot be read any more.
    template <bool shared, class Enter, class Await>
    bool push(const Item* items, std::uint32_t count, Enter&& enter, Await&& await) {
        // relaxed: who sees a counter below, sees this too
        std::uint64_t index = raise<shared>(reserved_, std::uint64_t{count}, std::memory_order_relaxed);
        while (count > 0) {
            Block<Item>* const block = find(layout_.number_of(index));
            if (!block) {
                if (!await())
                    return false;
                continue;
            }
            const std::uint32_t place = layout_.place_of(index);
            const std::uint32_t piece = std::min(count, layout_.segment() - (place & (layout_.segment() - 1)));
            std::copy_n(items, piece, block->items.get() + place);
            // release: the reader of the counter sees the items, and the reservation above
            raise<shared>(block->written[place >> layout_.segment_bits], piece, std::memory_order_release);
            if (place == 0)
                enter();
            items += piece;
            index += piece;
            count -= piece;
        }
        return true;
    }

    // Says that a range has been worked off. What it pushed must have been pushed before.
    template <bool shared>
    void complete(const Range<Item>& range) {
        // release: whoever sees that it is done sees what it pushed. The block may be recycled from here on.
        raise<shared>(range.block->completed, range.count, std::memory_order_release);
        raise<shared>(completed_, std::uint64_t{range.count}, std::memory_order_release);
    }

    // ---- for the manager

    // Makes blocks ready for everything that has been reserved, and a little more.
    void provide(BlockPool<Item>& pool) {
        // relaxed: who waits for a block has rung, and looks again
        const std::uint64_t last = layout_.number_of(reserved_.load(std::memory_order_relaxed)) + spare_blocks;
        for (; installed_ <= last; ++installed_)
            install(pool.get());
    }

    // Gives back the blocks whose items have all been completed. Only what has been handed out entirely is looked at.
    void recycle(BlockPool<Item>& pool) {
        std::erase_if(drained_, [&](std::uint64_t number) {
            std::atomic<Block<Item>*>& slot = mine().slot(number);
            Block<Item>* const block = slot.load(std::memory_order_relaxed); // written by this thread
            // acquire: the workers are done with the items
            if (block->completed.load(std::memory_order_acquire) != layout_.block())
                return false;
            slot.store(nullptr, std::memory_order_relaxed);
            block->tag.store(Block<Item>::no_tag, std::memory_order_relaxed); // whoever looks it up takes it for absent
            pool.put(block);
            return true;
        });
    }

    // How many items from the read pointer on are known to be written; stops looking at `enough`.
    std::uint64_t readable(std::uint64_t enough) const {
        std::uint64_t end = read_;
        while (end - read_ < enough && layout_.number_of(end) < installed_) {
            const std::uint64_t start = end & ~std::uint64_t{layout_.segment() - 1};
            const Block<Item>* const block = mine().slot(layout_.number_of(end)).load(std::memory_order_relaxed);
            // acquire: the items are seen, and the pointer below is read after the counter
            const std::uint32_t written =
                block->written[layout_.place_of(start) >> layout_.segment_bits].load(std::memory_order_acquire);
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
        Block<Item>* const block = mine().slot(number).load(std::memory_order_relaxed); // written by this thread
        const std::uint32_t place = layout_.place_of(read_);
        const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, layout_.block() - place));
        read_ += size;
        if (place + size == layout_.block())
            drained_.push_back(number);
        return {block->items.get() + place, size, size, block, index_};
    }

    bool finished() const {
        // acquire: what completed work pushed is seen, and the pointer is read after the counter
        const std::uint64_t completed = completed_.load(std::memory_order_acquire);
        return completed == reserved_.load(std::memory_order_relaxed);
    }

    // Items that are reserved and not completed; a moment's truth.
    std::uint64_t live() const {
        const std::uint64_t completed = completed_.load(std::memory_order_relaxed);
        return std::max(reserved_.load(std::memory_order_relaxed), completed) - completed;
    }

    std::uint64_t reserved() const { return reserved_.load(std::memory_order_relaxed); }
    std::uint64_t completed() const { return completed_.load(std::memory_order_relaxed); }
    std::uint64_t read() const { return read_; }
    std::uint64_t installed() const { return installed_; }

  private:
    // Where the blocks are, by their numbers, in a circle.
    struct Table {
        explicit Table(std::size_t size) : mask(size - 1), slots(std::make_unique<std::atomic<Block<Item>*>[]>(size)) {}

        std::atomic<Block<Item>*>& slot(std::uint64_t number) const { return slots[number & mask]; }

        std::size_t mask;
        std::unique_ptr<std::atomic<Block<Item>*>[]> slots;
    };

    // One thread alone needs no locked instruction.
    template <bool shared, class Number>
    static Number raise(std::atomic<Number>& counter, Number by, std::memory_order order) {
        if constexpr (shared)
            return counter.fetch_add(by, order);
        const Number before = counter.load(std::memory_order_relaxed);
        counter.store(before + by, std::memory_order_relaxed);
        return before;
    }

    // The tag of a block: no other block of any bucket ever has the same, so one that has it is the right one, however
    // old the table it was found in.
    std::uint64_t tag_of(std::uint64_t number) const { return number << 12 | index_; }

    Block<Item>* find(std::uint64_t number) const {
        // acquire, all three: the table's slots, the block's arrays, its counters at zero
        const Table* const table = table_.load(std::memory_order_acquire);
        Block<Item>* const block = table->slot(number).load(std::memory_order_acquire);
        return block && block->tag.load(std::memory_order_acquire) == tag_of(number) ? block : nullptr;
    }

    const Table& mine() const { return *tables_.back(); }

    void install(Block<Item>* block) {
        while (mine().slot(installed_).load(std::memory_order_relaxed))
            grow(); // the circle is full: the oldest block is still in use
        block->become(tag_of(installed_), layout_);
        mine().slot(installed_).store(block, std::memory_order_release); // its arrays are seen by whoever finds it
    }

    // A table of twice the size. Workers may still read the old one, so it is kept; there they find the old blocks, by
    // their tags, and no new ones.
    void grow() {
        const Table& old = mine();
        auto table = std::make_unique<Table>(2 * (old.mask + 1));
        for (std::uint64_t number = installed_ > old.mask ? installed_ - old.mask - 1 : 0; number < installed_;
             ++number)
            if (Block<Item>* const block = old.slot(number).load(std::memory_order_relaxed))
                table->slot(number).store(block, std::memory_order_relaxed);
        tables_.push_back(std::move(table));
        table_.store(tables_.back().get(), std::memory_order_release); // the slots are seen by whoever sees the table
    }

    Layout layout_;
    std::uint32_t index_;
    std::atomic<const Table*> table_;
    alignas(128) std::atomic<std::uint64_t> reserved_{0};  // the reservation pointer
    alignas(128) std::atomic<std::uint64_t> completed_{0}; // the completed-work counter
    alignas(128) std::uint64_t read_ = 0;                  // from here on the manager's
    std::uint64_t installed_ = 0;                          // blocks, ever
    std::vector<std::uint64_t> drained_;                   // numbers of blocks handed out to the last item
    std::vector<std::unique_ptr<Table>> tables_;
};

} // namespace pathfront::adds
