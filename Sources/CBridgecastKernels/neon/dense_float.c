// fp32 layers, and fp16 weights widened as they are read: 16 outputs in four vectors.
#if defined(__aarch64__)
#include <arm_neon.h>
#include "../kernels.h"

BCK_TILE tile(const int R, const int half, const bck_dense *layer, int relu, size_t panel,
              const float *x, float *out) {
    const size_t I = layer->inputs, stride = bck_padded(I), start = panel * I * BCK_PANEL;
    const float *bias = (const float *)layer->bias + panel * BCK_PANEL;
    float32x4_t sum[16];
    BCK_UNROLL for (int i = 0; i < R * 4; i++) sum[i] = vld1q_f32(bias + i % 4 * 4);
    for (size_t k = 0; k < I; k++) {
        const size_t at = start + k * BCK_PANEL;
        BCK_UNROLL for (int v = 0; v < 4; v++) {
            const uint16_t *halves = (const uint16_t *)layer->weight + at + v * 4;
            float32x4_t w = half ? vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(halves)))
                                 : vld1q_f32((const float *)layer->weight + at + v * 4);
            BCK_UNROLL for (int r = 0; r < R; r++) {
                sum[r * 4 + v] = vfmaq_n_f32(sum[r * 4 + v], w, x[r * stride + k]);
            }
        }
    }
    BCK_UNROLL for (int i = 0; i < R * 4; i++) {
        float32x4_t y = relu ? vmaxnmq_f32(sum[i], vdupq_n_f32(0.0f)) : sum[i];
        vst1q_f32(out + i / 4 * bck_padded(layer->outputs) + panel * BCK_PANEL + i % 4 * 4, y);
    }
}

BCK_TILE layer_of(const int half, size_t B, const bck_dense *layer, int relu, const float *x,
                  float *out) {
    const size_t in = bck_padded(layer->inputs), width = bck_padded(layer->outputs);
    for (size_t panel = 0; panel < width / BCK_PANEL; panel++) {
        for (size_t b = 0, R; b < B; b += R) {
            R = bck_tile_rows(B - b, 4);
            switch (R) {
            case 1: tile(1, half, layer, relu, panel, x + b * in, out + b * width); break;
            case 2: tile(2, half, layer, relu, panel, x + b * in, out + b * width); break;
            case 3: tile(3, half, layer, relu, panel, x + b * in, out + b * width); break;
            default: tile(4, half, layer, relu, panel, x + b * in, out + b * width); break;
            }
        }
    }
}

void bck_f32f32f32_dense__neon(size_t B, const bck_dense *layer, int relu, const float *x,
                               float *out) {
    layer_of(0, B, layer, relu, x, out);
}

void bck_f32f16f32_dense__neon(size_t B, const bck_dense *layer, int relu, const float *x,
                               float *out) {
    layer_of(1, B, layer, relu, x, out);
}
#endif
