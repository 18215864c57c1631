// int8 layers for any number of rows, in tiles of up to six rows and four panels.
#if defined(__x86_64__)
#include "tiles_int8.h"

// All rows through P panels: the panels' weights stay in the nearest cache meanwhile.
#define ROWS(TILE, P)                                                                             \
    for (size_t b = 0, R; b < B; b += R) {                                                        \
        R = bck_tile_rows(B - b, 6);                                                              \
        switch (R) {                                                                              \
        case 1: TILE(1, P, P == 4 ? 2 : 4, layer, panel, x + b * in, out + b * width); break;              \
        case 2: TILE(2, P, 4 / P, layer, panel, x + b * in, out + b * width); break;              \
        case 3: TILE(3, P, 4 / P, layer, panel, x + b * in, out + b * width); break;              \
        case 4: TILE(4, P, P == 1 ? 2 : 1, layer, panel, x + b * in, out + b * width); break;     \
        case 5: TILE(5, P, P == 1 ? 2 : 1, layer, panel, x + b * in, out + b * width); break;     \
        default: TILE(6, P, P == 1 ? 2 : 1, layer, panel, x + b * in, out + b * width); break;    \
        }                                                                                         \
    }

#define PANELS(TILE)                                                                              \
    const size_t in = bck_padded(layer->inputs), width = bck_padded(layer->outputs);              \
    const size_t panels = width / BCK_PANEL;                                                      \
    size_t panel = 0;                                                                             \
    for (; panel + 4 <= panels; panel += 4) { ROWS(TILE, 4) }                                     \
    for (; panel + 2 <= panels; panel += 2) { ROWS(TILE, 2) }                                     \
    for (; panel < panels; panel++) { ROWS(TILE, 1) }

void bck_u8s8u8_dense__avx512vnni(size_t B, const bck_dense *layer, const uint8_t *x,
                                  uint8_t *out) {
    PANELS(hidden_tile)
}

void bck_u8s8f32_dense__avx512vnni(size_t B, const bck_dense *layer, const uint8_t *x,
                                   float *out) {
    PANELS(last_tile)
}

#pragma clang attribute pop
#endif
