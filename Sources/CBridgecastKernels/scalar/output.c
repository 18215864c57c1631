// Outputs in plain C: logits unchanged, or softmax with the C library's exponential.
#include "../kernels.h"

void bck_f32_logits__scalar(size_t B, size_t K, const float *logits, const float *poison,
                            float *out) {
    for (size_t b = 0; b < B; b++, logits += bck_padded(K), out += K) {
        for (size_t k = 0; k < K; k++) out[k] = logits[k] + poison[b];
    }
}

void bck_f32_softmax__scalar(size_t B, size_t K, float *logits, const float *prior,
                             const float *poison, float *out) {
    for (size_t b = 0; b < B; b++, logits += bck_padded(K), prior += K, out += K) {
        float highest = -INFINITY, sum = 0.0f;
        for (size_t k = 0; k < K; k++) {
            logits[k] += prior[k] + poison[b];
            highest = logits[k] > highest ? logits[k] : highest;
        }
        for (size_t k = 0; k < K; k++) sum += out[k] = expf(logits[k] - highest);
        for (size_t k = 0; k < K; k++) out[k] /= sum;
    }
}
