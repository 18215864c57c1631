// int8 layers with AVX2. vpmaddubsw would saturate (255 x 127 twice is beyond int16), so both
// factors are widened to 16 bits, whose products vpmaddwd adds in 32.
#if defined(__x86_64__)
#include "target.h"

// A vector holds, for 4 outputs, the sums over inputs 0, 1 and over inputs 2, 3 of every quad.
#define VECTORS 4
#define R_MOST 3

BCK_TILE add_quad(int32_t quad, const int8_t *w, __m256i *sum) {
    __m256i inputs = _mm256_cvtepu8_epi16(_mm_set1_epi32(quad));
    BCK_UNROLL for (int v = 0; v < VECTORS; v++) {
        __m256i weights = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(w + v * 16)));
        sum[v] = _mm256_add_epi32(sum[v], _mm256_madd_epi16(inputs, weights));
    }
}

BCK_TILE gather(const __m256i *sum, __m256i *low, __m256i *high) {
    // hadd gives outputs 0 1 4 5 | 2 3 6 7.
    *low = _mm256_permute4x64_epi64(_mm256_hadd_epi32(sum[0], sum[1]), 0xd8);
    *high = _mm256_permute4x64_epi64(_mm256_hadd_epi32(sum[2], sum[3]), 0xd8);
}

#include "int8_layers.h"

void bck_u8s8u8_dense__avx2(size_t B, const bck_dense *layer, const uint8_t *x, uint8_t *out) {
    layer_of(1, B, layer, x, out, NULL);
}

void bck_u8s8f32_dense__avx2(size_t B, const bck_dense *layer, const uint8_t *x, float *out) {
    layer_of(0, B, layer, x, NULL, out);
}

#pragma clang attribute pop
#endif
