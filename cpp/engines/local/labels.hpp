// The labels of searches that reach few of the n vertices: a distance and a parent each, made and cleared in time
// proportional to what a search touches.
//
// A distance is stored as the complement of its key (core/distance.hpp), so that 0 means "no label": an array fresh
// from the system is cleared without being written, and its pages take memory only where a search writes.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "core/csr.hpp"
#include "core/distance.hpp"
#include "core/prefetch.hpp"

namespace pathfront {

template <class D>
class Labels {
  public:
    using Key = KeyOf<D>;

    explicit Labels(std::uint64_t n) : nearness_(zeros<Key>(n)), parent_(zeros<Vertex>(n)) {}

    bool has(Vertex v) const { return nearness_[v] != 0; }

    // The distance of a vertex that has one.
    D dist(Vertex v) const { return from_key<D>(static_cast<Key>(~nearness_[v])); }
    Vertex parent(Vertex v) const { return parent_[v]; }

    // Whether a vertex has this distance: an entry of a queue with another one is stale.
    bool is(Vertex v, Key key) const { return nearness_[v] == static_cast<Key>(~key); }

    // Lowers the distance of v; false if it is not higher.
    bool improve(Vertex v, D dist) {
        const Key nearness = ~to_key(dist), before = nearness_[v];
        if (nearness <= before)
            return false;
        if (before == 0)
            touched_.push_back(v);
        nearness_[v] = nearness;
        return true;
    }

    void set_parent(Vertex v, Vertex parent) { parent_[v] = parent; }
    void fetch(Vertex v) const { prefetch(&nearness_[v]); }

    void clear() {
        for (const Vertex v : touched_)
            nearness_[v] = 0;
        touched_.clear();
    }

  private:
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    template <class T>
    using Zeros = std::unique_ptr<T[], Free>;

    template <class T>
    static Zeros<T> zeros(std::uint64_t n) {
        auto* const memory = static_cast<T*>(std::calloc(n + 1, sizeof(T))); // large ones come from the system as zeros
        if (!memory)
            throw std::bad_alloc();
        return Zeros<T>(memory);
    }

    Zeros<Key> nearness_;
    Zeros<Vertex> parent_;
    std::vector<Vertex> touched_;
};

} // namespace pathfront
