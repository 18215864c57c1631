// Sums over lists of inputs with AVX-512: four columns at a time, interleaved byte by byte within 128 bits, so
// that vpdpbusd adds the four products of 16 outputs at once.
#if defined(__x86_64__)
#include "target.h"

typedef int8_t step_type;

/// BLOCKS blocks of outputs; sum 4 b + k holds outputs 16 k ... 16 k + 15 of block b.
BCK_TILE add_blocks(const int BLOCKS, const bck_steps *steps, const uint8_t *weight,
                    const int32_t *from, const int32_t *more, int32_t *sums) {
    const int8_t *step = steps->steps;
    __m512i sum[8];
    BCK_UNROLL for (int v = 0; v < BLOCKS * 4; v++) {
        sum[v] = _mm512_set1_epi32(-128 * steps->total);
        if (from) sum[v] = _mm512_add_epi32(sum[v], _mm512_loadu_si512(from + v * 16));
        if (more) sum[v] = _mm512_add_epi32(sum[v], _mm512_loadu_si512(more + v * 16));
    }
    for (size_t e = 0; e < steps->count; e += 4) {
        int32_t four;
        memcpy(&four, step + e, sizeof four);
        const __m512i quad = _mm512_set1_epi32(four);
        BCK_UNROLL for (int b = 0; b < BLOCKS; b++) {
            __m512i c[4], *s = sum + b * 4;
            BCK_UNROLL for (int i = 0; i < 4; i++) {
                c[i] = _mm512_loadu_si512(weight + steps->columns[e + i] + b * BCK_BLOCK);
            }
            __m512i ab = _mm512_unpacklo_epi8(c[0], c[1]), cd = _mm512_unpacklo_epi8(c[2], c[3]);
            __m512i ef = _mm512_unpackhi_epi8(c[0], c[1]), gh = _mm512_unpackhi_epi8(c[2], c[3]);
            s[0] = _mm512_dpbusd_epi32(s[0], _mm512_unpacklo_epi16(ab, cd), quad);
            s[1] = _mm512_dpbusd_epi32(s[1], _mm512_unpackhi_epi16(ab, cd), quad);
            s[2] = _mm512_dpbusd_epi32(s[2], _mm512_unpacklo_epi16(ef, gh), quad);
            s[3] = _mm512_dpbusd_epi32(s[3], _mm512_unpackhi_epi16(ef, gh), quad);
        }
    }
    BCK_UNROLL for (int v = 0; v < BLOCKS * 4; v++) _mm512_storeu_si512(sums + v * 16, sum[v]);
}

BCK_INLINE void add_columns(const bck_steps *steps, const bck_columns *layer, const int32_t *from,
                            const int32_t *more, int32_t *sums) {
    const size_t width = bck_column(layer->outputs);
    const uint8_t *weight = layer->weight;
    size_t o = 0;
    for (; o + 2 * BCK_BLOCK <= width; o += 2 * BCK_BLOCK) {
        add_blocks(2, steps, weight + o, from ? from + o : NULL, more ? more + o : NULL, sums + o);
    }
    for (; o < width; o += BCK_BLOCK) {
        add_blocks(1, steps, weight + o, from ? from + o : NULL, more ? more + o : NULL, sums + o);
    }
}

#include "../templates/lists.h"

BCK_LISTS_KERNELS(avx512vnni)

#pragma clang attribute pop
#endif
