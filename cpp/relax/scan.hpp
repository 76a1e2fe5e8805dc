// Scanning the arcs of a vertex for improvements: heads whose distance is above the sum along the arc.
//
// The scalar scan has no branch that depends on a distance. It stores the sum of every arc; the next one is stored
// behind it only if it was an improvement. The vector scan takes eight arcs per step with AVX-512: it gathers the
// distances of eight heads and stores the improvements among them together. It needs numbers of 32 bits. A search on a
// triangulation and on a social network takes 10 to 25% less time with it, because a short row is one step without a
// loop whose end is mispredicted. Rows of four arcs and fewer were slower.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/packed_rows.hpp"
#include "relax/improve.hpp"
#include "relax/improvement.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <immintrin.h>
#define PATHFRONT_AVX512 [[gnu::target("avx512f,avx512vl")]]
#endif

namespace pathfront {

// The arcs of a vertex from one up to another.
template <class Rows, class D>
struct Row {
    const Rows& rows;
    Vertex tail;
    D dist; // of the tail
    Offset from, to;
};

// Where a scan stores improvements, and the tails of their arcs if the caller needs them.
template <class D>
struct ScanOutput {
    Improvement<D>* improvements;
    Vertex* tails;
};

inline constexpr std::size_t scan_slack = 8; // a scan may write so many entries behind its last improvement

struct ScalarScan {
    static constexpr Offset longest_row = std::numeric_limits<Offset>::max();

    // Appends to the `found` improvements that there are; returns how many there are then.
    template <Writers writers, bool tails, class Rows, class D>
    static std::size_t scan(const Row<Rows, D>& row, const D* dist, const ScanOutput<D>& out, std::size_t found) {
        for (Offset arc = row.from; arc < row.to; ++arc) {
            const D sum = add(row.dist, row.rows.weight(arc));
            const Vertex v = row.rows.head(arc);
            out.improvements[found] = {sum, v};
            if constexpr (tails)
                out.tails[found] = row.tail;
            found += sum < load<writers>(dist + v);
        }
        return found;
    }
};

// The scalar scan where a sum may leave the range of D: such arcs are left out, and `overflow` is set.
template <Writers writers, bool tails, class Rows, class D>
std::size_t scan_checked(const Row<Rows, D>& row, const D* dist, const ScanOutput<D>& out, std::size_t found,
                         bool& overflow) {
    for (Offset arc = row.from; arc < row.to; ++arc) {
        D sum;
        if (!add_checked(row.dist, row.rows.weight(arc), sum)) {
            overflow = true;
            continue;
        }
        out.improvements[found] = {sum, row.rows.head(arc)};
        if constexpr (tails)
            out.tails[found] = row.tail;
        found += sum < load<writers>(dist + row.rows.head(arc));
    }
    return found;
}

#ifdef PATHFRONT_AVX512

// Whether the vector scan exists for these types.
template <class Rows, class D>
inline constexpr bool has_vector_scan =
    sizeof(D) == 4 && (std::is_same_v<Rows, Csr<D>> || (std::is_same_v<Rows, PackedRows> && std::is_integral_v<D>));

// Whether the processor can run it on a graph of n vertices.
inline bool can_scan_vectors(Vertex n) {
    static const bool can = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
    return can && n <= Vertex{1} << 31; // the gather instruction takes signed indices
}

inline bool is_intel() {
    static const bool intel = __builtin_cpu_is("intel");
    return intel;
}

// AMD's Zen 5 and later. Compilers before GCC 14 know no name for it.
inline bool is_zen5() {
    static const bool zen5 = [] {
        unsigned eax = 0, ebx, ecx, edx;
        __get_cpuid(1, &eax, &ebx, &ecx, &edx);
        const unsigned family = (eax >> 8 & 0xf) + (eax >> 20 & 0xff);
        return __builtin_cpu_is("amd") && family >= 0x1a;
    }();
    return zen5;
}

inline constexpr Vertex cached_distances = Vertex{1} << 17; // half of a second-level cache of 1 MB

// Whether the vector scan is faster on a graph of n vertices. Intel's gather takes as long as the loads of a scalar
// scan while the distances are in the second-level cache, and the scan's other instructions made searches on small
// triangulations, Kronecker and social graphs take 3 to 15% longer. Beyond the cache it keeps more loads pending: the
// scalar scan of a large Kronecker graph took up to a third longer. AMD's gather: see `with_vector_scan`.
inline bool prefers_vectors(Vertex n) { return !is_intel() || n > cached_distances; }

// Scans rows of at most `longest` arcs. A limit at run time would slow down the loop around it.
template <Offset longest>
struct VectorScan {
    static constexpr Offset longest_row = longest;

    // For any writers: the gather reads each of the eight distances whole. A distance that changes at the same time is
    // read again before it is written.
    template <Writers writers, bool tails, class Rows, class D>
    PATHFRONT_AVX512 static std::size_t scan(const Row<Rows, D>& row, const D* dist, const ScanOutput<D>& out,
                                             std::size_t found) {
        for (Offset arc = row.from; arc < row.to; arc += 8) {
            const auto present = static_cast<__mmask8>(0xff >> (8 - std::min<Offset>(row.to - arc, 8)));
            __m256i heads, sums;
            load_arcs(row, arc, present, heads, sums);
            const __m256i dists = _mm256_mmask_i32gather_epi32(_mm256_setzero_si256(), present, heads, dist, 4);
            // distances are not negative: the order of their bits as unsigned integers is their order in any type
            const __mmask8 better = _mm256_mask_cmplt_epu32_mask(present, sums, dists);
            // the forms with a mask, since GCC warns of the headers of the others
            const __m512i low = _mm512_maskz_cvtepu32_epi64(0xff, sums),
                          high = _mm512_maskz_cvtepu32_epi64(0xff, heads);
            const __m512i words = _mm512_or_si512(low, _mm512_maskz_slli_epi64(0xff, high, 32));
            static_assert(sizeof(Improvement<D>) == 8); // the distance low, the vertex high
            _mm512_storeu_si512(out.improvements + found, _mm512_maskz_compress_epi64(better, words));
            if constexpr (tails)
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(out.tails + found),
                                    _mm256_set1_epi32(static_cast<int>(row.tail)));
            found += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(better)));
        }
        return found;
    }

  private:
    template <class D>
    PATHFRONT_AVX512 static void load_arcs(const Row<Csr<D>, D>& row, Offset arc, __mmask8 present, __m256i& heads,
                                           __m256i& sums) {
        heads = _mm256_maskz_loadu_epi32(present, row.rows.heads + arc);
        const __m256i weights = _mm256_maskz_loadu_epi32(present, row.rows.weights + arc);
        if constexpr (std::is_floating_point_v<D>)
            sums = _mm256_castps_si256(_mm256_add_ps(_mm256_set1_ps(row.dist), _mm256_castsi256_ps(weights)));
        else
            sums = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(row.dist)), weights);
    }

    template <class D>
    PATHFRONT_AVX512 static void load_arcs(const Row<PackedRows, D>& row, Offset arc, __mmask8 present, __m256i& heads,
                                           __m256i& sums) {
        const __m256i words = _mm256_maskz_loadu_epi32(present, row.rows.arcs + arc);
        heads = _mm256_and_si256(words, _mm256_set1_epi32(static_cast<int>(row.rows.head_mask)));
        const __m256i weights = _mm256_srl_epi32(words, _mm_cvtsi32_si128(static_cast<int>(row.rows.weight_shift)));
        sums = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(row.dist)), weights);
    }
};

using LongVectorScan = VectorScan<ScalarScan::longest_row>;
using ShortVectorScan = VectorScan<64>; // limits of 32 to 128 were alike

// Calls `loop` with the vector scan that is faster for these writers on a graph of n vertices. Intel's gather is faster
// in rows of any length: with long rows left to the scalar scan, delta-stepping by one thread took 30% longer on a
// large Kronecker graph, most of whose arcs are in long rows, and schedules 10 to 15%. AMD's gather is slower than
// eight loads if the distances do not fit half of the second-level cache: on the same graph, searches by one thread
// took 10 to 24% more time, and schedules by several on Zen 4. If they fit, it saves one thread 3 to 5% on small
// Kronecker and social graphs. If other threads wrote most heads (owner, all), their distances come from another core's
// cache, and the gather waits for more of them at once: there the scalar scan took 19% more time; in schedules on Zen
// 5, 15 to 19%.
template <Writers writers, class Loop>
decltype(auto) with_vector_scan(Vertex n, Loop&& loop) {
    if constexpr (writers == Writers::owner || writers == Writers::all)
        return loop(LongVectorScan{});
    else if (is_intel() || (writers == Writers::racing && is_zen5()) ||
             (writers == Writers::one && n <= cached_distances))
        return loop(LongVectorScan{});
    else
        return loop(ShortVectorScan{});
}

#else

template <class Rows, class D>
inline constexpr bool has_vector_scan = false;

inline bool can_scan_vectors(Vertex) { return false; }

inline bool prefers_vectors(Vertex) { return false; }

#endif

} // namespace pathfront
