// int8 layers with AVX-VNNI: vpdpbusd on 256 bits, for CPUs without AVX-512.
#if defined(__x86_64__)
#include <immintrin.h>
#include "../kernels.h"
#pragma clang attribute push(__attribute__((target("avx2,fma,avxvnni"))), apply_to = function)

// A vector holds the sums of 8 outputs.
#define VECTORS 2
#define R_MOST 3

BCK_TILE add_quad(int32_t quad, const int8_t *w, __m256i *sum) {
    __m256i inputs = _mm256_set1_epi32(quad);
    BCK_UNROLL for (int v = 0; v < VECTORS; v++) {
        __m256i weights = _mm256_loadu_si256((const __m256i *)(w + v * 32));
        sum[v] = _mm256_dpbusd_avx_epi32(sum[v], inputs, weights);
    }
}

BCK_TILE gather(const __m256i *sum, __m256i *low, __m256i *high) {
    *low = sum[0];
    *high = sum[1];
}

#include "../avx2/int8_layers.h"

void bck_u8s8u8_dense__avxvnni(size_t B, const bck_dense *layer, const uint8_t *x, uint8_t *out) {
    layer_of(1, B, layer, x, out, NULL);
}

void bck_u8s8f32_dense__avxvnni(size_t B, const bck_dense *layer, const uint8_t *x, float *out) {
    layer_of(0, B, layer, x, NULL, out);
}

#pragma clang attribute pop
#endif
