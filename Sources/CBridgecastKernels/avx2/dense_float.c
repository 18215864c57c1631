// fp32 layers, and fp16 weights widened as they are read: 16 outputs in two vectors.
#if defined(__x86_64__)
#include "target.h"

/// Two vectors of weights from fp32 or fp16.
BCK_TILE load_panel(const int half, const void *weight, size_t at, __m256 *w) {
    BCK_UNROLL for (int v = 0; v < 2; v++) {
        const __m128i *halves = (const __m128i *)((const uint16_t *)weight + at) + v;
        w[v] = half ? _mm256_cvtph_ps(_mm_loadu_si128(halves))
                    : _mm256_loadu_ps((const float *)weight + at + v * 8);
    }
}

/// R rows through one panel; S chains share one sum where R is too small to hide the latency.
BCK_TILE tile(const int R, const int S, const int half, const bck_dense *layer, int relu,
              size_t panel, const float *x, float *out) {
    const size_t I = layer->inputs, stride = bck_padded(I), start = panel * I * BCK_PANEL;
    __m256 chain[16];
    BCK_UNROLL for (int i = 0; i < R * S * 2; i++) {
        const float *bias = (const float *)layer->bias + panel * BCK_PANEL + i % 2 * 8;
        chain[i] = i < R * 2 ? _mm256_loadu_ps(bias) : _mm256_setzero_ps();
    }
    for (size_t k = 0; k < I; k += S) {
        BCK_UNROLL for (int s = 0; s < S; s++) {
            if (S > 1 && k + s >= I) break;
            __m256 w[2];
            load_panel(half, layer->weight, start + (k + s) * BCK_PANEL, w);
            BCK_UNROLL for (int r = 0; r < R; r++) {
                __m256 input = _mm256_set1_ps(x[r * stride + k + s]);
                __m256 *c = chain + (s * R + r) * 2;
                c[0] = _mm256_fmadd_ps(input, w[0], c[0]);
                c[1] = _mm256_fmadd_ps(input, w[1], c[1]);
            }
        }
    }
    BCK_UNROLL for (int other = S / 2; other > 0; other /= 2) {
        BCK_UNROLL for (int i = 0; i < other * R * 2; i++) {
            chain[i] = _mm256_add_ps(chain[i], chain[i + other * R * 2]);
        }
    }
    BCK_UNROLL for (int i = 0; i < R * 2; i++) {
        __m256 y = relu ? _mm256_max_ps(chain[i], _mm256_setzero_ps()) : chain[i];
        _mm256_storeu_ps(out + i / 2 * bck_padded(layer->outputs) + panel * BCK_PANEL + i % 2 * 8,
                         y);
    }
}

BCK_TILE layer_of(const int half, size_t B, const bck_dense *layer, int relu, const float *x,
                  float *out) {
    const size_t in = bck_padded(layer->inputs), width = bck_padded(layer->outputs);
    for (size_t panel = 0; panel < width / BCK_PANEL; panel++) {
        for (size_t b = 0, R; b < B; b += R) {
            R = bck_tile_rows(B - b, 6);
            const float *from = x + b * in;
            float *to = out + b * width;
            switch (R) {
            case 1: tile(1, 4, half, layer, relu, panel, from, to); break;
            case 2: tile(2, 2, half, layer, relu, panel, from, to); break;
            case 3: tile(3, 2, half, layer, relu, panel, from, to); break;
            case 4: tile(4, 1, half, layer, relu, panel, from, to); break;
            case 5: tile(5, 1, half, layer, relu, panel, from, to); break;
            default: tile(6, 1, half, layer, relu, panel, from, to); break;
            }
        }
    }
}

void bck_f32f32f32_dense__avx2(size_t B, const bck_dense *layer, int relu, const float *x,
                               float *out) {
    layer_of(0, B, layer, relu, x, out);
}

void bck_f32f16f32_dense__avx2(size_t B, const bck_dense *layer, int relu, const float *x,
                               float *out) {
    layer_of(1, B, layer, relu, x, out);
}

#pragma clang attribute pop
#endif
