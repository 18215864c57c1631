// Outputs: logits as they are, or softmax of logits plus prior; 8 at a time.
#if defined(__x86_64__)
#include "target.h"

/// e^x for x <= 0, within 2 units in the last place; at least e^-87, so never quite 0. NaN stays.
BCK_INLINE __m256 exponential(__m256 x) {
    x = _mm256_max_ps(_mm256_set1_ps(-87.0f), x);
    __m256 n = _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(1.44269504f)),
                               _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    __m256 r = _mm256_fnmadd_ps(n, _mm256_set1_ps(0.693359375f), x);
    r = _mm256_fnmadd_ps(n, _mm256_set1_ps(-2.12194440e-4f), r);
    __m256 y = _mm256_set1_ps(1.0f / 720);
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(1.0f / 120));
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(1.0f / 24));
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(1.0f / 6));
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(0.5f));
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(1.0f));
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(1.0f));
    // 2^n by its bits: n is -126 or more here.
    __m256i bits = _mm256_slli_epi32(
        _mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
    return _mm256_mul_ps(y, _mm256_castsi256_ps(bits));
}

void bck_f32_logits__avx2(size_t B, size_t K, const float *logits, const float *poison,
                          float *out) {
    for (size_t b = 0; b < B; b++, logits += bck_padded(K), out += K) {
        const __m256 added = _mm256_set1_ps(poison[b]);
        size_t k = 0;
        for (; k + 8 <= K; k += 8) {
            _mm256_storeu_ps(out + k, _mm256_add_ps(_mm256_loadu_ps(logits + k), added));
        }
        for (; k < K; k++) out[k] = logits[k] + poison[b];
    }
}

void bck_f32_softmax__avx2(size_t B, size_t K, float *logits, const float *prior,
                           const float *poison, float *out) {
    const size_t width = bck_padded(K);
    for (size_t b = 0; b < B; b++, logits += width, prior += K, out += K) {
        float highest = -INFINITY, sum = 0.0f;
        for (size_t k = 0; k < K; k++) {
            logits[k] += prior[k] + poison[b];
            highest = logits[k] > highest ? logits[k] : highest;
        }
        for (size_t k = 0; k < width; k += 8) {
            __m256 y = _mm256_loadu_ps(logits + k);
            _mm256_storeu_ps(logits + k, exponential(_mm256_sub_ps(y, _mm256_set1_ps(highest))));
        }
        for (size_t k = 0; k < K; k++) sum += logits[k];
        for (size_t k = 0; k < K; k++) out[k] = logits[k] / sum;
    }
}

#pragma clang attribute pop
#endif
