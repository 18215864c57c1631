// Shared by the kernels' own files: declarations of every variant, and where a panel begins.
#ifndef BCK_KERNELS_INTERNAL_H
#define BCK_KERNELS_INTERNAL_H

#include "include/CBridgecastKernels.h"
#include <math.h>
#include <string.h>

#define BCK_DECLARE_DOT(ISA)                                                                      \
    void bck_u8s8u8_dense__##ISA(size_t, const bck_dense *, const uint8_t *, uint8_t *);          \
    void bck_u8s8f32_dense__##ISA(size_t, const bck_dense *, const uint8_t *, float *);           \
    float bck_f32_steps__##ISA(size_t, const uint16_t *, const float *, const bck_columns *,      \
                               const bck_normalisation *, bck_steps *);                           \
    void bck_u8s32_columns__##ISA(bck_steps *, const bck_columns *, const int32_t *,              \
                                  const int32_t *, int32_t *);                                    \
    void bck_s32u8_finish__##ISA(const bck_columns *, const int32_t *, uint8_t *);                \
    void bck_s32f32_finish__##ISA(const bck_columns *, const int32_t *, float *);                 \
    float bck_f32f32f32_list__##ISA(size_t, const uint16_t *, const float *, const bck_columns *, \
                                    const bck_normalisation *, const float *, const float *,      \
                                    float *, float *);                                            \
    void bck_f32_finish__##ISA(const bck_columns *, int, const float *, float *);

#define BCK_DECLARE(ISA)                                                                          \
    void bck_f32_normalise__##ISA(size_t, size_t, const float *, const bck_normalisation *,       \
                                  float *, float *);                                              \
    void bck_f32u8_normalise__##ISA(size_t, size_t, const float *, const bck_normalisation *,     \
                                    uint8_t *, float *);                                          \
    BCK_DECLARE_DOT(ISA)                                                                          \
    void bck_f32f32f32_dense__##ISA(size_t, const bck_dense *, int, const float *, float *);      \
    void bck_f32f16f32_dense__##ISA(size_t, const bck_dense *, int, const float *, float *);      \
    void bck_f32_logits__##ISA(size_t, size_t, const float *, const float *, float *);            \
    void bck_f32_softmax__##ISA(size_t, size_t, float *, const float *, const float *, float *);  \
    void bck_f32_routes__##ISA(size_t, const uint32_t *, const bck_route_step *,                  \
                               const bck_route_delays *, float, const bck_route_memory *,         \
                               bck_route_figures *, bck_crossing_figures *);                      \
    void bck_f32_route_cells__##ISA(size_t, const bck_route_step *, const bck_route_delays *,     \
                                    const bck_route_memory *, bck_route_cells *);                 \
    void bck_f32_delay_table__##ISA(size_t, const float *, const float *,                         \
                                    const bck_route_delays *, size_t);                            \
    void bck_u8_rows__##ISA(size_t, const uint8_t *, bck_rows *);

#define BCK_DECLARE_ROW(ISA)                                                                      \
    void bck_u8s8f32_row__##ISA(size_t, const bck_dense *, float, const float *, float *,         \
                                uint8_t *, uint8_t *);

BCK_DECLARE(scalar)
#if defined(__x86_64__)
BCK_DECLARE(avx2)
BCK_DECLARE_ROW(avx2)
BCK_DECLARE_DOT(avxvnni)
BCK_DECLARE_ROW(avxvnni)
BCK_DECLARE(avx512vnni)
BCK_DECLARE_ROW(avx512vnni)
#elif defined(__aarch64__)
BCK_DECLARE(neon)
#endif

/// Groups of four inputs in a layer.
static inline size_t bck_quads(const bck_dense *layer) {
    return (layer->inputs + BCK_QUAD - 1) / BCK_QUAD;
}

/// The first byte of a panel of s8 weights.
static inline const int8_t *bck_panel_s8(const bck_dense *layer, size_t panel) {
    return (const int8_t *)layer->weight + panel * bck_quads(layer) * BCK_PANEL * BCK_QUAD;
}

/// The output at a place of a u8 column (bck_columns); just as well the place of an output, for this is its own
/// inverse.
static inline size_t bck_output_at(size_t place) {
    const size_t in_block = place % BCK_BLOCK;
    return place - in_block + in_block / 4 % 4 * 16 + in_block / 16 * 4 + in_block % 4;
}

/// Four u8 inputs as one number, for a broadcast.
static inline int32_t bck_load_quad(const uint8_t *x) {
    int32_t quad;
    memcpy(&quad, x, sizeof quad);
    return quad;
}

/// How many rows of `rows_left` to take at once, at most `most`: tiles of nearly equal height, so
/// that no row is left to run alone. 7 rows, at most 6: 4 and 3.
static inline size_t bck_tile_rows(size_t rows_left, size_t most) {
    if (rows_left <= most) return rows_left;
    size_t tiles = (rows_left + most - 1) / most;
    return (rows_left + tiles - 1) / tiles;
}

// A tile function is one body for constant R rows and P panels, inlined into each of its sizes.
#define BCK_INLINE static inline __attribute__((always_inline))
#define BCK_TILE BCK_INLINE void
#define BCK_UNROLL _Pragma("clang loop unroll(full)")

#endif
