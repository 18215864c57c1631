// What the AVX-512 kernels do with the inputs of one row. Used by normalise.c.
#ifndef BCK_AVX512VNNI_INPUTS_H
#define BCK_AVX512VNNI_INPUTS_H

#include "target.h"

/// Lanes of the last vector of a row.
BCK_INLINE __mmask16 rest_of(size_t I) { return (__mmask16)((1u << I % 16) - 1); }

/// NaN in every lane of `flaw` that met NaN or infinity: a finite number less itself is 0.
BCK_INLINE __m512 flawed(__m512 flaw, __m512 x) {
    return _mm512_or_ps(flaw, _mm512_sub_ps(x, x));
}

BCK_INLINE float poison_of(__m512 flaw) {
    return _mm512_cmp_ps_mask(flaw, flaw, _CMP_UNORD_Q) ? NAN : 0.0f;
}

/// How (x - mean) * factor becomes u8. The bounds are whole numbers where u8 ends, so clamping may come
/// before rounding.
typedef struct quantiser {
    __m512 low, high;
    __m128i zero_point;
} quantiser;

BCK_INLINE quantiser quantiser_of(const bck_normalisation *n) {
    const float zero = (float)n->zero_point;
    return (quantiser){
        .low = _mm512_set1_ps(fmaxf(-n->limit, -zero)),
        .high = _mm512_set1_ps(fminf(n->limit, 255.0f - zero)),
        .zero_point = _mm_set1_epi8((char)n->zero_point),
    };
}

/// 16 inputs as u8.
BCK_INLINE __m128i quantised(__m512 v, const bck_normalisation *n, size_t i, quantiser to) {
    __m512 z = _mm512_mul_ps(_mm512_sub_ps(v, _mm512_loadu_ps(n->mean + i)),
                             _mm512_loadu_ps(n->factor + i));
    __m512i q = _mm512_cvtps_epi32(_mm512_max_ps(_mm512_min_ps(z, to.high), to.low));
    return _mm_add_epi8(_mm512_cvtepi32_epi8(q), to.zero_point);
}

/// Quantises a row; returns its flaw.
BCK_INLINE __m512 quantise_row(size_t I, const float *x, const bck_normalisation *n, quantiser to,
                               uint8_t *out) {
    __m512 flaw = _mm512_setzero_ps();
    size_t i = 0;
    for (; i + 16 <= I; i += 16) {
        __m512 v = _mm512_loadu_ps(x + i);
        flaw = flawed(flaw, v);
        _mm_storeu_si128((__m128i *)(out + i), quantised(v, n, i, to));
    }
    if (i < I) {
        __m512 v = _mm512_maskz_loadu_ps(rest_of(I), x + i);
        flaw = flawed(flaw, v);
        __m128i q = _mm_maskz_mov_epi8(rest_of(I), quantised(v, n, i, to));
        _mm_storeu_si128((__m128i *)(out + i), q);
    }
    return flaw;
}

#endif
