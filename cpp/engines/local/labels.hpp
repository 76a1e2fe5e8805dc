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
#include <type_traits>
#include <vector>

#include "core/csr.hpp"
#include "core/distance.hpp"
#include "core/prefetch.hpp"

namespace pathfront {

// With `parents` a label has the parent beside the distance, in the same cache line.
template <class D, bool parents>
class Labels {
  public:
    using Key = KeyOf<D>;

    explicit Labels(std::uint64_t n) {
        labels_.reset(
            static_cast<Label*>(std::calloc(n + 1, sizeof(Label)))); // large ones come from the system as zeros
        if (!labels_)
            throw std::bad_alloc();
    }

    bool has(Vertex v) const { return labels_[v].nearness != 0; }

    // The distance of a vertex that has one.
    D dist(Vertex v) const { return from_key<D>(static_cast<Key>(~labels_[v].nearness)); }
    Vertex parent(Vertex v) const { return labels_[v].parent; }

    // Whether a vertex has this distance: an entry of a queue with another one is stale.
    bool is(Vertex v, Key key) const { return labels_[v].nearness == static_cast<Key>(~key); }

    // Lowers the distance of v; false if it is not higher.
    bool improve(Vertex v, D dist) {
        if (!has(v))
            touched_.push_back(v);
        return lower(v, dist);
    }

    // The same for callers that know which vertices to forget() in the end.
    bool lower(Vertex v, D dist) {
        const Key nearness = ~to_key(dist);
        if (nearness <= labels_[v].nearness)
            return false;
        labels_[v].nearness = nearness;
        return true;
    }

    void forget(Vertex v) { labels_[v].nearness = 0; }

    void set_parent(Vertex v, Vertex parent) { labels_[v].parent = parent; }
    void fetch(Vertex v) const { prefetch(&labels_[v]); }

    void clear() {
        for (const Vertex v : touched_)
            forget(v);
        touched_.clear();
    }

  private:
    struct Distance {
        Key nearness;
    };
    struct DistanceAndParent {
        Key nearness;
        Vertex parent;
    };
    using Label = std::conditional_t<parents, DistanceAndParent, Distance>;
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };

    std::unique_ptr<Label[], Free> labels_;
    std::vector<Vertex> touched_;
};

} // namespace pathfront
