// A radix heap: a monotone priority queue, whose keys are never below the last minimum (Ahuja, Mehlhorn, Orlin, Tarjan
// 1990).
//
// Bucket i > 0 holds the keys whose highest bit that differs from `last` is bit i - 1; bucket 0 holds keys equal to
// `last`. Taking the minimum moves one bucket's entries into lower ones, so an entry moves at most once per bit: no
// comparisons along a tree, only appends to arrays.
//
// With `coarse` bits, keys that differ in only so many of the lowest bits count as equal: bucket 0 then holds all keys
// of a range, in any order, and a key may be below the last one by less than the range.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/csr.hpp"

namespace pathfront {

template <class Key>
class RadixHeap {
  public:
    struct Entry {
        Key key;
        Vertex vertex;
    };

    explicit RadixHeap(int coarse = 0) : coarse_(coarse) {}

    [[gnu::always_inline]] void push(Key key, Vertex vertex) {
        const int i = std::bit_width(static_cast<Key>((key ^ last_) >> coarse_));
        buckets_[i].push_back({key, vertex});
        filled_ |= std::uint64_t{i != 0} << ((i + 63) & 63);
    }

    // Advances to the smallest key and drops entries that are not `wanted`; false when none is left. All
    // entries of that key are then in current(), which may grow while it is being read.
    template <class Wanted>
    bool advance(Wanted&& wanted) {
        buckets_[0].clear();
        while (buckets_[0].empty()) {
            if (filled_ == 0)
                return false;
            const int i = std::countr_zero(filled_) + 1;
            filled_ &= filled_ - 1;
            moving_.swap(buckets_[i]);
            buckets_[i].clear();
            std::size_t kept = 0;
            Key smallest = std::numeric_limits<Key>::max();
            for (const Entry& entry : moving_)
                if (wanted(entry)) {
                    moving_[kept++] = entry;
                    smallest = entry.key < smallest ? entry.key : smallest;
                }
            moving_.resize(kept);
            if (kept == 0)
                continue;
            last_ = smallest;
            for (const Entry& entry : moving_)
                push(entry.key, entry.vertex);
        }
        return true;
    }

    Key last() const { return last_; }
    const std::vector<Entry>& current() const { return buckets_[0]; }

    void drop_current() { buckets_[0].clear(); }

    // Calls take(entry) for all entries, in no order.
    template <class Take>
    void for_each(Take&& take) const {
        for (const auto& bucket : buckets_)
            std::for_each(bucket.begin(), bucket.end(), take);
    }

    void clear(int coarse) {
        coarse_ = coarse;
        buckets_[0].clear();
        for (; filled_ != 0; filled_ &= filled_ - 1)
            buckets_[std::countr_zero(filled_) + 1].clear();
        last_ = 0;
    }

  private:
    static constexpr int bits = std::numeric_limits<Key>::digits;

    std::array<std::vector<Entry>, bits + 1> buckets_;
    std::vector<Entry> moving_;
    std::uint64_t filled_ = 0; // bit i - 1: bucket i may hold entries
    Key last_ = 0;
    int coarse_;
};

} // namespace pathfront
