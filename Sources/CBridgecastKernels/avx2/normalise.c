// Normalisation and quantisation of inputs, 8 at a time.
#if defined(__x86_64__)
#include "target.h"
#include "inputs.h"

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
