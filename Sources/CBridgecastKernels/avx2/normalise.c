// Normalisation and quantisation of inputs, 8 at a time.
#if defined(__x86_64__)
#include "target.h"

/// Lanes of the last vector of a row of I inputs: all ones in the first I % 8.
BCK_INLINE __m256i rest_of(size_t I) {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(I % 8)), lane);
}

/// Keeps NaN in every lane of `flaw` that met NaN or infinity: 0 times a finite number is 0.
BCK_INLINE __m256 flawed(__m256 flaw, __m256 x) {
    return _mm256_fmadd_ps(x, _mm256_setzero_ps(), flaw);
}

BCK_INLINE float poison_of(__m256 flaw) {
    return _mm256_movemask_ps(_mm256_cmp_ps(flaw, flaw, _CMP_UNORD_Q)) ? NAN : 0.0f;
}

/// Bounds of (x - mean) * factor.
typedef struct bounds {
    __m256 low, high;
} bounds;

/// 8 normalised inputs.
BCK_INLINE __m256 normalised(__m256 x, const bck_normalisation *n, size_t i, bounds to) {
    __m256 z = _mm256_mul_ps(_mm256_sub_ps(x, _mm256_loadu_ps(n->mean + i)),
                             _mm256_loadu_ps(n->factor + i));
    return _mm256_max_ps(_mm256_min_ps(z, to.high), to.low);
}

/// Bounds of inputs that become u8: whole numbers where u8 ends, so clamping may come before rounding.
BCK_INLINE bounds step_bounds(const bck_normalisation *n) {
    const float zero = (float)n->zero_point;
    return (bounds){_mm256_set1_ps(fmaxf(-n->limit, -zero)),
                    _mm256_set1_ps(fminf(n->limit, 255.0f - zero))};
}

/// 16 inputs as u8.
BCK_INLINE __m128i quantised(__m256 a, __m256 b, const bck_normalisation *n, size_t i, bounds to) {
    __m256i words = _mm256_packs_epi32(_mm256_cvtps_epi32(normalised(a, n, i, to)),
                                       _mm256_cvtps_epi32(normalised(b, n, i + 8, to)));
    words = _mm256_add_epi16(words, _mm256_set1_epi16((short)n->zero_point));
    // Packing has left quarters of a and b by turns.
    __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(words),
                                     _mm256_extracti128_si256(words, 1));
    return _mm_shuffle_epi32(bytes, _MM_SHUFFLE(3, 1, 2, 0));
}

/// Quantises a row; returns its flaw.
BCK_INLINE __m256 quantise_row(size_t I, const float *x, const bck_normalisation *n, bounds to,
                               uint8_t *out) {
    __m256 flaw = _mm256_setzero_ps(), other = _mm256_setzero_ps();
    size_t i = 0;
    for (; i + 16 <= I; i += 16) {
        __m256 a = _mm256_loadu_ps(x + i), b = _mm256_loadu_ps(x + i + 8);
        flaw = flawed(flaw, a);
        other = flawed(other, b);
        _mm_storeu_si128((__m128i *)(out + i), quantised(a, b, n, i, to));
    }
    if (i < I) {
        const __m256i none = _mm256_setzero_si256(), all = _mm256_set1_epi32(-1);
        const int more = I - i >= 8;
        const __m256i rest = rest_of(I), first = more ? all : rest, second = more ? rest : none;
        __m256 a = _mm256_maskload_ps(x + i, first), b = _mm256_maskload_ps(x + i + 8, second);
        flaw = flawed(flaw, a);
        other = flawed(other, b);
        __m256i kept = _mm256_permute4x64_epi64(_mm256_packs_epi32(first, second), 0xd8);
        __m128i mask = _mm_packs_epi16(_mm256_castsi256_si128(kept),
                                       _mm256_extracti128_si256(kept, 1));
        _mm_storeu_si128((__m128i *)(out + i), _mm_and_si128(quantised(a, b, n, i, to), mask));
    }
    return _mm256_add_ps(flaw, other);
}

void bck_f32_normalise__avx2(size_t B, size_t I, const float *x, const bck_normalisation *n,
                             float *out, float *poison) {
    const bounds to = {_mm256_set1_ps(-n->limit), _mm256_set1_ps(n->limit)};
    for (size_t b = 0; b < B; b++, x += I, out += bck_padded(I)) {
        __m256 flaw = _mm256_setzero_ps();
        size_t i = 0;
        for (; i + 8 <= I; i += 8) {
            __m256 v = _mm256_loadu_ps(x + i);
            flaw = flawed(flaw, v);
            _mm256_storeu_ps(out + i, normalised(v, n, i, to));
        }
        for (; i < bck_padded(I); i += 8) {
            const __m256i rest = i < I ? rest_of(I) : _mm256_setzero_si256();
            __m256 v = _mm256_maskload_ps(x + i, rest);
            flaw = flawed(flaw, v);
            __m256 z = _mm256_and_ps(normalised(v, n, i, to), _mm256_castsi256_ps(rest));
            _mm256_storeu_ps(out + i, z);
        }
        poison[b] = poison_of(flaw);
    }
}

void bck_f32u8_normalise__avx2(size_t B, size_t I, const float *x, const bck_normalisation *n,
                               uint8_t *out, float *poison) {
    const bounds to = step_bounds(n);
    for (size_t b = 0; b < B; b++, x += I, out += bck_padded(I)) {
        poison[b] = poison_of(quantise_row(I, x, n, to, out));
    }
}

#pragma clang attribute pop
#endif
