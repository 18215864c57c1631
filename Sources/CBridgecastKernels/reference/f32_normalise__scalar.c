// Normalisation and quantisation of inputs: the first thing every path does with a feature row.
#include "CBridgecastKernels.h"
#include <math.h>

void bck_f32_normalise__scalar(size_t B, size_t I, const float *x, const float *mean,
                               const float *inverse_deviation, float limit, float *out) {
    for (size_t b = 0; b < B; b++) {
        for (size_t i = 0; i < I; i++) {
            float z = (x[b * I + i] - mean[i]) * inverse_deviation[i];
            z = z > limit ? limit : z;
            out[b * I + i] = z < -limit ? -limit : z;
        }
    }
}

void bck_f32u8_quantise__scalar(size_t count, const float *x, float inverse_scale,
                                int32_t zero_point, uint8_t *out) {
    for (size_t i = 0; i < count; i++) {
        float q = nearbyintf(x[i] * inverse_scale) + (float)zero_point;
        q = q > 255.0f ? 255.0f : q;
        out[i] = (uint8_t)(q > 0.0f ? q : 0.0f);
    }
}
