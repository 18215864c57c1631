// Outputs: logits unchanged, or softmax of logits plus prior; 4 at a time.
#if defined(__aarch64__)
#include <arm_neon.h>
#include "../kernels.h"

/// e^x for x <= 0, within 2 units in the last place; at least e^-87, so never quite 0. NaN stays.
BCK_INLINE float32x4_t exponential(float32x4_t x) {
    x = vmaxq_f32(vdupq_n_f32(-87.0f), x);
    float32x4_t n = vrndnq_f32(vmulq_f32(x, vdupq_n_f32(1.44269504f)));
    float32x4_t r = vfmsq_f32(x, n, vdupq_n_f32(0.693359375f));
    r = vfmsq_f32(r, n, vdupq_n_f32(-2.12194440e-4f));
    float32x4_t y = vdupq_n_f32(1.0f / 720);
    y = vfmaq_f32(vdupq_n_f32(1.0f / 120), y, r);
    y = vfmaq_f32(vdupq_n_f32(1.0f / 24), y, r);
    y = vfmaq_f32(vdupq_n_f32(1.0f / 6), y, r);
    y = vfmaq_f32(vdupq_n_f32(0.5f), y, r);
    y = vfmaq_f32(vdupq_n_f32(1.0f), y, r);
    y = vfmaq_f32(vdupq_n_f32(1.0f), y, r);
    // 2^n by its bits: n is -126 or more here.
    int32x4_t bits = vshlq_n_s32(vaddq_s32(vcvtq_s32_f32(n), vdupq_n_s32(127)), 23);
    return vmulq_f32(y, vreinterpretq_f32_s32(bits));
}

void bck_f32_logits__neon(size_t B, size_t K, const float *logits, const float *poison,
                          float *out) {
    for (size_t b = 0; b < B; b++, logits += bck_padded(K), out += K) {
        for (size_t k = 0; k < K; k++) out[k] = logits[k] + poison[b];
    }
}

void bck_f32_softmax__neon(size_t B, size_t K, float *logits, const float *prior,
                           const float *poison, float *out) {
    const size_t width = bck_padded(K);
    for (size_t b = 0; b < B; b++, logits += width, prior += K, out += K) {
        float highest = -INFINITY, sum = 0.0f;
        for (size_t k = 0; k < K; k++) {
            logits[k] += prior[k] + poison[b];
            highest = logits[k] > highest ? logits[k] : highest;
        }
        for (size_t k = 0; k < width; k += 4) {
            float32x4_t y = vsubq_f32(vld1q_f32(logits + k), vdupq_n_f32(highest));
            vst1q_f32(logits + k, exponential(y));
        }
        for (size_t k = 0; k < K; k++) sum += logits[k];
        for (size_t k = 0; k < K; k++) out[k] = logits[k] / sum;
    }
}
#endif
