// Outputs: logits unchanged, or softmax of logits plus prior; up to 16 at once, or 8 at a time.
#if defined(__x86_64__)
#include "target.h"
#include "outputs.h"

void bck_f32_logits__avx2(size_t B, size_t K, const float *logits, const float *poison,
                          float *out) {
    const size_t width = bck_padded(K);
    for (size_t b = 0; b < B; b++) {
        const __m256 added = _mm256_set1_ps(poison[b]);
        for (size_t k = 0; k < K; k += 16) {
            const float *y = logits + b * width + k;
            // What is written beyond a row is within the batch: the next rows are written after it.
            store_outputs(K - k < 16 ? K - k : 16, (B - b) * K - k, out + b * K + k,
                          (outputs){_mm256_add_ps(_mm256_loadu_ps(y), added),
                                    _mm256_add_ps(_mm256_loadu_ps(y + 8), added)});
        }
    }
}

/// Softmax of more outputs than two vectors hold.
static void wide_softmax(size_t K, float *logits, const float *prior, float poison, float *out) {
    float highest = -INFINITY, sum = 0.0f;
    for (size_t k = 0; k < K; k++) {
        logits[k] += prior[k] + poison;
        highest = logits[k] > highest ? logits[k] : highest;
    }
    for (size_t k = 0; k < bck_padded(K); k += 8) {
        __m256 y = _mm256_loadu_ps(logits + k);
        _mm256_storeu_ps(logits + k, exponential(_mm256_sub_ps(y, _mm256_set1_ps(highest))));
    }
    for (size_t k = 0; k < K; k++) sum += logits[k];
    for (size_t k = 0; k < K; k++) out[k] = logits[k] / sum;
}

void bck_f32_softmax__avx2(size_t B, size_t K, float *logits, const float *prior,
                           const float *poison, float *out) {
    const outputs lanes = lanes_of(K);
    for (size_t b = 0; b < B; b++, logits += bck_padded(K), prior += K) {
        if (K > BCK_PANEL) {
            wide_softmax(K, logits, prior, poison[b], out + b * K);
            continue;
        }
        const __m256 added = _mm256_set1_ps(poison[b]);
        outputs y = {_mm256_add_ps(_mm256_loadu_ps(logits), added),
                     _mm256_add_ps(_mm256_loadu_ps(logits + 8), added)};
        y = softmax(sum_of(y, load_outputs(prior, lanes)), lanes);
        store_outputs(K, (B - b) * K, out + b * K, y);
    }
}

#pragma clang attribute pop
#endif
