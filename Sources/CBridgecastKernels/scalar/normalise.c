// Normalisation and quantisation of inputs in plain C: the definition for every variant.
#include "../kernels.h"

#pragma STDC FP_CONTRACT OFF

/// NaN if a row holds anything but finite numbers, else 0.
static float poison_of(size_t I, const float *x) {
    for (size_t i = 0; i < I; i++) {
        if (!isfinite(x[i])) return NAN;
    }
    return 0.0f;
}

static float normalised(float x, const bck_normalisation *n, size_t i) {
    float z = (x - n->mean[i]) * n->factor[i];
    z = z < n->limit ? z : n->limit;
    return z > -n->limit ? z : -n->limit;
}

void bck_f32_normalise__scalar(size_t B, size_t I, const float *x, const bck_normalisation *n,
                               float *out, float *poison) {
    for (size_t b = 0; b < B; b++, x += I, out += bck_padded(I)) {
        poison[b] = poison_of(I, x);
        for (size_t i = 0; i < I; i++) out[i] = normalised(x[i], n, i);
        for (size_t i = I; i < bck_padded(I); i++) out[i] = 0.0f;
    }
}

void bck_f32u8_normalise__scalar(size_t B, size_t I, const float *x, const bck_normalisation *n,
                                 uint8_t *out, float *poison) {
    for (size_t b = 0; b < B; b++, x += I, out += bck_padded(I)) {
        poison[b] = poison_of(I, x);
        for (size_t i = 0; i < I; i++) {
            float q = nearbyintf(normalised(x[i], n, i)) + (float)n->zero_point;
            q = q < 255.0f ? q : 255.0f;
            out[i] = (uint8_t)(q > 0.0f ? q : 0.0f);
        }
        for (size_t i = I; i < bck_padded(I); i++) out[i] = 0;
    }
}
