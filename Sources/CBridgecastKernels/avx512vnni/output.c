// Outputs: logits as they are, or softmax of logits plus prior; 16 at a time.
#if defined(__x86_64__)
#include "outputs.h"

void bck_f32_logits__avx512vnni(size_t B, size_t K, const float *logits, const float *poison,
                                float *out) {
    for (size_t b = 0; b < B; b++, logits += bck_padded(K), out += K) {
        const __m512 added = _mm512_set1_ps(poison[b]);
        for (size_t k = 0; k < K; k += 16) {
            __m512 y = _mm512_add_ps(_mm512_loadu_ps(logits + k), added);
            _mm512_mask_storeu_ps(out + k, lanes(K, k), y);
        }
    }
}

void bck_f32_softmax__avx512vnni(size_t B, size_t K, float *logits, const float *prior,
                                 const float *poison, float *out) {
    const __m512 lowest = _mm512_set1_ps(-INFINITY);
    for (size_t b = 0; b < B; b++, logits += bck_padded(K), prior += K, out += K) {
        const __m512 added = _mm512_set1_ps(poison[b]);
        if (K <= 16) {
            __m512 p = _mm512_maskz_loadu_ps(lanes(K, 0), prior);
            __m512 y = _mm512_add_ps(_mm512_add_ps(_mm512_loadu_ps(logits), p), added);
            _mm512_mask_storeu_ps(out, lanes(K, 0), softmax(y, lanes(K, 0)));
            continue;
        }
        __m512 highest = lowest, sum = _mm512_setzero_ps();
        for (size_t k = 0; k < K; k += 16) {
            __m512 p = _mm512_add_ps(_mm512_maskz_loadu_ps(lanes(K, k), prior + k), added);
            __m512 y = _mm512_mask_add_ps(lowest, lanes(K, k), p, _mm512_loadu_ps(logits + k));
            _mm512_storeu_ps(logits + k, y);
            highest = _mm512_max_ps(highest, y);
        }
        const __m512 most = _mm512_set1_ps(_mm512_reduce_max_ps(highest));
        for (size_t k = 0; k < K; k += 16) {
            __m512 y = exponential(_mm512_sub_ps(_mm512_loadu_ps(logits + k), most));
            y = _mm512_maskz_mov_ps(lanes(K, k), y);
            _mm512_storeu_ps(logits + k, y);
            sum = _mm512_add_ps(sum, y);
        }
        const __m512 total = _mm512_set1_ps(_mm512_reduce_add_ps(sum));
        for (size_t k = 0; k < K; k += 16) {
            __m512 y = _mm512_div_ps(_mm512_loadu_ps(logits + k), total);
            _mm512_mask_storeu_ps(out + k, lanes(K, k), y);
        }
    }
}

#pragma clang attribute pop
#endif
