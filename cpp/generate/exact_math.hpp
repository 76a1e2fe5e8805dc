// Elementary functions that give the same bits on every machine: the C library's exp and log may differ in the last bit
// from one system to the next, and a generated graph must not. Only + - * / sqrt and bit operations are used, for which
// IEEE 754 defines the exact result (the build forbids fused multiply-adds). Accurate to about 1e-15, relative.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace pathfront {

namespace detail {

// ln 2 in two parts. The first has 21 zero bits at its end, so that a product with any exponent is exact.
inline constexpr double ln2_high = 0x1.62E42FEE00000p-1, ln2_low = 0x1.A39EF35793C76p-33;

// c[0] + c[1] x + c[2] x^2 + ..., by Horner's rule.
template <std::size_t Count>
constexpr double polynomial(const double (&c)[Count], double x) {
    double sum = c[Count - 1];
    for (std::size_t i = Count - 1; i-- > 0;)
        sum = sum * x + c[i];
    return sum;
}

constexpr double power_of_two(int exponent) { // -1022 <= exponent <= 1023
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

} // namespace detail

// e^x: x = k ln 2 + r with |r| <= ln 2 / 2, and e^r by its series. Infinite beyond 709.78, 0 below -745.
inline double exact_exp(double x) {
    if (x > 709.782712893384)
        return std::numeric_limits<double>::infinity();
    if (x < -745.2)
        return 0;
    const double scaled = x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5);
    const int k = static_cast<int>(scaled);
    const double r = (x - k * detail::ln2_high) - k * detail::ln2_low;
    double sum = 1;
    for (int i = 14; i > 0; --i)
        sum = 1 + sum * r / i;
    // in two steps: 2^k itself may be too large or too small for a double
    return sum * detail::power_of_two(k / 2) * detail::power_of_two(k - k / 2);
}

// ln x for normal x > 0: x = 2^e m with m in [sqrt(1/2), sqrt 2), and ln m = 2 artanh((m - 1) / (m + 1)).
inline double exact_log(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    int e = static_cast<int>(bits >> 52) - 1023;
    double m = std::bit_cast<double>((bits & 0xFFFFFFFFFFFFFu) | 0x3FF0000000000000u);
    if (m > 1.4142135623730951) {
        m /= 2;
        ++e;
    }
    const double s = (m - 1) / (m + 1), square = s * s;
    double sum = 0;
    for (int i = 23; i > 1; i -= 2)
        sum = (sum + 1.0 / i) * square;
    return e * detail::ln2_high + (2 * s + (2 * s * sum + e * detail::ln2_low));
}

// The x below which a standard normal variable falls with probability p, 0 < p < 1 (Wichura 1988, algorithm
// AS 241): one rational function in the middle, two for the tails.
inline double exact_normal_quantile(double p) {
    static constexpr double middle_top[] = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                                            1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                                            3.3430575583588128105e4, 2.5090809287301226727e3};
    static constexpr double middle_bottom[] = {
        1.0000000000000000000e0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
        2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3};
    static constexpr double near_top[] = {
        1.42343711074968357734e0, 4.63033784615654529590e0,  5.76949722146069140550e0,  3.64784832476320460504e0,
        1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static constexpr double near_bottom[] = {
        1.00000000000000000000e0,  2.05319162663775882187e0,  1.67638483018380384940e0,  6.89767334985100004550e-1,
        1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9};
    static constexpr double far_top[] = {
        6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,  2.96560571828504891230e-1,
        2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static constexpr double far_bottom[] = {
        1.00000000000000000000e0,  5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
        7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15};
    const double q = p - 0.5;
    if (std::fabs(q) <= 0.425) {
        const double r = 0.180625 - q * q;
        return q * detail::polynomial(middle_top, r) / detail::polynomial(middle_bottom, r);
    }
    const double r = std::sqrt(-exact_log(q < 0 ? p : 1 - p));
    const double x = r <= 5 ? detail::polynomial(near_top, r - 1.6) / detail::polynomial(near_bottom, r - 1.6)
                            : detail::polynomial(far_top, r - 5) / detail::polynomial(far_bottom, r - 5);
    return q < 0 ? -x : x;
}

// A standard normal number from 64 random bits. The middles of 2^52 intervals, so neither 0 nor 1 occurs.
inline double to_normal(std::uint64_t bits) {
    return exact_normal_quantile((static_cast<double>(bits >> 12) + 0.5) * 0x1p-52);
}

} // namespace pathfront
