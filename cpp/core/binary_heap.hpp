// A binary heap with lazy deletion: the priority queue of textbooks, with which the serial baselines of papers are
// made.
//
// A vertex that is improved is pushed again, and its old entry is dropped when it comes to the top. The alternative,
// moving a vertex's one entry up ("decrease-key"), needs to know where each entry is: a write to a random place of
// memory for every step of every entry. Without that the heap holds up to one entry per arc, but it is an array that
// only the standard library's functions touch.
//
// The interface is that of RadixHeap, so that a search can take either.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "core/csr.hpp"

namespace pathfront {

template <class Key>
class BinaryHeap {
  public:
    struct Entry {
        Key key;
        Vertex vertex;
        bool operator>(const Entry& other) const { return key > other.key; }
    };

    void push(Key key, Vertex vertex) {
        entries_.push_back({key, vertex});
        std::push_heap(entries_.begin(), entries_.end(), std::greater<>());
    }

    // Takes out the smallest entry that is `wanted`, which is then the only one of current(), and drops those before
    // it; false when none is left.
    template <class Wanted>
    bool advance(Wanted&& wanted) {
        current_.clear();
        while (!entries_.empty()) {
            std::pop_heap(entries_.begin(), entries_.end(), std::greater<>());
            const Entry entry = entries_.back();
            entries_.pop_back();
            if (wanted(entry)) {
                last_ = entry.key;
                current_.push_back(entry);
                return true;
            }
        }
        return false;
    }

    Key last() const { return last_; }
    const std::vector<Entry>& current() const { return current_; }

  private:
    std::vector<Entry> entries_, current_;
    Key last_ = 0;
};

} // namespace pathfront
