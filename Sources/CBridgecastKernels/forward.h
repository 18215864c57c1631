// What running a network on whole rows (forward.c) and on lists (forward_lists.c) have in common.
#ifndef BCK_FORWARD_H
#define BCK_FORWARD_H

#include "kernels.h"

const bck_kernels *bck_table(bck_isa isa);

/// A network image, taken apart.
typedef struct bck_network {
    const bck_image *image;
    const bck_kernels *kernels;
    size_t count;
    bck_normalisation normalisation;
    bck_dense layers[BCK_MAX_LAYERS];
} bck_network;

/// Rows of a chunk on their way: two buffers of activations, logits, and one poison value a row.
typedef struct bck_chunk {
    void *x, *y;
    float *logits;
    float *poison;
} bck_chunk;

/// Rows that come next, to be asked for from main memory.
typedef struct bck_ahead {
    const float *rows;
    size_t bytes;
} bck_ahead;

static inline const void *bck_at(const bck_image *image, uint64_t offset) {
    return (const char *)image + offset;
}

/// Bytes of one buffer of activations.
static inline size_t bck_activation_bytes(const bck_image *image) {
    size_t number = image->format == BCK_INT8 ? sizeof(uint8_t) : sizeof(float);
    return BCK_CHUNK * (size_t)image->widest * number;
}

/// Bytes of a chunk's buffers, a multiple of 64.
static inline size_t bck_chunk_bytes(const bck_image *image) {
    size_t logits = BCK_CHUNK * (size_t)image->widest * sizeof(float);
    return 2 * bck_activation_bytes(image) + logits + (BCK_CHUNK * sizeof(float) + 63) / 64 * 64;
}

/// Additional bytes that lists need.
size_t bck_lists_bytes(const bck_image *image);

void bck_open_network(bck_network *network, bck_isa isa, const bck_image *image);
bck_chunk bck_chunk_at(const bck_image *image, void *scratch);

/// Runs the layers from `first` on, whose inputs are in chunk.x (its logits are there if it is the count), and
/// writes results.
void bck_finish_chunk(const bck_network *network, size_t first, size_t rows, bck_chunk chunk,
                      bck_ahead next, const float *prior, float *out);

#endif
