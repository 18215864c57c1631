// fp32 layers and softmax in plain C: the reference for BLAS and for every SIMD kernel.
#include "CBridgecastKernels.h"
#include <math.h>

void bck_f32f32f32_dense__scalar(size_t B, size_t I, size_t O, const float *x, const float *w,
                                 const float *bias, int relu, float *out) {
    for (size_t b = 0; b < B; b++) {
        for (size_t o = 0; o < O; o++) {
            float sum = bias[o];
            for (size_t i = 0; i < I; i++) sum += x[b * I + i] * w[o * I + i];
            // Written so that NaN passes through.
            out[b * O + o] = relu && sum < 0.0f ? 0.0f : sum;
        }
    }
}

void bck_f32_softmax__scalar(size_t B, size_t K, const float *logits, const float *prior,
                             float *out) {
    for (size_t b = 0; b < B; b++) {
        const float *l = logits + b * K, *p = prior + b * K;
        float *y = out + b * K;
        float highest = l[0] + p[0], sum = 0.0f;
        for (size_t k = 1; k < K; k++) highest = l[k] + p[k] > highest ? l[k] + p[k] : highest;
        for (size_t k = 0; k < K; k++) sum += y[k] = expf(l[k] + p[k] - highest);
        for (size_t k = 0; k < K; k++) y[k] /= sum;
    }
}
