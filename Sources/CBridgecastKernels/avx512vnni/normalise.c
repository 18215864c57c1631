// Normalisation and quantisation of inputs, 16 at a time.
#if defined(__x86_64__)
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

void bck_f32_normalise__avx512vnni(size_t B, size_t I, const float *x, const bck_normalisation *n,
                                   float *out, float *poison) {
    const __m512 high = _mm512_set1_ps(n->limit), low = _mm512_set1_ps(-n->limit);
    for (size_t b = 0; b < B; b++, x += I, out += bck_padded(I)) {
        __m512 flaw = _mm512_setzero_ps();
        for (size_t i = 0; i < I; i += 16) {
            __m512 v = i + 16 <= I ? _mm512_loadu_ps(x + i)
                                   : _mm512_maskz_loadu_ps(rest_of(I), x + i);
            flaw = flawed(flaw, v);
            __m512 z = _mm512_mul_ps(_mm512_sub_ps(v, _mm512_loadu_ps(n->mean + i)),
                                     _mm512_loadu_ps(n->factor + i));
            _mm512_storeu_ps(out + i, _mm512_max_ps(_mm512_min_ps(z, high), low));
        }
        poison[b] = poison_of(flaw);
    }
}

void bck_f32u8_normalise__avx512vnni(size_t B, size_t I, const float *x,
                                     const bck_normalisation *n, uint8_t *out, float *poison) {
    const quantiser to = quantiser_of(n);
    for (size_t b = 0; b < B; b++, x += I, out += bck_padded(I)) {
        poison[b] = poison_of(quantise_row(I, x, n, to, out));
    }
}

#pragma clang attribute pop
#endif
