// int8 tiles of the AVX-512 kernels: R rows through P panels with vpdpbusd, which adds 64 products at
// a time to the sums of 16 outputs. Used by dense_int8.c for batches and row_int8.c for one row.
#ifndef BCK_AVX512VNNI_TILES_INT8_H
#define BCK_AVX512VNNI_TILES_INT8_H

#include "target.h"

/// Sums of R rows over P panels, bias included. vpdpbusd takes four cycles and up to two start in
/// each, so eight chains should be under way: where R x P are fewer, S chains share one sum.
BCK_TILE sums(const int R, const int P, const int S, const bck_dense *layer, size_t panel,
              const uint8_t *x, __m512i *chain) {
    const size_t quads = bck_quads(layer), stride = bck_padded(layer->inputs), step = quads * 64;
    const int8_t *w = bck_panel_s8(layer, panel);
    BCK_UNROLL for (int i = 0; i < R * P; i++) {
        chain[i] = _mm512_loadu_si512((const int32_t *)layer->bias + (panel + i % P) * 16);
    }
    BCK_UNROLL for (int i = R * P; i < R * P * S; i++) chain[i] = _mm512_setzero_si512();
    size_t k = 0;
    for (; k + S <= quads; k += S) {
        BCK_UNROLL for (int s = 0; s < S; s++) {
            __m512i weights[8];
            BCK_UNROLL for (int p = 0; p < P; p++) {
                weights[p] = _mm512_loadu_si512(w + p * step + (k + s) * 64);
            }
            BCK_UNROLL for (int r = 0; r < R; r++) {
                __m512i quad = _mm512_set1_epi32(bck_load_quad(x + r * stride + (k + s) * 4));
                BCK_UNROLL for (int p = 0; p < P; p++) {
                    __m512i *c = &chain[(s * R + r) * P + p];
                    *c = _mm512_dpbusd_epi32(*c, quad, weights[p]);
                }
            }
        }
    }
    for (; S > 1 && k < quads; k++) {
        BCK_UNROLL for (int r = 0; r < R; r++) {
            __m512i quad = _mm512_set1_epi32(bck_load_quad(x + r * stride + k * 4));
            BCK_UNROLL for (int p = 0; p < P; p++) {
                __m512i *c = &chain[r * P + p];
                *c = _mm512_dpbusd_epi32(*c, quad, _mm512_loadu_si512(w + p * step + k * 64));
            }
        }
    }
    // Chains are added in pairs, so that the additions do not wait for each other.
    BCK_UNROLL for (int half = S / 2; half > 0; half /= 2) {
        BCK_UNROLL for (int i = 0; i < half * R * P; i++) {
            chain[i] = _mm512_add_epi32(chain[i], chain[i + half * R * P]);
        }
    }
}

/// Stores P panels of steps as u8, saturated to 0...255.
BCK_TILE store_steps(const int P, const __m512i *steps, uint8_t *out) {
    if (P == 1) {
        __m512i positive = _mm512_max_epi32(steps[0], _mm512_setzero_si512());
        _mm_storeu_si128((__m128i *)out, _mm512_cvtusepi32_epi8(positive));
        return;
    }
    // Packing interleaves the panels within 128 bits; the permutation puts them in order.
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    BCK_UNROLL for (int p = 0; p < P; p += 4) {
        __m512i low = _mm512_packs_epi32(steps[p], steps[p + 1]);
        __m512i high = P == 2 ? low : _mm512_packs_epi32(steps[p + 2], steps[p + 3]);
        __m512i packed = _mm512_permutexvar_epi32(order, _mm512_packus_epi16(low, high));
        if (P == 2) {
            _mm256_storeu_si256((__m256i *)out, _mm512_castsi512_si256(packed));
        } else {
            _mm512_storeu_si512(out + p * BCK_PANEL, packed);
        }
    }
}

BCK_TILE hidden_tile(const int R, const int P, const int S, const bck_dense *layer, size_t panel,
                     const uint8_t *x, uint8_t *out) {
    __m512i sum[32];
    sums(R, P, S, layer, panel, x, sum);
    BCK_UNROLL for (int i = 0; i < R * P; i++) {
        // Below 2^31, because the reader refuses multipliers from 64 on.
        __m512 scale = _mm512_loadu_ps(layer->multiplier + (panel + i % P) * 16);
        sum[i] = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_cvtepi32_ps(sum[i]), scale));
    }
    BCK_UNROLL for (int r = 0; r < R; r++) {
        store_steps(P, sum + r * P, out + r * bck_padded(layer->outputs) + panel * BCK_PANEL);
    }
}

BCK_TILE last_tile(const int R, const int P, const int S, const bck_dense *layer, size_t panel,
                   const uint8_t *x, float *out) {
    __m512i sum[32];
    sums(R, P, S, layer, panel, x, sum);
    BCK_UNROLL for (int i = 0; i < R * P; i++) {
        __m512 scale = _mm512_loadu_ps(layer->multiplier + (panel + i % P) * 16);
        float *to = out + i / P * bck_padded(layer->outputs) + (panel + i % P) * 16;
        _mm512_storeu_ps(to, _mm512_mul_ps(_mm512_cvtepi32_ps(sum[i]), scale));
    }
}

#endif
