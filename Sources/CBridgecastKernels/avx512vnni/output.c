// Outputs: logits unchanged, or softmax of logits plus prior; 16 at a time.
#if defined(__x86_64__)
#include "outputs.h"

/// Stores the part of row b that begins at output k. Masked stores are slow, so a whole vector is stored
/// where what it writes beyond its row is within the batch: the next rows are written after it.
BCK_INLINE void store_part(size_t B, size_t K, size_t b, size_t k, float *out, __m512 y) {
    if (b * K + k + 16 <= B * K) {
        _mm512_storeu_ps(out + b * K + k, y);
    } else {
        _mm512_mask_storeu_ps(out + b * K + k, lanes(K, k), y);
    }
}

void bck_f32_logits__avx512vnni(size_t B, size_t K, const float *logits, const float *poison,
                                float *out) {
    for (size_t b = 0; b < B; b++, logits += bck_padded(K)) {
        const __m512 added = _mm512_set1_ps(poison[b]);
        for (size_t k = 0; k < K; k += 16) {
            store_part(B, K, b, k, out, _mm512_add_ps(_mm512_loadu_ps(logits + k), added));
        }
    }
}

void bck_f32_softmax__avx512vnni(size_t B, size_t K, float *logits, const float *prior,
                                 const float *poison, float *out) {
    const __m512 lowest = _mm512_set1_ps(-INFINITY);
    for (size_t b = 0; b < B; b++, logits += bck_padded(K), prior += K) {
        const __m512 added = _mm512_set1_ps(poison[b]);
        if (K <= 16) {
            __m512 p = _mm512_maskz_loadu_ps(lanes(K, 0), prior);
            __m512 y = _mm512_add_ps(_mm512_add_ps(_mm512_loadu_ps(logits), p), added);
            store_part(B, K, b, 0, out, softmax(y, lanes(K, 0)));
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
            store_part(B, K, b, k, out, _mm512_div_ps(_mm512_loadu_ps(logits + k), total));
        }
    }
}

#pragma clang attribute pop
#endif
