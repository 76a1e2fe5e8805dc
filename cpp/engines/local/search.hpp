// A search that costs what it touches: Dijkstra's algorithm on labels and a queue that serve many searches in turn.
//
// The queue counts close keys as equal (range_queue.hpp). All vertices of such a range are settled together, in any
// order; a vertex that is improved meanwhile is relaxed again, which is rare as long as the range is smaller than most
// weights. In exchange the next vertices are known, and their arcs and labels are prefetched: on roads this takes three
// quarters of the time that exact order takes. Where weights are so uneven that much is relaxed again, the queue tells
// all keys apart from then on.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/jobs.hpp"
#include "core/prefetch.hpp"
#include "core/search.hpp"
#include "engines/dijkstra.hpp"
#include "engines/local/labels.hpp"
#include "engines/local/range_queue.hpp"

namespace pathfront {

// What is known of a graph's weights.
template <class D>
struct WeightBounds {
    D lightest, heaviest;
    double mean;
};

// What a search for one path ends with; `overflow`: a length that does not fit D.
enum class Found { path, nothing, overflow, stopped };

// The lowest bits of a key in which two distances may differ and be settled together.
template <class D>
int coarse_bits(const WeightBounds<D>& weights) {
    // Half the mean weight for integers. The keys of floating-point numbers are their bits: a thousandth of the
    // distance.
    if constexpr (std::is_floating_point_v<D>)
        return std::numeric_limits<D>::digits - 11;
    else
        return std::clamp(
            static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::min(weights.mean, 1e18)))) - 2, 0, 24);
}

// What a search for one path ends with that found none, but left out sums that do not fit: these led to the target only
// if some `open` arcs (u, v) do, whatever they weigh. The labels, clear before, mark what was seen.
template <class W, class D, class Open>
Found overflow_or_nothing(const Csr<W>& graph, Labels<D, true>& seen, Vertex source, Vertex target, Pulse& pulse,
                          Open&& open) {
    std::vector<Vertex> waiting{source};
    seen.improve(source, D{0});
    while (!waiting.empty() && !seen.has(target)) {
        const Vertex u = waiting.back();
        waiting.pop_back();
        for (Offset arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc) {
            const Vertex v = graph.heads[arc];
            if (open(u, v) && seen.improve(v, D{0}))
                waiting.push_back(v);
        }
        if (!pulse.beat(graph.offsets[u + 1] - graph.offsets[u] + 1))
            return Found::stopped;
    }
    return seen.has(target) ? Found::overflow : Found::nothing;
}

template <class W, class D, bool parents>
class LocalSearch {
  public:
    LocalSearch(const Csr<W>& csr, const WeightBounds<D>& weights)
        : graph(csr), labels(csr.n), coarse_(coarse_bits(weights)), safe_(safe_distance(weights.heaviest)),
          always_check_(weights.heaviest > largest_distance<D>), queue_(coarse_) {}

    void begin(Vertex root) {
        dropped = false;
        labels.improve(root, D{0});
        queue_.push(to_key(D{0}), root);
    }

    void clear() {
        labels.clear();
        queue_.clear(coarse_);
    }

    // Lowers the distance of v and queues it; false if it is not higher.
    bool improve(Vertex v, D dist) {
        if (!labels.improve(v, dist))
            return false;
        queue(v, dist);
        return true;
    }

    // The same for callers that know which vertices to forget in the end.
    bool lower(Vertex v, D dist) {
        if (!labels.lower(v, dist))
            return false;
        queue(v, dist);
        return true;
    }

    // Settles the vertices of the lowest range: calls take(u, v, sum) for their arcs, except where the sum is out of
    // range, and `take` improves v or does not. False: the pulse has stopped.
    template <class Take>
    bool settle_range(Pulse& pulse, Take&& take) {
        const auto* range = &queue_.current(); // grows while it is read
        std::size_t most = again_from_ + 2 * range->size();
        for (std::size_t i = 0; i < range->size(); ++i) {
            if (i == most) {
                queue_.refine(current());
                range = &queue_.current();
                i = 0;
                most = std::numeric_limits<std::size_t>::max();
            }
            look_ahead(*range, i);
            const auto entry = (*range)[i];
            if (!current()(entry))
                continue;
            if (!relax(entry.vertex, from_key<D>(entry.key), pulse, take))
                return false;
        }
        return true;
    }

    // Calls take(v, sum) for the arcs that leave a vertex, except where the sum is out of range.
    template <class Take>
    bool relax(Vertex u, D here, Pulse& pulse, Take&& take) {
        const Offset from = graph.offsets[u], to = graph.offsets[u + 1];
        dropped |= detail::for_sums(graph, here, from, to, here > safe_ || always_check_,
                                    [&](Vertex v, D sum) { take(u, v, sum); });
        return pulse.beat(to - from + 1);
    }

    // Goes on to the next range; false if there is none.
    bool advance() { return queue_.advance(current()); }

    // No vertex that has not been settled is closer.
    D least() const { return from_key<D>(queue_.least()); }

    // Calls take(key, v) for the vertices of the lowest range, which have been settled.
    template <class Take>
    void for_settled(Take&& take) const {
        for (const auto& entry : queue_.current())
            if (current()(entry))
                take(entry.key, entry.vertex);
    }

    // Calls take(key, v) for the vertices that wait to be settled.
    template <class Take>
    void for_waiting(Take&& take) const {
        queue_.for_each([&](const auto& entry) {
            if (current()(entry))
                take(entry.key, entry.vertex);
        });
    }

    std::size_t waiting() const { return queue_.current().size(); }

    const Csr<W>& graph;
    Labels<D, parents> labels;
    bool dropped = false; // a sum out of range

  private:
    static constexpr std::size_t again_from_ = 4096; // vertices relaxed again in a range that do not matter

    auto current() const {
        return [this](const auto& entry) { return labels.is(entry.vertex, entry.key); };
    }

    // The offsets of a vertex are prefetched when it is queued, its arcs four entries before they are read, and the
    // labels of its neighbours two entries before.
    void queue(Vertex v, D dist) {
        queue_.push(to_key(dist), v);
        prefetch(&graph.offsets[v]);
    }

    void fetch_arcs(Vertex v) const {
        const Offset row = graph.offsets[v];
        prefetch(&graph.heads[row]);
        if constexpr (!std::is_same_v<W, Hop>)
            prefetch(&graph.weights[row]);
    }

    void look_ahead(const std::vector<typename RangeQueue<KeyOf<D>>::Entry>& range, std::size_t i) const {
        if (i == 0)
            for (std::size_t soon = 1; soon < std::min<std::size_t>(range.size(), 4); ++soon)
                fetch_arcs(range[soon].vertex);
        if (i + 4 < range.size())
            fetch_arcs(range[i + 4].vertex);
        if (i + 2 >= range.size())
            return;
        const Vertex soon = range[i + 2].vertex;
        const Offset end = std::min(graph.offsets[soon + 1], graph.offsets[soon] + 8);
        for (Offset arc = graph.offsets[soon]; arc < end; ++arc)
            labels.fetch(graph.heads[arc]);
    }

    const int coarse_;
    const D safe_;
    const bool always_check_;
    RangeQueue<KeyOf<D>> queue_;
};

} // namespace pathfront
