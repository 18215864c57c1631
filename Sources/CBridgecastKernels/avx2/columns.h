// Sums of columns on 256-bit vectors: all but the multiplication itself, which differs between AVX2 and AVX-VNNI.
// The file that includes this one defines `add_half`, which adds columns to the sums of half a block.

BCK_INLINE void add_columns(const bck_steps *steps, const bck_columns *layer, const int32_t *from,
                            const int32_t *more, int32_t *sums) {
    const __m256i offset = _mm256_set1_epi32(-128 * steps->total);
    for (size_t o = 0; o < bck_column(layer->outputs); o += BCK_BLOCK / 2) {
        // The first output of sum 0; sum k holds those 16 k further.
        const size_t first = bck_output_at(o);
        __m256i sum[4];
        BCK_UNROLL for (int k = 0; k < 4; k++) {
            const size_t at = first + k * 16;
            sum[k] = offset;
            if (from) sum[k] = _mm256_add_epi32(sum[k], _mm256_loadu_si256((const __m256i *)(from + at)));
            if (more) sum[k] = _mm256_add_epi32(sum[k], _mm256_loadu_si256((const __m256i *)(more + at)));
        }
        add_half(steps, (const uint8_t *)layer->weight + o, sum);
        BCK_UNROLL for (int k = 0; k < 4; k++) {
            _mm256_storeu_si256((__m256i *)(sums + first + k * 16), sum[k]);
        }
    }
}
