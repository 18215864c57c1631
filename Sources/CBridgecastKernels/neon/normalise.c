// Normalisation and quantisation of inputs, 4 at a time; what is left of a row in plain C.
#if defined(__aarch64__)
#include <arm_neon.h>
#include "../kernels.h"

#pragma STDC FP_CONTRACT OFF

typedef struct bounds {
    float low, high;
} bounds;

BCK_INLINE float32x4_t normalised(const float *x, const bck_normalisation *n, size_t i, bounds to,
                                  float32x4_t *flaw) {
    float32x4_t v = vld1q_f32(x + i);
    // A finite number less itself is 0; NaN stays through the sum.
    *flaw = vaddq_f32(*flaw, vsubq_f32(v, v));
    float32x4_t z = vmulq_f32(vsubq_f32(v, vld1q_f32(n->mean + i)), vld1q_f32(n->factor + i));
    return vmaxnmq_f32(vminnmq_f32(z, vdupq_n_f32(to.high)), vdupq_n_f32(to.low));
}

BCK_INLINE float normalised_alone(const float *x, const bck_normalisation *n, size_t i, bounds to,
                                  float *flaw) {
    *flaw += x[i] - x[i];
    float z = (x[i] - n->mean[i]) * n->factor[i];
    z = z < to.high ? z : to.high;
    return z > to.low ? z : to.low;
}

void bck_f32_normalise__neon(size_t B, size_t I, const float *x, const bck_normalisation *n,
                             float *out, float *poison) {
    const bounds to = {-n->limit, n->limit};
    for (size_t b = 0; b < B; b++, x += I, out += bck_padded(I)) {
        float32x4_t flaw = vdupq_n_f32(0.0f);
        float rest = 0.0f;
        size_t i = 0;
        for (; i + 4 <= I; i += 4) vst1q_f32(out + i, normalised(x, n, i, to, &flaw));
        for (; i < I; i++) out[i] = normalised_alone(x, n, i, to, &rest);
        for (; i < bck_padded(I); i++) out[i] = 0.0f;
        poison[b] = vaddvq_f32(flaw) + rest;
    }
}

void bck_f32u8_normalise__neon(size_t B, size_t I, const float *x, const bck_normalisation *n,
                               uint8_t *out, float *poison) {
    // The bounds are whole numbers where u8 ends, so clamping may come before rounding.
    const float zero = (float)n->zero_point;
    const bounds to = {fmaxf(-n->limit, -zero), fminf(n->limit, 255.0f - zero)};
    for (size_t b = 0; b < B; b++, x += I, out += bck_padded(I)) {
        float32x4_t flaw = vdupq_n_f32(0.0f);
        float rest = 0.0f;
        size_t i = 0;
        for (; i + 4 <= I; i += 4) {
            int32x4_t q = vaddq_s32(vcvtnq_s32_f32(normalised(x, n, i, to, &flaw)),
                                    vdupq_n_s32(n->zero_point));
            uint16x4_t words = vqmovun_s32(q);
            uint8x8_t bytes = vqmovn_u16(vcombine_u16(words, words));
            vst1_lane_u32((uint32_t *)(void *)(out + i), vreinterpret_u32_u8(bytes), 0);
        }
        for (; i < I; i++) {
            float z = nearbyintf(normalised_alone(x, n, i, to, &rest));
            out[i] = (uint8_t)(z + zero);
        }
        for (; i < bck_padded(I); i++) out[i] = 0;
        poison[b] = vaddvq_f32(flaw) + rest;
    }
}
#endif
