// The vector scan finds what the scalar scan finds, in the same order.
#include <array>
#include <random>
#include <vector>

#include "check.hpp"
#include "relax/scan.hpp"

using namespace pathfront;

#ifdef PATHFRONT_AVX512

namespace {

constexpr Vertex n = 500;
constexpr Offset most_arcs = 1100;

// Rows of every length up to three times eight and a few long ones, among them one with more arcs than a byte counts;
// from each position in a cache line.
template <class Rows, class D>
void finds_the_same(const Rows& rows, const std::vector<D>& dist) {
    std::array<std::vector<Improvement<D>>, 2> improvements;
    std::array<std::vector<Vertex>, 2> tails;
    for (int i : {0, 1}) {
        improvements[i].resize(most_arcs + scan_slack);
        tails[i].resize(most_arcs + scan_slack);
    }
    std::size_t in_all = 0;
    for (Offset from = 0; from < 16; ++from)
        for (Offset arcs = 0; arcs <= 1030; arcs += arcs < 24 ? 1 : arcs < 250 ? 75 : 257) {
            const Row<Rows, D> row{rows, 7, D{100}, from, from + arcs};
            const std::size_t found = ScalarScan::scan<Writers::one, true>(
                row, dist.data(), ScanOutput<D>{improvements[0].data(), tails[0].data()}, 3);
            CHECK((LongVectorScan::scan<Writers::one, true>(
                       row, dist.data(), ScanOutput<D>{improvements[1].data(), tails[1].data()}, 3) == found));
            for (std::size_t i = 3; i < found; ++i) {
                CHECK(improvements[0][i].vertex() == improvements[1][i].vertex());
                CHECK(improvements[0][i].dist() == improvements[1][i].dist());
                CHECK(tails[0][i] == 7 && tails[1][i] == 7);
            }
            CHECK((LongVectorScan::scan<Writers::all, false>(
                       row, dist.data(), ScanOutput<D>{improvements[1].data(), nullptr}, 3) == found));
            in_all += found - 3;
        }
    CHECK(in_all > 1000);
}

template <class D>
void finds_the_same_with() {
    std::mt19937 rng(1);
    std::vector<Offset> offsets(n + 1, most_arcs);
    std::vector<Vertex> heads;
    std::vector<D> weights, dist;
    std::vector<std::uint32_t> words;
    for (Vertex v = 0; v < n; ++v) // some not reached, some that cannot be improved, some at the very sum
        dist.push_back(rng() % 4 == 0 ? unreached<D> : rng() % 4 == 0 ? D{0} : static_cast<D>(rng() % 400));
    for (Offset arc = 0; arc < most_arcs; ++arc) {
        heads.push_back(rng() % n);
        const D there = dist[heads.back()];
        const bool just = there >= 100 && there < 400 && rng() % 4 == 0;
        weights.push_back(just ? static_cast<D>(there - 100) : static_cast<D>(rng() % 300));
        if constexpr (std::is_integral_v<D>)
            words.push_back(static_cast<std::uint32_t>(weights.back()) << bits_of_head(n) | heads.back());
    }
    finds_the_same(Csr<D>{n, offsets.data(), heads.data(), weights.data()}, dist);
    if constexpr (std::is_integral_v<D>) {
        const std::vector<std::uint32_t> starts(n + 1, most_arcs);
        finds_the_same(PackedRows(n, starts.data(), words.data()), dist);
    } else {
        for (D& weight : weights)
            weight += D{0.1f}; // sums that have to be rounded
        finds_the_same(Csr<D>{n, offsets.data(), heads.data(), weights.data()}, dist);
    }
}

} // namespace

TEST(the_vector_scan_finds_the_same) {
    if (!can_scan_vectors(n))
        return;
    finds_the_same_with<std::uint32_t>();
    finds_the_same_with<std::int32_t>();
    finds_the_same_with<float>();
}

TEST(the_vector_scan_needs_indices_of_31_bits) { CHECK(!can_scan_vectors((Vertex{1} << 31) + 1)); }

#endif
