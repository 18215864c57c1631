// Sums over lists of inputs with AVX-VNNI: as with AVX-512, on 256 bits.
#if defined(__x86_64__)
#include <immintrin.h>
#include "../kernels.h"
#pragma clang attribute push(__attribute__((target("avx2,fma,avxvnni"))), apply_to = function)

typedef int8_t step_type;

BCK_INLINE void add_columns(const bck_steps *steps, const bck_columns *layer, const int32_t *from,
                            const int32_t *more, int32_t *sums) {
    const int8_t *step = steps->steps;
    const __m256i offset = _mm256_set1_epi32(-128 * steps->total);
    for (size_t o = 0; o < bck_column(layer->outputs); o += 32) {
        // The first output of sum 0; sum k holds those 16 k further.
        const size_t first = o / 64 * 64 + o % 64 / 32 * 8;
        const uint8_t *weight = (const uint8_t *)layer->weight + o;
        __m256i sum[4];
        BCK_UNROLL for (int k = 0; k < 4; k++) {
            const size_t at = first + k * 16;
            sum[k] = offset;
            if (from) sum[k] = _mm256_add_epi32(sum[k], _mm256_loadu_si256((const __m256i *)(from + at)));
            if (more) sum[k] = _mm256_add_epi32(sum[k], _mm256_loadu_si256((const __m256i *)(more + at)));
        }
        for (size_t e = 0; e < steps->count; e += 4) {
            __m256i c[4];
            BCK_UNROLL for (int i = 0; i < 4; i++) {
                c[i] = _mm256_loadu_si256((const __m256i *)(weight + steps->columns[e + i]));
            }
            int32_t four;
            memcpy(&four, step + e, sizeof four);
            const __m256i quad = _mm256_set1_epi32(four);
            __m256i ab = _mm256_unpacklo_epi8(c[0], c[1]), cd = _mm256_unpacklo_epi8(c[2], c[3]);
            __m256i ef = _mm256_unpackhi_epi8(c[0], c[1]), gh = _mm256_unpackhi_epi8(c[2], c[3]);
            sum[0] = _mm256_dpbusd_avx_epi32(sum[0], _mm256_unpacklo_epi16(ab, cd), quad);
            sum[1] = _mm256_dpbusd_avx_epi32(sum[1], _mm256_unpackhi_epi16(ab, cd), quad);
            sum[2] = _mm256_dpbusd_avx_epi32(sum[2], _mm256_unpacklo_epi16(ef, gh), quad);
            sum[3] = _mm256_dpbusd_avx_epi32(sum[3], _mm256_unpackhi_epi16(ef, gh), quad);
        }
        BCK_UNROLL for (int k = 0; k < 4; k++) {
            _mm256_storeu_si256((__m256i *)(sums + first + k * 16), sum[k]);
        }
    }
}

#include "../lists.h"

BCK_LISTS_KERNELS(avxvnni)

#pragma clang attribute pop
#endif
