// Sums over lists of inputs with AVX2: two columns at a time, interleaved and widened within 128 bits, whose
// products vpmaddwd adds in 32.
#if defined(__x86_64__)
#include "target.h"

typedef int16_t step_type;

/// 32 outputs, half a block: sum k holds outputs 16 k + 8 half ... of it.
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

BCK_INLINE void add_columns(const bck_steps *steps, const bck_columns *layer, const int32_t *from,
                            const int32_t *more, int32_t *sums) {
    const __m256i offset = _mm256_set1_epi32(-128 * steps->total);
    for (size_t o = 0; o < bck_column(layer->outputs); o += 32) {
        // The first output of sum 0.
        const size_t first = o / 64 * 64 + o % 64 / 32 * 8;
        __m256i sum[4];
        BCK_UNROLL for (int k = 0; k < 4; k++) {
            const size_t at = first + k * 16;
            sum[k] = offset;
            if (from) sum[k] = _mm256_add_epi32(sum[k], _mm256_loadu_si256((const __m256i *)(from + at)));
            if (more) sum[k] = _mm256_add_epi32(sum[k], _mm256_loadu_si256((const __m256i *)(more + at)));
        }
        add_half(steps, (const uint8_t *)layer->weight + o, sum);
        BCK_UNROLL for (int k = 0; k < 4; k++) {
            _mm256_storeu_si256((__m256i *)(sums + first + k * 16), sum[k]);
        }
    }
}

#include "../lists.h"

BCK_LISTS_KERNELS(avx2)

#pragma clang attribute pop
#endif
