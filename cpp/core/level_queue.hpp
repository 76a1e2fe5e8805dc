// A monotone priority queue of levels: a multi-level bucket queue (Denardo and Fox 1979; Cherkassky, Goldberg and
// Silverstein 1999). For any range of levels, an item moves at most once per tier, and the number of buckets is
// bounded.
//
// A level is divided into digits of ten bits. Tier 0 holds the levels that differ from the current one in the lowest
// digit only, one bucket for each; tier t those whose highest differing digit is digit t. When the current level
// changes in digit t, the bucket of the new digit is distributed over the tiers below. A bucket is a list of chunks.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "core/chunks.hpp"

namespace pathfront {

template <class Item>
class LevelQueue {
  public:
    using Chunk = pathfront::Chunk<Item>;

    static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max(); // no level

    explicit LevelQueue(ChunkPool<Item>& pool) : pool_(pool) { tiers_[0] = std::make_unique<Tier>(); }

    // `level` is at least the current one. An item with `keep` false is not stored. `keep` is added to the size without
    // a branch, because the branch would be mispredicted.
    void push(std::uint64_t level, Item item, bool keep = true) {
        const std::uint64_t differs = level ^ current_;
        if (differs < buckets) [[likely]]
            add(*tiers_[0], level & mask, item, keep);
        else if (keep)
            push_far(level, differs, item);
    }

    // The smallest level that holds items, or none. `level_of` returns the level of an item.
    template <class LevelOf>
    std::uint64_t next(LevelOf&& level_of) {
        const std::uint64_t digit = tiers_[0]->first_from(current_ & mask);
        if (digit < buckets)
            return (current_ & ~mask) | digit;
        if (!far_known_)
            find_far(level_of);
        return far_;
    }

    // Makes `level` the current one; it must not be beyond next().
    template <class LevelOf>
    void move_to(std::uint64_t level, LevelOf&& level_of) {
        const std::uint64_t differs = level ^ current_;
        current_ = level;
        if (differs < buckets)
            return;
        // The bucket of the new digit moves to the tiers below. These are empty, since their levels would be lower than
        // the new one.
        far_known_ = false;
        const unsigned tier = tier_of(differs);
        if (tiers_[tier])
            distribute(tiers_[tier]->take(level >> tier * digit_bits & mask), level_of);
    }

    // Redistributes all items after their levels have changed.
    template <class LevelOf>
    void refile(LevelOf&& level_of) {
        Chunk* all = nullptr;
        for (const auto& tier : tiers_)
            for (std::uint64_t digit = tier ? tier->first_from(0) : buckets; digit < buckets;
                 digit = tier->first_from(digit))
                for (Chunk* chunk = tier->take(digit); chunk;) {
                    Chunk* const rest = std::exchange(chunk->next, all);
                    all = std::exchange(chunk, rest);
                }
        current_ = 0;
        far_ = none;
        far_known_ = true;
        distribute(all, level_of);
    }

    // The number of items in the current level; exact up to `enough`.
    std::uint64_t size(std::uint64_t enough) const {
        std::uint64_t items = 0;
        for (const Chunk* chunk = tiers_[0]->chunks[current_ & mask]; chunk && items < enough; chunk = chunk->next)
            items += chunk->size;
        return items;
    }

    // Removes and returns the items of the current level, as chunks; null if there are none.
    Chunk* take() { return tiers_[0]->take(current_ & mask); }

  private:
    static constexpr unsigned digit_bits = 10;
    static constexpr std::uint64_t buckets = 1 << digit_bits;
    static constexpr std::uint64_t mask = buckets - 1;
    static constexpr unsigned tiers = (64 + digit_bits - 1) / digit_bits;

    struct Tier {
        std::array<Chunk*, buckets> chunks{};
        std::array<std::uint64_t, buckets / 64> filled{}; // one bit per bucket that holds items

        Chunk* take(std::uint64_t digit) {
            filled[digit / 64] &= ~(std::uint64_t{1} << digit % 64);
            return std::exchange(chunks[digit], nullptr);
        }

        // The first filled bucket at or after `digit`, or `buckets`.
        std::uint64_t first_from(std::uint64_t digit) const {
            std::uint64_t word = digit / 64;
            std::uint64_t bits = filled[word] & ~std::uint64_t{0} << digit % 64;
            while (bits == 0) {
                if (++word == filled.size())
                    return buckets;
                bits = filled[word];
            }
            return word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits));
        }
    };

    void add(Tier& tier, std::uint64_t digit, Item item, bool keep = true) {
        Chunk* chunk = tier.chunks[digit];
        if (!chunk || chunk->full()) [[unlikely]] {
            if (!keep)
                return;
            tier.filled[digit / 64] |= std::uint64_t{1} << digit % 64;
            chunk = tier.chunks[digit] = pool_.get(chunk);
        }
        chunk->items[chunk->size] = item;
        chunk->size += keep;
    }

    // The index of the highest digit that differs.
    static unsigned tier_of(std::uint64_t differs) {
        return (static_cast<unsigned>(std::bit_width(differs)) - 1) / digit_bits;
    }

    void push_far(std::uint64_t level, std::uint64_t differs, Item item) {
        const unsigned tier = tier_of(differs);
        if (!tiers_[tier])
            tiers_[tier] = std::make_unique<Tier>();
        add(*tiers_[tier], level >> tier * digit_bits & mask, item);
        far_ = std::min(far_, level);
    }

    // The lowest level above tier 0 lies in the first filled bucket of the lowest tier that has one.
    template <class LevelOf>
    void find_far(LevelOf&& level_of) {
        far_ = none;
        far_known_ = true;
        for (unsigned tier = 1; tier < tiers && far_ == none; ++tier) {
            const std::uint64_t digit =
                tiers_[tier] ? tiers_[tier]->first_from(current_ >> tier * digit_bits & mask) : buckets;
            if (digit < buckets)
                for (const Chunk* chunk = tiers_[tier]->chunks[digit]; chunk; chunk = chunk->next)
                    for (std::uint32_t i = 0; i < chunk->size; ++i)
                        far_ = std::min(far_, level_of(chunk->items[i]));
        }
    }

    template <class LevelOf>
    void distribute(Chunk* chunk, LevelOf&& level_of) {
        while (chunk) {
            for (std::uint32_t i = 0; i < chunk->size; ++i)
                push(level_of(chunk->items[i]), chunk->items[i]);
            pool_.put(std::exchange(chunk, chunk->next));
        }
    }

    ChunkPool<Item>& pool_;
    std::array<std::unique_ptr<Tier>, tiers> tiers_;
    std::uint64_t current_ = 0;
    std::uint64_t far_ = none; // the lowest level above tier 0, if far_known_
    bool far_known_ = true;
};

} // namespace pathfront
