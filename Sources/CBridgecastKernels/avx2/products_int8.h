// How the AVX2 kernels multiply u8 inputs by s8 weights. vpmaddubsw adds pairs of products in 16 bits, where
// 255 x 127 twice would saturate. So it gets inputs less 128: their magnitudes as the unsigned factor, their
// signs as a flip of the weights' bits. Flipped bits are -w - 1, which leaves the magnitudes of all negative
// inputs to be added, the same for every output. 128 x -128 twice just fits.
#ifndef BCK_AVX2_PRODUCTS_INT8_H
#define BCK_AVX2_PRODUCTS_INT8_H

#include "target.h"

/// Rows of a tile of P panels: 8 sums, so that 16 registers are enough.
#define MAX_ROWS(P) (4 / (P))
/// Four panels at a time are the fastest as long as their weights stay in half of the nearest cache.
#define TAKES_FOUR_PANELS(B, in) ((B) == 1 || (in) <= 256)

/// A row prepared for multiplication: all ones where an input is negative [in], magnitudes [in], and what the flips
/// leave to be added (s32).
static inline size_t centred_bytes(size_t in) { return 2 * in + sizeof(__m128i); }

/// A quad of inputs in every lane.
typedef struct input_quad {
    __m256i flip, magnitude;
} input_quad;

BCK_INLINE __m256i every_lane(const uint8_t *x) { return _mm256_set1_epi32(bck_load_quad(x)); }

BCK_INLINE input_quad input_quad_of(const uint8_t *x, size_t in) {
    return (input_quad){every_lane(x), every_lane(x + in)};
}

BCK_INLINE __m256i add_products(__m256i sum, input_quad input, __m256i weights) {
    __m256i flipped = _mm256_xor_si256(input.flip, weights);
    __m256i pairs = _mm256_maddubs_epi16(input.magnitude, flipped);
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

/// What a row's sums begin with.
BCK_INLINE __m256i first_sum(const bck_dense *layer, size_t output, const uint8_t *x, size_t in) {
    const int32_t *bias = layer->centred_bias + output;
    return _mm256_add_epi32(_mm256_loadu_si256((const __m256i *)bias), every_lane(x + 2 * in));
}

BCK_INLINE void centre_row(const bck_dense *layer, const uint8_t *x, uint8_t *out) {
    const size_t in = bck_padded(layer->inputs);
    const __m128i middle = _mm_set1_epi8(-128), zero = _mm_setzero_si128();
    __m128i left = zero;
    for (size_t i = 0; i < in; i += 16) {
        __m128i input = _mm_loadu_si128((const __m128i *)(x + i));
        __m128i centred = _mm_xor_si128(input, middle);
        _mm_storeu_si128((__m128i *)(out + i), _mm_cmpgt_epi8(zero, centred));
        _mm_storeu_si128((__m128i *)(out + in + i), _mm_abs_epi8(centred));
        left = _mm_add_epi64(left, _mm_sad_epu8(_mm_subs_epu8(middle, input), zero));
    }
    left = _mm_add_epi64(left, _mm_unpackhi_epi64(left, left));
    // What pads a row beyond its quads is 0, and does not meet weights.
    const size_t padding = in - bck_quads(layer) * BCK_QUAD;
    left = _mm_sub_epi32(left, _mm_cvtsi32_si128((int)(128 * padding)));
    _mm_storeu_si128((__m128i *)(out + 2 * in), left);
}

#endif
