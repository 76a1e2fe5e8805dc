#include <cfloat>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "check.hpp"
#include "core/exact_csr.hpp"
#include "engines/exact_bellman_ford.hpp"

using namespace pathfront;

namespace {

// A double as a fixed-point number in the unit 2^-1074.
FixedPoint<34> fixed(double value) {
    const WeightParts parts = parts_of(value);
    return FixedPoint<34>::of(parts.magnitude, parts.negative, static_cast<unsigned>(parts.exponent + 1074));
}

double rounded(const FixedPoint<34>& value) { return to_float<double>(value, -1074); }

} // namespace

TEST(fixed_point_numbers_add_and_compare_as_integers_do) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 20'000; ++i) {
        const auto a = static_cast<std::int64_t>(random()) >> random() % 64;
        const auto b = static_cast<std::int64_t>(random()) >> random() % 64;
        const auto of = [](std::int64_t x) {
            const auto bits = static_cast<std::uint64_t>(x);
            return FixedPoint<2>::of(x < 0 ? -bits : bits, x < 0, 0);
        };
        CHECK((of(a) < of(b)) == (a < b) && (of(a) == of(b)) == (a == b));
        CHECK(of(a) + -of(a) == FixedPoint<2>{} && -(-of(a)) == of(a));
        std::int64_t sum, found = 0;
        const bool fits = !__builtin_add_overflow(a, b, &sum) && sum != unreached<std::int64_t>;
        CHECK(to_distance(of(a) + of(b), 0, found) == fits && (!fits || found == sum));
        CHECK(to_float<double>(of(a), 0) == static_cast<double>(a) &&
              to_float<float>(of(a), 0) == static_cast<float>(a));
    }
    CHECK(FixedPoint<2>::of(5, true, 100) < unreached<FixedPoint<2>> &&
          FixedPoint<2>{} < FixedPoint<2>::of(1, false, 64));
}

TEST(every_double_survives_and_the_sum_of_two_is_theirs) {
    std::mt19937_64 random(2);
    for (int i = 0; i < 20'000; ++i) {
        const auto a = std::bit_cast<double>(random()), b = a * std::bit_cast<double>(random() >> 12 | 0x3FFull << 52);
        if (!std::isfinite(a) || !std::isfinite(b))
            continue;
        CHECK(rounded(fixed(a)) == a);
        CHECK(rounded(fixed(a) + fixed(b)) == a + b && rounded(fixed(a) + -fixed(b)) == a - b); // both round once
        CHECK((fixed(a) < fixed(b)) == (a < b));
    }
}

TEST(rounding_is_to_the_nearest_and_of_two_to_the_even_number) {
    const double one_and_more = std::nextafter(1.0, 2.0), half = (one_and_more - 1) / 2;
    CHECK(rounded(fixed(1) + fixed(half)) == 1);
    CHECK(rounded(fixed(1) + fixed(half) + fixed(5e-324)) == one_and_more);
    CHECK(rounded(fixed(one_and_more) + fixed(half)) == std::nextafter(one_and_more, 2.0));
    CHECK(rounded(fixed(one_and_more) + fixed(half) + fixed(-5e-324)) == one_and_more);
    CHECK(rounded(fixed(DBL_MAX) + fixed(DBL_MAX) + fixed(-DBL_MAX)) == DBL_MAX);
    CHECK(std::isinf(rounded(fixed(DBL_MAX) + fixed(DBL_MAX))));
    CHECK(!std::signbit(rounded(fixed(-1) + fixed(1))));
}

TEST(the_range_of_weights) {
    Watch watch;
    const auto range = [&](std::vector<double> weights) {
        return weight_range(weights.data(), static_cast<std::int64_t>(weights.size()), 2, watch);
    };
    CHECK(range({0, -0.0}).bits() == 0 && range({}).bits() == 0);
    CHECK(range({-6, 0, 0.25}).low == -2 && range({-6, 0, 0.25}).high == 3);
    CHECK(range({5e-324, DBL_MAX}).low == -1074 && range({5e-324, DBL_MAX}).high == 1024);
}

TEST(weights_as_multiples_of_a_unit) {
    Watch watch;
    const float weights[] = {0.75f, -2, 0, -0.0f, 1e-45f, 1048576};
    std::int64_t out[6];
    scale_weights(weights, 4, -2, out, 1, watch);
    CHECK(out[0] == 3 && out[1] == -8 && out[2] == 0 && out[3] == 0);
    scale_weights(weights + 4, 1, -149, out, 1, watch);
    scale_weights(weights + 5, 1, 20, out + 1, 1, watch);
    CHECK(out[0] == 1 && out[1] == 1);
}

TEST(exact_distances_and_cycles) {
    const Offset offsets[] = {0, 1, 2, 3};
    const Vertex heads[] = {1, 2, 1};
    Watch watch;
    const auto search = [&](std::vector<double> weights, std::vector<double>& dist) {
        std::vector<Vertex> parent(3);
        return exact_bellman_ford(Csr<double>{3, offsets, heads, weights.data()},
                                  Query<double>{.source = 0, .dist = dist.data(), .parent = parent.data()}, 1, watch);
    };
    std::vector<double> dist(3);
    CHECK(search({DBL_MAX, 5e-324, -5e-324}, dist).on_cycle == no_vertex && dist[2] == DBL_MAX);
    CHECK(search({DBL_MAX, 5e-324, -1e-323}, dist).on_cycle != no_vertex);
    CHECK(search({DBL_MAX, 1e300, -1e300}, dist).overflow && search({-DBL_MAX, -1e300, 1e300}, dist).overflow);
}
