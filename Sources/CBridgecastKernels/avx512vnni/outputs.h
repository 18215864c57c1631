// Exponential and softmax of the AVX-512 kernels. Used by output.c and row_int8.c.
#ifndef BCK_AVX512VNNI_OUTPUTS_H
#define BCK_AVX512VNNI_OUTPUTS_H

#include "target.h"

/// e^x for x <= 0, within 2 units in the last place; at least e^-87, so never quite 0. NaN stays.
BCK_INLINE __m512 exponential(__m512 x) {
    x = _mm512_max_ps(_mm512_set1_ps(-87.0f), x);
    __m512 n = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(1.44269504f)), 0);
    __m512 r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0.693359375f), x);
    r = _mm512_fnmadd_ps(n, _mm512_set1_ps(-2.12194440e-4f), r);
    __m512 y = _mm512_set1_ps(1.0f / 720);
    y = _mm512_fmadd_ps(y, r, _mm512_set1_ps(1.0f / 120));
    y = _mm512_fmadd_ps(y, r, _mm512_set1_ps(1.0f / 24));
    y = _mm512_fmadd_ps(y, r, _mm512_set1_ps(1.0f / 6));
    y = _mm512_fmadd_ps(y, r, _mm512_set1_ps(0.5f));
    y = _mm512_fmadd_ps(y, r, _mm512_set1_ps(1.0f));
    y = _mm512_fmadd_ps(y, r, _mm512_set1_ps(1.0f));
    return _mm512_scalef_ps(y, n);
}

BCK_INLINE __mmask16 lanes(size_t K, size_t k) {
    return K - k >= 16 ? 0xffff : (__mmask16)((1u << (K - k)) - 1);
}

/// Softmax of up to 16 numbers in one vector; other lanes come out as anything.
BCK_INLINE __m512 softmax(__m512 y, __mmask16 mask) {
    __m512 highest = _mm512_set1_ps(_mm512_mask_reduce_max_ps(mask, y));
    __m512 e = _mm512_maskz_mov_ps(mask, exponential(_mm512_sub_ps(y, highest)));
    return _mm512_div_ps(e, _mm512_set1_ps(_mm512_reduce_add_ps(e)));
}

#endif
