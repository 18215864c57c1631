// int8 layers on 256-bit vectors: all but the multiplication itself, which differs between AVX2 and
// AVX-VNNI. The file that includes this one defines `input_quad` (what a quad of inputs becomes before it meets
// weights), `input_quad_of`, `add_products`, `first_sum`, MAX_ROWS(P), the rows of a tile of P panels, and
// TAKES_FOUR_PANELS(B, in).

/// Sums of R rows over P panels, bias included; two vectors to a panel.
BCK_TILE sums(const int R, const int P, const bck_dense *layer, size_t panel, const uint8_t *x,
              size_t stride, __m256i *sum) {
    const size_t quads = bck_quads(layer), step = quads * BCK_PANEL * BCK_QUAD;
    const size_t in = bck_padded(layer->inputs);
    const int8_t *w = bck_panel_s8(layer, panel);
    BCK_UNROLL for (int i = 0; i < R * P * 2; i++) {
        const size_t output = panel * BCK_PANEL + i % (P * 2) * 8;
        sum[i] = first_sum(layer, output, x + i / (P * 2) * stride, in);
    }
    for (size_t k = 0; k < quads; k++) {
        input_quad inputs[6];
        BCK_UNROLL for (int r = 0; r < R; r++) {
            inputs[r] = input_quad_of(x + r * stride + k * BCK_QUAD, in);
        }
        BCK_UNROLL for (int v = 0; v < P * 2; v++) {
            const int8_t *at = w + v / 2 * step + k * BCK_PANEL * BCK_QUAD + v % 2 * 32;
            const __m256i weights = _mm256_loadu_si256((const __m256i *)at);
            BCK_UNROLL for (int r = 0; r < R; r++) {
                __m256i *s = &sum[r * P * 2 + v];
                *s = add_products(*s, inputs[r], weights);
            }
        }
    }
}

/// A vector of sums times its multipliers.
BCK_INLINE __m256 scaled(__m256i sum, const bck_dense *layer, size_t panel, int v) {
    const float *scale = layer->multiplier + panel * BCK_PANEL + v * 8;
    return _mm256_mul_ps(_mm256_cvtepi32_ps(sum), _mm256_loadu_ps(scale));
}

BCK_TILE hidden_tile(const int R, const int P, const bck_dense *layer, size_t panel,
                     const uint8_t *x, size_t stride, uint8_t *out) {
    __m256i sum[12];
    sums(R, P, layer, panel, x, stride, sum);
    // Packing saturates to 0...255 and mixes what is four bytes wide; the permutation orders it.
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    BCK_UNROLL for (int r = 0; r < R; r++, out += bck_padded(layer->outputs)) {
        BCK_UNROLL for (int v = 0; v < P * 2; v += 4) {
            __m256i words[4];
            BCK_UNROLL for (int i = 0; i < 4 && i < P * 2; i++) {
                words[i] = _mm256_cvtps_epi32(scaled(sum[r * P * 2 + v + i], layer, panel, v + i));
            }
            __m256i low = _mm256_packs_epi32(words[0], words[1]);
            __m256i high = P == 1 ? low : _mm256_packs_epi32(words[2], words[3]);
            __m256i steps = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order);
            uint8_t *to = out + panel * BCK_PANEL + v * 8;
            if (P == 1) {
                _mm_storeu_si128((__m128i *)to, _mm256_castsi256_si128(steps));
            } else {
                _mm256_storeu_si256((__m256i *)to, steps);
            }
        }
    }
}

BCK_TILE last_tile(const int R, const int P, const bck_dense *layer, size_t panel,
                   const uint8_t *x, size_t stride, float *out) {
    __m256i sum[12];
    sums(R, P, layer, panel, x, stride, sum);
    BCK_UNROLL for (int r = 0; r < R; r++, out += bck_padded(layer->outputs)) {
        BCK_UNROLL for (int v = 0; v < P * 2; v++) {
            _mm256_storeu_ps(out + panel * BCK_PANEL + v * 8,
                             scaled(sum[r * P * 2 + v], layer, panel, v));
        }
    }
}

// All rows through P panels, in tiles of up to MAX_ROWS(P) rows: the panels' weights stay in the nearest
// cache meanwhile.
#define ROWS(TILE, R, P)                                                                          \
    case R:                                                                                       \
        if (R <= MAX_ROWS(P)) TILE(R, P, layer, panel, x + b * stride, stride, out + b * width); \
        break;
#define PANELS(TILE, P)                                                                           \
    for (; panel + P <= width / BCK_PANEL; panel += P) {                                          \
        for (size_t b = 0, rows; b < B; b += rows) {                                              \
            rows = bck_tile_rows(B - b, MAX_ROWS(P));                                            \
            switch (rows) {                                                                       \
                ROWS(TILE, 1, P)                                                                  \
                ROWS(TILE, 2, P)                                                                  \
                ROWS(TILE, 3, P)                                                                  \
                ROWS(TILE, 4, P)                                                                  \
                ROWS(TILE, 5, P)                                                                  \
                ROWS(TILE, 6, P)                                                                  \
            }                                                                                     \
        }                                                                                         \
    }
#define LAYER(TILE)                                                                               \
    const size_t width = bck_padded(layer->outputs);                                              \
    size_t panel = 0;                                                                             \
    if (TAKES_FOUR_PANELS(B, bck_padded(layer->inputs))) { PANELS(TILE, 4) }                      \
    PANELS(TILE, 2)                                                                               \
    PANELS(TILE, 1)

/// Rows lie `stride` bytes apart and are as `input_quad_of` takes them.
BCK_TILE hidden_layer(size_t B, const bck_dense *layer, const uint8_t *x, size_t stride,
                      uint8_t *out) {
    LAYER(hidden_tile)
}

BCK_TILE last_layer(size_t B, const bck_dense *layer, const uint8_t *x, size_t stride,
                    float *out) {
    LAYER(last_tile)
}
