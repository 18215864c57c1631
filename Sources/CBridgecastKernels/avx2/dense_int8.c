// int8 layers with AVX2, and one row through all of them.
#if defined(__x86_64__)
#include "products_int8.h"
#include "int8_layers.h"

/// Rows are made ready for a whole layer at once, as many as this holds.
#define READY_BYTES 16384

/// Calls LAYER with rows that are ready, or plain C if not even one fits.
#define READY(LAYER, PLAIN)                                                                       \
    const size_t in = bck_padded(layer->inputs), width = bck_padded(layer->outputs);              \
    const size_t stride = centred_bytes(in), most = READY_BYTES / stride;                         \
    uint8_t ready[READY_BYTES] __attribute__((aligned(64)));                                      \
    if (most == 0) {                                                                              \
        PLAIN(B, layer, x, out);                                                                  \
        return;                                                                                   \
    }                                                                                             \
    for (size_t rows; B > 0; B -= rows, x += rows * in, out += rows * width) {                    \
        rows = bck_tile_rows(B, most);                                                            \
        for (size_t r = 0; r < rows; r++) centre_row(layer, x + r * in, ready + r * stride);      \
        LAYER(rows, layer, ready, stride, out);                                                   \
    }

BCK_INLINE void hidden_of(size_t B, const bck_dense *layer, const uint8_t *x, uint8_t *out) {
    READY(hidden_layer, bck_u8s8u8_dense__scalar)
}

BCK_INLINE void last_of(size_t B, const bck_dense *layer, const uint8_t *x, float *out) {
    READY(last_layer, bck_u8s8f32_dense__scalar)
}

void bck_u8s8u8_dense__avx2(size_t B, const bck_dense *layer, const uint8_t *x, uint8_t *out) {
    hidden_of(B, layer, x, out);
}

void bck_u8s8f32_dense__avx2(size_t B, const bck_dense *layer, const uint8_t *x, float *out) {
    last_of(B, layer, x, out);
}

#include "row_int8.h"

void bck_u8s8f32_row__avx2(size_t layer_count, const bck_dense *layers, float poison,
                           const float *prior, float *out, uint8_t *x, uint8_t *y) {
    run_row(layer_count, layers, poison, prior, out, x, y);
}

#pragma clang attribute pop
#endif
