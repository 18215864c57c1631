// int8 layers on every 64-bit arm: both factors are widened to 16 bits, products are added in 32.
#if defined(__aarch64__)
#include <arm_neon.h>
#include "../kernels.h"

#define R_MOST 4

/// R rows through one panel of 16 outputs, 4 to a vector.
BCK_TILE tile(const int R, const int hidden, const bck_dense *layer, size_t panel,
              const uint8_t *x, uint8_t *steps, float *logits) {
    const size_t quads = bck_quads(layer), stride = bck_padded(layer->inputs);
    const size_t width = bck_padded(layer->outputs);
    const int8_t *w = bck_panel_s8(layer, panel);
    const int32_t *bias = (const int32_t *)layer->bias + panel * BCK_PANEL;
    int32x4_t sum[R_MOST * 4];
    BCK_UNROLL for (int i = 0; i < R * 4; i++) sum[i] = vld1q_s32(bias + i % 4 * 4);
    for (size_t k = 0; k < quads; k++) {
        // Takes the quads apart: weights of 16 outputs for each of four inputs.
        int8x16x4_t quad = vld4q_s8(w + k * 64);
        BCK_UNROLL for (int i = 0; i < 4; i++) {
            int16x8_t low = vmovl_s8(vget_low_s8(quad.val[i]));
            int16x8_t high = vmovl_s8(vget_high_s8(quad.val[i]));
            BCK_UNROLL for (int r = 0; r < R; r++) {
                int16_t input = x[r * stride + k * 4 + i];
                int32x4_t *s = sum + r * 4;
                s[0] = vmlal_n_s16(s[0], vget_low_s16(low), input);
                s[1] = vmlal_n_s16(s[1], vget_high_s16(low), input);
                s[2] = vmlal_n_s16(s[2], vget_low_s16(high), input);
                s[3] = vmlal_n_s16(s[3], vget_high_s16(high), input);
            }
        }
    }
    const float *scale = layer->multiplier + panel * BCK_PANEL;
    BCK_UNROLL for (int r = 0; r < R; r++) {
        float32x4_t y[4];
        BCK_UNROLL for (int v = 0; v < 4; v++) {
            y[v] = vmulq_f32(vcvtq_f32_s32(sum[r * 4 + v]), vld1q_f32(scale + v * 4));
        }
        if (hidden) {
            // Narrowing saturates to 0...255.
            int16x8_t low = vcombine_s16(vqmovn_s32(vcvtnq_s32_f32(y[0])),
                                         vqmovn_s32(vcvtnq_s32_f32(y[1])));
            int16x8_t high = vcombine_s16(vqmovn_s32(vcvtnq_s32_f32(y[2])),
                                          vqmovn_s32(vcvtnq_s32_f32(y[3])));
            vst1q_u8(steps + r * width + panel * BCK_PANEL,
                     vcombine_u8(vqmovun_s16(low), vqmovun_s16(high)));
        } else {
            BCK_UNROLL for (int v = 0; v < 4; v++) {
                vst1q_f32(logits + r * width + panel * BCK_PANEL + v * 4, y[v]);
            }
        }
    }
}

BCK_TILE layer_of(const int hidden, size_t B, const bck_dense *layer, const uint8_t *x,
                  uint8_t *steps, float *logits) {
    const size_t in = bck_padded(layer->inputs), width = bck_padded(layer->outputs);
    for (size_t panel = 0; panel < width / BCK_PANEL; panel++) {
        for (size_t b = 0, R; b < B; b += R) {
            R = bck_tile_rows(B - b, R_MOST);
            const uint8_t *from = x + b * in;
            uint8_t *to = hidden ? steps + b * width : NULL;
            float *to_logits = hidden ? NULL : logits + b * width;
            switch (R) {
            case 1: tile(1, hidden, layer, panel, from, to, to_logits); break;
            case 2: tile(2, hidden, layer, panel, from, to, to_logits); break;
            case 3: tile(3, hidden, layer, panel, from, to, to_logits); break;
            default: tile(4, hidden, layer, panel, from, to, to_logits); break;
            }
        }
    }
}

void bck_u8s8u8_dense__neon(size_t B, const bck_dense *layer, const uint8_t *x, uint8_t *out) {
    layer_of(1, B, layer, x, out, NULL);
}

void bck_u8s8f32_dense__neon(size_t B, const bck_dense *layer, const uint8_t *x, float *out) {
    layer_of(0, B, layer, x, NULL, out);
}
#endif
