// int8 layers with AVX-VNNI, and one row through all of them: vpdpbusd on 256 bits, for CPUs without AVX-512.
#if defined(__x86_64__)
#include <immintrin.h>
#include "../kernels.h"
#pragma clang attribute push(__attribute__((target("avx2,fma,avxvnni"))), apply_to = function)

// 12 sums, or 8 of one row: vpdpbusd takes up to five cycles, and two start in each.
#define MAX_ROWS(P) ((P) == 4 ? 1 : 6 / (P))
#define TAKES_FOUR_PANELS(B, in) ((B) == 1)

/// A quad of inputs in every lane.
typedef __m256i input_quad;

BCK_INLINE input_quad input_quad_of(const uint8_t *x, size_t in) {
    (void)in;
    return _mm256_set1_epi32(bck_load_quad(x));
}

BCK_INLINE __m256i add_products(__m256i sum, input_quad input, __m256i weights) {
    return _mm256_dpbusd_avx_epi32(sum, input, weights);
}

BCK_INLINE __m256i first_sum(const bck_dense *layer, size_t output, const uint8_t *x, size_t in) {
    (void)x, (void)in;
    return _mm256_loadu_si256((const __m256i *)((const int32_t *)layer->bias + output));
}

#include "../avx2/int8_layers.h"

BCK_INLINE void hidden_of(size_t B, const bck_dense *layer, const uint8_t *x, uint8_t *out) {
    hidden_layer(B, layer, x, bck_padded(layer->inputs), out);
}

BCK_INLINE void last_of(size_t B, const bck_dense *layer, const uint8_t *x, float *out) {
    last_layer(B, layer, x, bck_padded(layer->inputs), out);
}

void bck_u8s8u8_dense__avxvnni(size_t B, const bck_dense *layer, const uint8_t *x, uint8_t *out) {
    hidden_of(B, layer, x, out);
}

void bck_u8s8f32_dense__avxvnni(size_t B, const bck_dense *layer, const uint8_t *x, float *out) {
    last_of(B, layer, x, out);
}

#include "../avx2/row_int8.h"

void bck_u8s8f32_row__avxvnni(size_t layer_count, const bck_dense *layers, float poison,
                              const float *prior, float *out, uint8_t *x, uint8_t *y) {
    run_row(layer_count, layers, poison, prior, out, x, y);
}

#pragma clang attribute pop
#endif
