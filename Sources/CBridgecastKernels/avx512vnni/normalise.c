// Normalisation and quantisation of inputs, 16 at a time.
#if defined(__x86_64__)
#include "inputs.h"

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
