// Exponential and softmax of the AVX2 kernels. Used by output.c and row_int8.h.
#ifndef BCK_AVX2_OUTPUTS_H
#define BCK_AVX2_OUTPUTS_H

/// e^x for x <= 0, within 2 units in the last place; at least e^-87, so never quite 0. NaN stays.
BCK_INLINE __m256 exponential(__m256 x) {
    x = _mm256_max_ps(_mm256_set1_ps(-87.0f), x);
    __m256 n = _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(1.44269504f)),
                               _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    __m256 r = _mm256_fnmadd_ps(n, _mm256_set1_ps(0.693359375f), x);
    r = _mm256_fnmadd_ps(n, _mm256_set1_ps(-2.12194440e-4f), r);
    __m256 y = _mm256_set1_ps(1.0f / 720);
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(1.0f / 120));
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(1.0f / 24));
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(1.0f / 6));
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(0.5f));
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(1.0f));
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(1.0f));
    // 2^n by its bits: n is -126 or more here.
    __m256i bits = _mm256_slli_epi32(
        _mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
    return _mm256_mul_ps(y, _mm256_castsi256_ps(bits));
}

/// Up to 16 outputs, and which lanes of them are outputs.
typedef struct outputs {
    __m256 low, high;
} outputs;

BCK_INLINE outputs lanes_of(size_t K) {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), count = _mm256_set1_epi32((int)K);
    return (outputs){
        _mm256_castsi256_ps(_mm256_cmpgt_epi32(count, lane)),
        _mm256_castsi256_ps(
            _mm256_cmpgt_epi32(_mm256_sub_epi32(count, _mm256_set1_epi32(8)), lane)),
    };
}

/// Reads `lanes` of numbers, 0 elsewhere.
BCK_INLINE outputs load_outputs(const float *from, outputs lanes) {
    return (outputs){_mm256_maskload_ps(from, _mm256_castps_si256(lanes.low)),
                     _mm256_maskload_ps(from + 8, _mm256_castps_si256(lanes.high))};
}

BCK_INLINE outputs sum_of(outputs a, outputs b) {
    return (outputs){_mm256_add_ps(a.low, b.low), _mm256_add_ps(a.high, b.high)};
}

/// The largest of 8 numbers, in every lane; if all are NaN, anything.
BCK_INLINE __m256 largest(__m256 x) {
    x = _mm256_max_ps(x, _mm256_permute2f128_ps(x, x, 1));
    x = _mm256_max_ps(x, _mm256_permute_ps(x, _MM_SHUFFLE(1, 0, 3, 2)));
    return _mm256_max_ps(x, _mm256_permute_ps(x, _MM_SHUFFLE(2, 3, 0, 1)));
}

BCK_INLINE __m256 total(__m256 x) {
    x = _mm256_add_ps(x, _mm256_permute2f128_ps(x, x, 1));
    x = _mm256_add_ps(x, _mm256_permute_ps(x, _MM_SHUFFLE(1, 0, 3, 2)));
    return _mm256_add_ps(x, _mm256_permute_ps(x, _MM_SHUFFLE(2, 3, 0, 1)));
}

/// Softmax of the numbers in `lanes`; 0 elsewhere.
BCK_INLINE outputs softmax(outputs y, outputs lanes) {
    const __m256 lowest = _mm256_set1_ps(-INFINITY);
    const __m256 highest = largest(_mm256_max_ps(_mm256_blendv_ps(lowest, y.low, lanes.low),
                                                 _mm256_blendv_ps(lowest, y.high, lanes.high)));
    __m256 low = _mm256_and_ps(exponential(_mm256_sub_ps(y.low, highest)), lanes.low);
    __m256 high = _mm256_and_ps(exponential(_mm256_sub_ps(y.high, highest)), lanes.high);
    const __m256 sum = total(_mm256_add_ps(low, high));
    return (outputs){_mm256_div_ps(low, sum), _mm256_div_ps(high, sum)};
}

/// Stores K of 16 numbers. Masked stores are slow, so whole vectors are stored where at least `room` numbers
/// may be overwritten.
BCK_INLINE void store_outputs(size_t K, size_t room, float *out, outputs y) {
    if (room >= 16) {
        _mm256_storeu_ps(out, y.low);
        if (K > 8) _mm256_storeu_ps(out + 8, y.high);
        return;
    }
    float part[16];
    _mm256_storeu_ps(part, y.low);
    _mm256_storeu_ps(part + 8, y.high);
    for (size_t k = 0; k < K; k++) out[k] = part[k];
}

#endif
