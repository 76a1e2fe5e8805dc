// A queue for searches of few vertices, in exact order: a heap of four children per entry, by key, ties by vertex. It
// may hold keys below the last one taken, which a radix heap (core/radix_heap.hpp) may not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/csr.hpp"

namespace pathfront {

// An entry with a key of 32 bits is one number of 64.
template <class Key>
class HeapEntry {
  public:
    HeapEntry(Key key, Vertex vertex) : key_(key), vertex_(vertex) {}
    Key key() const { return key_; }
    Vertex vertex() const { return vertex_; }
    bool operator<(const HeapEntry& other) const {
        return key_ < other.key_ || (key_ == other.key_ && vertex_ < other.vertex_);
    }

  private:
    Key key_;
    Vertex vertex_;
};

template <>
class HeapEntry<std::uint32_t> {
  public:
    HeapEntry(std::uint32_t key, Vertex vertex) : both_(std::uint64_t{key} << 32 | vertex) {}
    std::uint32_t key() const { return static_cast<std::uint32_t>(both_ >> 32); }
    Vertex vertex() const { return static_cast<Vertex>(both_); }
    bool operator<(const HeapEntry& other) const { return both_ < other.both_; }

  private:
    std::uint64_t both_;
};

template <class Key>
class SmallHeap {
  public:
    using Entry = HeapEntry<Key>;

    bool empty() const { return entries_.empty(); }
    const Entry& top() const { return entries_.front(); }
    void clear() { entries_.clear(); }

    void push(Key key, Vertex vertex) {
        const Entry entry(key, vertex);
        std::size_t at = entries_.size();
        entries_.push_back(entry);
        while (at > 0) {
            const std::size_t up = (at - 1) / 4;
            if (!(entry < entries_[up]))
                break;
            entries_[at] = entries_[up];
            at = up;
        }
        entries_[at] = entry;
    }

    void pop() {
        const Entry last = entries_.back();
        entries_.pop_back();
        if (!entries_.empty())
            sink(0, last);
    }

  private:
    void sink(std::size_t at, const Entry entry) {
        const std::size_t size = entries_.size();
        for (;;) {
            const std::size_t first = 4 * at + 1;
            if (first >= size)
                break;
            std::size_t least = first;
            if (first + 4 <= size) {
                const std::size_t a = first + (entries_[first + 1] < entries_[first]);
                const std::size_t b = first + 2 + (entries_[first + 3] < entries_[first + 2]);
                least = entries_[b] < entries_[a] ? b : a;
            } else {
                for (std::size_t child = first + 1; child < size; ++child)
                    if (entries_[child] < entries_[least])
                        least = child;
            }
            if (!(entries_[least] < entry))
                break;
            entries_[at] = entries_[least];
            at = least;
        }
        entries_[at] = entry;
    }

    std::vector<Entry> entries_;
};

} // namespace pathfront
