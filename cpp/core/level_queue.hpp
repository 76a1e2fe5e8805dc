// Buckets in order of a level that never falls: a multi-level bucket queue (Denardo and Fox 1979; Cherkassky,
// Goldberg and Silverstein 1999). However far apart the levels are, an item is moved at most once per tier, and there
// is a bounded number of buckets.
//
// A level is read as digits of ten bits. Tier 0 holds the levels that differ from the current one in the lowest digit
// only, one bucket for each; tier t those whose highest differing digit is digit t. When the current level moves to
// another digit of tier t, that digit's bucket is spread over the tiers below. A bucket is a plain growing array: it is
// taken out whole, and given back empty, so that its memory is used again.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace pathfront {

template <class Item>
class LevelQueue {
  public:
    using Bucket = std::vector<Item>;

    static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max(); // no level

    LevelQueue() { tiers_[0] = std::make_unique<Tier>(); }

    // `level` is at least the current one.
    void push(std::uint64_t level, Item item) {
        const std::uint64_t differs = level ^ current_;
        if (differs < buckets) [[likely]]
            tiers_[0]->add(level & mask, item);
        else
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

    // Swaps the items of the current level with `bucket`, which is empty; false if there are none.
    bool take(Bucket& bucket) {
        if (tiers_[0]->items[current_ & mask].empty())
            return false;
        tiers_[0]->take(current_ & mask, bucket);
        return true;
    }

  private:
    static constexpr unsigned digit_bits = 10;
    static constexpr std::uint64_t buckets = 1 << digit_bits, mask = buckets - 1;
    static constexpr unsigned tiers = (64 + digit_bits - 1) / digit_bits;

    struct Tier {
        std::array<Bucket, buckets> items;
        std::array<std::uint64_t, buckets / 64> filled{}; // a bit per bucket that may hold something

        void add(std::uint64_t digit, Item item) {
            items[digit].push_back(item);
            filled[digit / 64] |= std::uint64_t{1} << digit % 64;
        }

        void take(std::uint64_t digit, Bucket& bucket) {
            bucket.swap(items[digit]);
            filled[digit / 64] &= ~(std::uint64_t{1} << digit % 64);
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

    void push_far(std::uint64_t level, std::uint64_t differs, Item item) {
        const auto tier = (static_cast<unsigned>(std::bit_width(differs)) - 1) / digit_bits;
        if (!tiers_[tier])
            tiers_[tier] = std::make_unique<Tier>();
        tiers_[tier]->add(level >> tier * digit_bits & mask, item);
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
                for (const Item& item : tiers_[tier]->items[digit])
                    far_ = std::min(far_, level_of(item));
        }
    }

    // The current level has another digit in `tier`, the highest that changed: what was filed under that digit is near
    // now. The tiers between hold nothing, since their levels would be lower than the new one.
    template <class LevelOf>
    void file_anew(unsigned tier, LevelOf&& level_of) {
        far_known_ = false;
        if (!tiers_[tier])
            return;
        Bucket moving;
        tiers_[tier]->take(current_ >> tier * digit_bits & mask, moving);
        for (const Item& item : moving)
            push(level_of(item), item);
    }

    std::array<std::unique_ptr<Tier>, tiers> tiers_;
    std::uint64_t current_ = 0;
    std::uint64_t far_ = none; // the lowest level above tier 0, if known
    bool far_known_ = true;
};

} // namespace pathfront
