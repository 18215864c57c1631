// Normalisation and quantisation of inputs, 8 at a time; what is left of a row in plain C.
#if defined(__x86_64__)
#include "target.h"

typedef struct bounds {
    float low, high;
} bounds;

BCK_INLINE float clamped(float z, bounds to) {
    z = z < to.high ? z : to.high;
    return z > to.low ? z : to.low;
}

/// 8 normalised inputs; `flaw` keeps NaN where a number was not finite: it is not 0 less itself.
BCK_INLINE __m256 normalised(const float *x, const bck_normalisation *n, size_t i, bounds to,
                             __m256 *flaw) {
    __m256 v = _mm256_loadu_ps(x + i);
    *flaw = _mm256_or_ps(*flaw, _mm256_sub_ps(v, v));
    __m256 z = _mm256_mul_ps(_mm256_sub_ps(v, _mm256_loadu_ps(n->mean + i)),
                             _mm256_loadu_ps(n->factor + i));
    return _mm256_max_ps(_mm256_min_ps(z, _mm256_set1_ps(to.high)), _mm256_set1_ps(to.low));
}

BCK_INLINE float normalised_alone(const float *x, const bck_normalisation *n, size_t i, bounds to,
                                  float *flaw) {
    *flaw += x[i] - x[i];
    return clamped((x[i] - n->mean[i]) * n->factor[i], to);
}

BCK_INLINE float poison_of(__m256 flaw, float rest) {
    return _mm256_movemask_ps(_mm256_cmp_ps(flaw, flaw, _CMP_UNORD_Q)) ? NAN : rest;
}

void bck_f32_normalise__avx2(size_t B, size_t I, const float *x, const bck_normalisation *n,
                             float *out, float *poison) {
    const bounds to = {-n->limit, n->limit};
    for (size_t b = 0; b < B; b++, x += I, out += bck_padded(I)) {
        __m256 flaw = _mm256_setzero_ps();
        float rest = 0.0f;
        size_t i = 0;
        for (; i + 8 <= I; i += 8) _mm256_storeu_ps(out + i, normalised(x, n, i, to, &flaw));
        for (; i < I; i++) out[i] = normalised_alone(x, n, i, to, &rest);
        for (; i < bck_padded(I); i++) out[i] = 0.0f;
        poison[b] = poison_of(flaw, rest);
    }
}

void bck_f32u8_normalise__avx2(size_t B, size_t I, const float *x, const bck_normalisation *n,
                               uint8_t *out, float *poison) {
    // The bounds are whole numbers where u8 ends, so clamping may come before rounding.
    const float zero = (float)n->zero_point;
    const bounds to = {fmaxf(-n->limit, -zero), fminf(n->limit, 255.0f - zero)};
    for (size_t b = 0; b < B; b++, x += I, out += bck_padded(I)) {
        __m256 flaw = _mm256_setzero_ps();
        float rest = 0.0f;
        size_t i = 0;
        for (; i + 8 <= I; i += 8) {
            __m256i q = _mm256_add_epi32(_mm256_cvtps_epi32(normalised(x, n, i, to, &flaw)),
                                         _mm256_set1_epi32(n->zero_point));
            __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(q),
                                            _mm256_extracti128_si256(q, 1));
            _mm_storel_epi64((__m128i *)(out + i), _mm_packus_epi16(words, words));
        }
        for (; i < I; i++) {
            __m128 z = _mm_set_ss(normalised_alone(x, n, i, to, &rest));
            out[i] = (uint8_t)(_mm_cvtss_si32(z) + n->zero_point);
        }
        for (; i < bck_padded(I); i++) out[i] = 0;
        poison[b] = poison_of(flaw, rest);
    }
}

#pragma clang attribute pop
#endif
