// Buckets in order of a level that never falls: a multi-level bucket queue (Denardo and Fox 1979; Cherkassky,
// Goldberg and Silverstein 1999). However far apart the levels are, an item is moved at most once per tier, and there
// is a bounded number of buckets.
//
// A level is read as digits of ten bits. Tier 0 holds the levels that differ from the current one in the lowest digit
// only, one bucket for each; tier t those whose highest differing digit is digit t. When the current level moves to
// another digit of tier t, that digit's bucket is spread over the tiers below. A bucket is a list of chunks.
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

    // `level` is at least the current one. What is not to be kept is not pushed: told by a number instead of a branch,
    // where the processor could not guess which.
    void push(std::uint64_t level, Item item, bool keep = true) {
        const std::uint64_t differs = level ^ current_;
        if (differs < buckets) [[likely]]
            add(*tiers_[0], level & mask, item, keep);
        else if (keep)
            push_far(level, differs, item);
    }

    // The smallest level that holds something, or none. `level_of` tells the level of an item again.
    template <class LevelOf>
    std::uint64_t next(LevelOf&& level_of) {
        const std::uint64_t digit = tiers_[0]->first_from(current_ & mask);
        if (digit < buckets)
            return (current_ & ~mask) | digit;
        if (!far_known_)
            find_far(level_of);
        return far_;
    }

    // Makes a level the current one; it must not be beyond next().
    template <class LevelOf>
    void move_to(std::uint64_t level, LevelOf&& level_of) {
        const std::uint64_t differs = level ^ current_;
        current_ = level;
        if (differs >= buckets)
            file_anew((static_cast<unsigned>(std::bit_width(differs)) - 1) / digit_bits, level_of);
    }

    // Files everything anew, because items have other levels than they had.
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
        file(all, level_of);
    }

    // How many items the current level holds; exact up to `enough`.
    std::uint64_t size(std::uint64_t enough) const {
        std::uint64_t items = 0;
        for (const Chunk* chunk = tiers_[0]->chunks[current_ & mask]; chunk && items < enough; chunk = chunk->next)
            items += chunk->size;
        return items;
    }

    // Takes the items of the current level, as chunks; null if there are none.
    Chunk* take() { return tiers_[0]->take(current_ & mask); }

  private:
    static constexpr unsigned digit_bits = 10;
    static constexpr std::uint64_t buckets = 1 << digit_bits, mask = buckets - 1;
    static constexpr unsigned tiers = (64 + digit_bits - 1) / digit_bits;

    struct Tier {
        std::array<Chunk*, buckets> chunks{};
        std::array<std::uint64_t, buckets / 64> filled{}; // a bit per bucket that holds something

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

    void push_far(std::uint64_t level, std::uint64_t differs, Item item) {
        const auto tier = (static_cast<unsigned>(std::bit_width(differs)) - 1) / digit_bits;
        if (!tiers_[tier])
            tiers_[tier] = std::make_unique<Tier>();
        add(*tiers_[tier], level >> tier * digit_bits & mask, item);
        far_ = std::min(far_, level);
    }

    // The lowest level above tier 0 lies in the first bucket of the lowest tier that has one.
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

    // The current level has another digit in `tier`, the highest that changed: what was filed under that digit is near
    // now. The tiers between hold nothing, since their levels would be lower than the new one.
    template <class LevelOf>
    void file_anew(unsigned tier, LevelOf&& level_of) {
        far_known_ = false;
        if (!tiers_[tier])
            return;
        file(tiers_[tier]->take(current_ >> tier * digit_bits & mask), level_of);
    }

    template <class LevelOf>
    void file(Chunk* chunk, LevelOf&& level_of) {
        while (chunk) {
            for (std::uint32_t i = 0; i < chunk->size; ++i)
                push(level_of(chunk->items[i]), chunk->items[i]);
            pool_.put(std::exchange(chunk, chunk->next));
        }
    }

    ChunkPool<Item>& pool_;
    std::array<std::unique_ptr<Tier>, tiers> tiers_;
    std::uint64_t current_ = 0;
    std::uint64_t far_ = none; // the lowest level above tier 0, if known
    bool far_known_ = true;
};

} // namespace pathfront
