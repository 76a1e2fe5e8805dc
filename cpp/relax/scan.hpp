// Which arcs of a vertex improve something.
//
// One after the other, without a branch that depends on a distance: every arc's sum is stored, and only where it is an
// improvement the next one is stored behind it. Or eight at once, with AVX-512, where the processor has it, rows have
// many arcs and numbers have 32 bits: the distances of eight heads are gathered, and the improvements among them stored
// together. 10 to 25% of a search on a triangulation and on a social network; most likely because there is no guess to
// be made where a row ends, which was not measured. Rows of four arcs and fewer were slower with it.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "core/improvement.hpp"
#include "core/packed_rows.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define PATHFRONT_EIGHT_AT_ONCE [[gnu::target("avx512f,avx512vl")]]
#endif

namespace pathfront {

// Who writes distances while a thread relaxes: itself alone; all threads, any of them, so that each write is a
// compare-and-swap; or all threads, but for each vertex only the one that owns it.
enum class Writers { one, all, owner };

template <Writers writers, class D>
D load(const D* dist) {
    if constexpr (writers != Writers::one)
        return std::atomic_ref<D>(*const_cast<D*>(dist)).load(std::memory_order_relaxed);
    else
        return *dist;
}

template <Writers writers, class D>
void store(D* dist, D sum) {
    if constexpr (writers != Writers::one)
        std::atomic_ref<D>(*dist).store(sum, std::memory_order_relaxed);
    else
        *dist = sum;
}

// The arcs of a vertex from one up to another.
template <class Rows, class D>
struct Row {
    const Rows& rows;
    Vertex tail;
    D here; // its distance
    Offset from, to;
};

// Where improvements are written, and the tails of their arcs beside them, if there is a place for these.
template <class D>
struct Finds {
    Improvement<D>* improvements;
    Vertex* tails;
};

inline constexpr std::size_t behind_finds = 8; // so many places behind the last find may be written, too

struct OneByOne {
    // Adds what is found to the `found` improvements that there are; returns how many there are then.
    template <Writers writers, bool tails, class Rows, class D>
    static std::size_t find(const Row<Rows, D>& row, const D* dist, const Finds<D>& finds, std::size_t found) {
        for (Offset arc = row.from; arc < row.to; ++arc) {
            const D sum = add(row.here, row.rows.weight(arc));
            const Vertex v = row.rows.head(arc);
            finds.improvements[found] = {sum, v};
            if constexpr (tails)
                finds.tails[found] = row.tail;
            found += sum < load<writers>(dist + v);
        }
        return found;
    }
};

#ifdef PATHFRONT_EIGHT_AT_ONCE

template <class Rows, class D>
inline constexpr bool finds_eight_at_once =
    sizeof(D) == 4 && (std::is_same_v<Rows, Csr<D>> || (std::is_same_v<Rows, PackedRows> && std::is_integral_v<D>));

inline bool can_find_eight_at_once(Vertex n) {
    static const bool can = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
    return can && n <= Vertex{1} << 31; // what is gathered has signed numbers
}

struct EightAtOnce {
    // Whoever writes distances: eight are loaded by one instruction, but each by itself, whole. One that changes at the
    // same moment is looked at again before it is written.
    template <Writers writers, bool tails, class Rows, class D>
    PATHFRONT_EIGHT_AT_ONCE static std::size_t find(const Row<Rows, D>& row, const D* dist, const Finds<D>& finds,
                                                    std::size_t found) {
        for (Offset arc = row.from; arc < row.to; arc += 8) {
            const auto there = static_cast<__mmask8>(0xff >> (8 - std::min<Offset>(row.to - arc, 8)));
            __m256i heads, sums;
            look_at(row, arc, there, heads, sums);
            const __m256i dists = _mm256_mmask_i32gather_epi32(_mm256_setzero_si256(), there, heads, dist, 4);
            // distances are not negative: as unsigned integers they have the same order, whatever they are
            const __mmask8 better = _mm256_mask_cmplt_epu32_mask(there, sums, dists);
            // the forms with a mask, since GCC warns of the headers of the others
            const __m512i low = _mm512_maskz_cvtepu32_epi64(0xff, sums),
                          high = _mm512_maskz_cvtepu32_epi64(0xff, heads);
            const __m512i words = _mm512_or_si512(low, _mm512_maskz_slli_epi64(0xff, high, 32));
            static_assert(sizeof(Improvement<D>) == 8); // the distance low, the vertex high
            _mm512_storeu_si512(finds.improvements + found, _mm512_maskz_compress_epi64(better, words));
            if constexpr (tails)
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(finds.tails + found),
                                    _mm256_set1_epi32(static_cast<int>(row.tail)));
            found += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(better)));
        }
        return found;
    }

  private:
    template <class D>
    PATHFRONT_EIGHT_AT_ONCE static void look_at(const Row<Csr<D>, D>& row, Offset arc, __mmask8 there, __m256i& heads,
                                                __m256i& sums) {
        heads = _mm256_maskz_loadu_epi32(there, row.rows.heads + arc);
        const __m256i weights = _mm256_maskz_loadu_epi32(there, row.rows.weights + arc);
        if constexpr (std::is_floating_point_v<D>)
            sums = _mm256_castps_si256(_mm256_add_ps(_mm256_set1_ps(row.here), _mm256_castsi256_ps(weights)));
        else
            sums = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(row.here)), weights);
    }

    template <class D>
    PATHFRONT_EIGHT_AT_ONCE static void look_at(const Row<PackedRows, D>& row, Offset arc, __mmask8 there,
                                                __m256i& heads, __m256i& sums) {
        const __m256i words = _mm256_maskz_loadu_epi32(there, row.rows.arcs + arc);
        heads = _mm256_and_si256(words, _mm256_set1_epi32(static_cast<int>(row.rows.head_mask)));
        const __m256i weights = _mm256_srl_epi32(words, _mm_cvtsi32_si128(static_cast<int>(row.rows.weight_shift)));
        sums = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(row.here)), weights);
    }
};

#else

template <class Rows, class D>
inline constexpr bool finds_eight_at_once = false;

inline bool can_find_eight_at_once(Vertex) { return false; }

#endif

} // namespace pathfront
