// int8 layers in plain C: the definition that every faster int8 kernel must reproduce bit for bit.
#include "CBridgecastKernels.h"
#include <math.h>

static int32_t dot(size_t I, const uint8_t *x, const int8_t *w) {
    int32_t sum = 0;
    for (size_t i = 0; i < I; i++) sum += (int32_t)x[i] * (int32_t)w[i];
    return sum;
}

void bck_u8s8u8_dense_relu__scalar(size_t B, size_t I, size_t O, const uint8_t *x, const int8_t *w,
                                   const int32_t *bias, const float *multiplier, uint8_t *out) {
    for (size_t b = 0; b < B; b++) {
        for (size_t o = 0; o < O; o++) {
            int32_t sum = bias[o] + dot(I, x + b * I, w + o * I);
            float y = nearbyintf((float)(sum > 0 ? sum : 0) * multiplier[o]);
            out[b * O + o] = (uint8_t)(y < 255.0f ? y : 255.0f);
        }
    }
}

void bck_u8s8f32_dense__scalar(size_t B, size_t I, size_t O, const uint8_t *x, const int8_t *w,
                               const int32_t *bias, const float *multiplier, float *out) {
    for (size_t b = 0; b < B; b++) {
        for (size_t o = 0; o < O; o++) {
            out[b * O + o] = (float)(bias[o] + dot(I, x + b * I, w + o * I)) * multiplier[o];
        }
    }
}
