// int8 layers on 256-bit vectors: all but the multiplication itself, which differs between AVX2 and
// AVX-VNNI. The file that includes this one defines `add_quad` for one panel of 16 outputs.

// VECTORS accumulators hold a panel's sums; `gather` brings them into two vectors of 8 outputs.
BCK_TILE tile(const int R, const int hidden, const bck_dense *layer, size_t panel,
              const uint8_t *x, uint8_t *steps, float *logits) {
    const size_t quads = bck_quads(layer), stride = bck_padded(layer->inputs);
    const size_t width = bck_padded(layer->outputs);
    const int8_t *w = bck_panel_s8(layer, panel);
    __m256i sum[R_MOST * VECTORS];
    BCK_UNROLL for (int i = 0; i < R * VECTORS; i++) sum[i] = _mm256_setzero_si256();
    for (size_t k = 0; k < quads; k++) {
        BCK_UNROLL for (int r = 0; r < R; r++) {
            add_quad(bck_load_quad(x + r * stride + k * 4), w + k * 64, sum + r * VECTORS);
        }
    }
    const __m256i *bias = (const __m256i *)((const int32_t *)layer->bias + panel * BCK_PANEL);
    const float *scale = layer->multiplier + panel * BCK_PANEL;
    BCK_UNROLL for (int r = 0; r < R; r++) {
        __m256i low, high;
        gather(sum + r * VECTORS, &low, &high);
        low = _mm256_add_epi32(low, _mm256_loadu_si256(bias));
        high = _mm256_add_epi32(high, _mm256_loadu_si256(bias + 1));
        __m256 a = _mm256_mul_ps(_mm256_cvtepi32_ps(low), _mm256_loadu_ps(scale));
        __m256 b = _mm256_mul_ps(_mm256_cvtepi32_ps(high), _mm256_loadu_ps(scale + 8));
        if (hidden) {
            // Packing saturates to 0...255 and leaves the halves of a and b interleaved.
            __m256i words = _mm256_packs_epi32(_mm256_cvtps_epi32(a), _mm256_cvtps_epi32(b));
            words = _mm256_permute4x64_epi64(words, 0xd8);
            __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(words),
                                             _mm256_extracti128_si256(words, 1));
            _mm_storeu_si128((__m128i *)(steps + r * width + panel * BCK_PANEL), bytes);
        } else {
            _mm256_storeu_ps(logits + r * width + panel * BCK_PANEL, a);
            _mm256_storeu_ps(logits + r * width + panel * BCK_PANEL + 8, b);
        }
    }
}

BCK_INLINE void layer_of(const int hidden, size_t B, const bck_dense *layer, const uint8_t *x,
                         uint8_t *steps, float *logits) {
    const size_t in = bck_padded(layer->inputs), width = bck_padded(layer->outputs);
    for (size_t panel = 0; panel < width / BCK_PANEL; panel++) {
        for (size_t b = 0, R; b < B; b += R) {
            R = bck_tile_rows(B - b, R_MOST);
            const uint8_t *from = x + b * in;
            uint8_t *to = hidden ? steps + b * width : NULL;
            float *to_logits = hidden ? NULL : logits + b * width;
            switch (R) {
            case 1: tile(1, hidden, layer, panel, from, to, to_logits); break;
            case 2: tile(2, hidden, layer, panel, from, to, to_logits); break;
            default: tile(3, hidden, layer, panel, from, to, to_logits); break;
            }
        }
    }
}
