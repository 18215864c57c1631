// fp32 layers, and fp16 weights widened as they are read: 16 outputs an instruction.
#if defined(__x86_64__)
#include "target.h"

/// R rows through P panels; S chains share one sum where R x P are too few to hide the latency.
BCK_TILE tile(const int R, const int P, const int S, const int half, const bck_dense *layer,
              int relu, size_t panel, const float *x, float *out) {
    const size_t I = layer->inputs, stride = bck_padded(I), step = I * BCK_PANEL;
    const float *full_weight = (const float *)layer->weight + panel * step;
    const uint16_t *half_weight = (const uint16_t *)layer->weight + panel * step;
    __m512 chain[32];
    BCK_UNROLL for (int i = 0; i < R * P * S; i++) chain[i] = _mm512_setzero_ps();
    BCK_UNROLL for (int i = 0; i < R * P; i++) {
        chain[i] = _mm512_loadu_ps((const float *)layer->bias + (panel + i % P) * 16);
    }
    for (size_t k = 0; k < I; k += S) {
        BCK_UNROLL for (int s = 0; s < S; s++) {
            if (S > 1 && k + s >= I) break;
            __m512 weights[8];
            BCK_UNROLL for (int p = 0; p < P; p++) {
                size_t at = p * step + (k + s) * BCK_PANEL;
                weights[p] = half ? _mm512_cvtph_ps(_mm256_loadu_si256(
                                        (const __m256i *)(half_weight + at)))
                                  : _mm512_loadu_ps(full_weight + at);
            }
            BCK_UNROLL for (int r = 0; r < R; r++) {
                __m512 input = _mm512_set1_ps(x[r * stride + k + s]);
                BCK_UNROLL for (int p = 0; p < P; p++) {
                    __m512 *c = &chain[(s * R + r) * P + p];
                    *c = _mm512_fmadd_ps(input, weights[p], *c);
                }
            }
        }
    }
    BCK_UNROLL for (int i = 0; i < R * P; i++) {
        BCK_UNROLL for (int other = S / 2; other > 0; other /= 2) {
            BCK_UNROLL for (int s = 0; s < other; s++) {
                chain[s * R * P + i] =
                    _mm512_add_ps(chain[s * R * P + i], chain[(s + other) * R * P + i]);
            }
        }
        __m512 y = relu ? _mm512_max_ps(chain[i], _mm512_setzero_ps()) : chain[i];
        _mm512_storeu_ps(out + i / P * bck_padded(layer->outputs) + (panel + i % P) * 16, y);
    }
}

#define ROWS(P, HALF)                                                                             \
    for (size_t b = 0, R; b < B; b += R) {                                                        \
        const float *from = x + b * in;                                                           \
        float *to = out + b * width;                                                              \
        R = bck_tile_rows(B - b, 6);                                                              \
        switch (R) {                                                                              \
        case 1: tile(1, P, 8 / P, HALF, layer, relu, panel, from, to); break;                     \
        case 2: tile(2, P, 4 / P, HALF, layer, relu, panel, from, to); break;                     \
        case 3: tile(3, P, 4 / P, HALF, layer, relu, panel, from, to); break;                     \
        case 4: tile(4, P, P == 1 ? 2 : 1, HALF, layer, relu, panel, from, to); break;            \
        case 5: tile(5, P, P == 1 ? 2 : 1, HALF, layer, relu, panel, from, to); break;            \
        default: tile(6, P, P == 1 ? 2 : 1, HALF, layer, relu, panel, from, to); break;           \
        }                                                                                         \
    }

#define PANELS(HALF)                                                                              \
    const size_t in = bck_padded(layer->inputs), width = bck_padded(layer->outputs);              \
    const size_t panels = width / BCK_PANEL;                                                      \
    size_t panel = 0;                                                                             \
    for (; B == 1 && panel + 8 <= panels; panel += 8) {                                           \
        tile(1, 8, 1, HALF, layer, relu, panel, x, out);                                          \
    }                                                                                             \
    for (; panel + 4 <= panels; panel += 4) { ROWS(4, HALF) }                                     \
    for (; panel + 2 <= panels; panel += 2) { ROWS(2, HALF) }                                     \
    for (; panel < panels; panel++) { ROWS(1, HALF) }

void bck_f32f32f32_dense__avx512vnni(size_t B, const bck_dense *layer, int relu, const float *x,
                                     float *out) {
    PANELS(0)
}

void bck_f32f16f32_dense__avx512vnni(size_t B, const bck_dense *layer, int relu, const float *x,
                                     float *out) {
    PANELS(1)
}

#pragma clang attribute pop
#endif
