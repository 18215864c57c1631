// Sums over lists of inputs with AVX-VNNI: as with AVX-512, on 256 bits.
#if defined(__x86_64__)
#include <immintrin.h>
#include "../kernels.h"
#pragma clang attribute push(__attribute__((target("avx2,fma,avxvnni"))), apply_to = function)

typedef int8_t step_type;

/// Adds four columns at a time, from `weight` on.
BCK_INLINE void add_half(const bck_steps *steps, const uint8_t *weight, __m256i *sum) {
    const int8_t *step = steps->steps;
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
}

#include "../avx2/columns.h"
#include "../templates/lists.h"

BCK_LISTS_KERNELS(avxvnni)

#pragma clang attribute pop
#endif
