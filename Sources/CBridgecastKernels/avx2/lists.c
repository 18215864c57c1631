// Sums over lists of inputs with AVX2: two columns at a time, interleaved and widened within 128 bits, whose
// products vpmaddwd adds in 32.
#if defined(__x86_64__)
#include "target.h"

typedef int16_t step_type;

/// Adds two columns at a time, from `weight` on.
BCK_INLINE void add_half(const bck_steps *steps, const uint8_t *weight, __m256i *sum) {
    const int16_t *step = steps->steps;
    const __m256i none = _mm256_setzero_si256();
    for (size_t e = 0; e < steps->count; e += 2) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(weight + steps->columns[e]));
        __m256i b = _mm256_loadu_si256((const __m256i *)(weight + steps->columns[e + 1]));
        int32_t both;
        memcpy(&both, step + e, sizeof both);
        const __m256i pair = _mm256_set1_epi32(both);
        __m256i low = _mm256_unpacklo_epi8(a, b), high = _mm256_unpackhi_epi8(a, b);
        __m256i w[4] = {_mm256_unpacklo_epi8(low, none), _mm256_unpackhi_epi8(low, none),
                        _mm256_unpacklo_epi8(high, none), _mm256_unpackhi_epi8(high, none)};
        BCK_UNROLL for (int k = 0; k < 4; k++) {
            sum[k] = _mm256_add_epi32(sum[k], _mm256_madd_epi16(w[k], pair));
        }
    }
}

#include "columns.h"
#include "../templates/lists.h"

BCK_LISTS_KERNELS(avx2)

#pragma clang attribute pop
#endif
