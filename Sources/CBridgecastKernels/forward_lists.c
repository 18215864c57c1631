// The first layer on lists of inputs, then the rest of the network as for whole rows.
#include "forward.h"

/// Shared lists whose sums are kept for the rows that follow: those that come first in a row, whose sums hold the
/// base, and those that come second. They do not evict each other.
#define KEPT_FIRST 8
#define KEPT_SECOND 16
#define KEPT (KEPT_FIRST + KEPT_SECOND)

/// Of sums that are kept: of which list they are, and its poison.
typedef struct kept_sums {
    uint32_t list;
    float poison;
} kept_sums;

/// The first layer, the lists that it runs on, and what it needs beside a chunk's buffers.
typedef struct first_layer {
    const bck_network *network;
    bck_columns columns;
    const bck_lists *lists;
    bck_steps steps;
    /// Sums of the shared lists, [KEPT, width] of s32 or f32, then those of the row under way.
    char *sums;
    size_t sum_bytes;
    kept_sums kept[KEPT];
} first_layer;

static const bck_image_layer *first_of(const bck_image *image) {
    return bck_at(image, image->layers);
}

static size_t max_steps(const bck_image *image) { return 4 * (size_t)first_of(image)->inputs + 4; }

size_t bck_lists_bytes(const bck_image *image) {
    return (KEPT + 1) * bck_column(first_of(image)->outputs) * sizeof(float)
           + max_steps(image) * (sizeof(uint32_t) + sizeof(int16_t));
}

static void open_layer(first_layer *layer, const bck_network *network, const bck_lists *lists,
                       char *scratch) {
    const bck_dense *first = network->layers;
    layer->network = network;
    layer->lists = lists;
    layer->columns = (bck_columns){
        .inputs = first->inputs,
        .outputs = first->outputs,
        .weight = first->weight,
        .base = bck_at(network->image, network->image->base),
        .multiplier = first->multiplier,
        .zero = bck_at(network->image, network->image->zero),
    };
    layer->sums = scratch;
    layer->sum_bytes = bck_column(first->outputs) * sizeof(float);
    layer->steps.columns = (uint32_t *)(scratch + (KEPT + 1) * layer->sum_bytes);
    layer->steps.steps = layer->steps.columns + max_steps(network->image);
    for (int slot = 0; slot < KEPT; slot++) layer->kept[slot].list = BCK_NO_LIST;
}

static uint32_t entries_of(const bck_lists *lists, uint32_t list, const uint16_t **inputs,
                           const float **values) {
    if (list == BCK_NO_LIST) return 0;
    *inputs = lists->inputs + lists->starts[list];
    *values = lists->values + lists->starts[list];
    return lists->starts[list + 1] - lists->starts[list];
}

/// sums = from + more + those of a list; returns its poison.
static float add_list(first_layer *layer, uint32_t list, const void *from, const void *more,
                      void *sums) {
    const bck_kernels *kernels = layer->network->kernels;
    const bck_normalisation *normalisation = &layer->network->normalisation;
    const uint16_t *inputs = NULL;
    const float *values = NULL;
    const uint32_t count = entries_of(layer->lists, list, &inputs, &values);
    if (layer->network->image->format != BCK_INT8) {
        return kernels->f32f32f32_list(count, inputs, values, &layer->columns, normalisation, from,
                                       more, sums, (float *)layer->steps.columns);
    }
    layer->steps.count = 0;
    layer->steps.total = 0;
    float poison = kernels->f32_steps(count, inputs, values, &layer->columns, normalisation,
                                      &layer->steps);
    kernels->u8s32_columns(&layer->steps, &layer->columns, from, more, sums);
    return poison;
}

/// The sums of a shared list, kept from a row before where possible. The first part carries the base.
static const void *shared(first_layer *layer, uint32_t part, uint32_t list, float *poison) {
    const void *base = part == 0 ? layer->columns.base : NULL;
    if (list == BCK_NO_LIST) return base;
    const uint32_t slot = part == 0 ? list % KEPT_FIRST : KEPT_FIRST + list % KEPT_SECOND;
    void *sums = layer->sums + slot * layer->sum_bytes;
    kept_sums *kept = layer->kept + slot;
    if (kept->list != list) {
        *kept = (kept_sums){list, add_list(layer, list, base, NULL, sums)};
    }
    *poison += kept->poison;
    return sums;
}

/// The sums of a row; returns its poison.
static float add_row(first_layer *layer, const uint32_t *parts, void *sums) {
    float poison = 0.0f;
    const void *from = shared(layer, 0, parts[0], &poison);
    const void *more = shared(layer, 1, parts[1], &poison);
    return poison + add_list(layer, parts[2], from, more, sums);
}

/// The same for an int8 row that is alone, in one go: integers add up in any order.
static float add_row_alone(first_layer *layer, const uint32_t *parts, int32_t *sums) {
    float poison = 0.0f;
    layer->steps.count = 0;
    layer->steps.total = 0;
    for (int part = 0; part < BCK_PARTS; part++) {
        const uint16_t *inputs = NULL;
        const float *values = NULL;
        const uint32_t count = entries_of(layer->lists, parts[part], &inputs, &values);
        poison += layer->network->kernels->f32_steps(
            count, inputs, values, &layer->columns, &layer->network->normalisation, &layer->steps);
    }
    layer->network->kernels->u8s32_columns(&layer->steps, &layer->columns, layer->columns.base,
                                           NULL, sums);
    return poison;
}

/// From sums to the inputs of the second layer or, where there is none, to logits.
static void finish_row(const first_layer *layer, const void *sums, bck_chunk chunk, size_t row) {
    const bck_network *network = layer->network;
    const bck_kernels *kernels = network->kernels;
    const size_t at = row * bck_padded(layer->columns.outputs);
    const int hidden = network->count > 1;
    if (network->image->format != BCK_INT8) {
        float *out = hidden ? chunk.x : chunk.logits;
        kernels->f32_finish(&layer->columns, hidden, sums, out + at);
    } else if (hidden) {
        kernels->s32u8_finish(&layer->columns, sums, (uint8_t *)chunk.x + at);
    } else {
        kernels->s32f32_finish(&layer->columns, sums, chunk.logits + at);
    }
}

void bck_forward_lists(bck_isa isa, const bck_image *image, size_t B, const bck_lists *lists,
                       const float *prior, float *out, void *scratch) {
    bck_network network;
    bck_open_network(&network, isa, image);
    const bck_chunk chunk = bck_chunk_at(image, scratch);
    first_layer layer;
    open_layer(&layer, &network, lists, (char *)scratch + bck_chunk_bytes(image));
    void *sums = layer.sums + KEPT * layer.sum_bytes;
    const size_t K = network.layers[network.count - 1].outputs;
    for (size_t start = 0; start < B; start += BCK_CHUNK) {
        const size_t rows = B - start < BCK_CHUNK ? B - start : BCK_CHUNK;
        for (size_t row = 0; row < rows; row++) {
            const uint32_t *parts = lists->parts + (start + row) * BCK_PARTS;
            chunk.poison[row] = B == 1 && image->format == BCK_INT8
                                    ? add_row_alone(&layer, parts, sums)
                                    : add_row(&layer, parts, sums);
            finish_row(&layer, sums, chunk, row);
        }
        bck_finish_chunk(&network, 1, rows, chunk, (bck_ahead){NULL, 0},
                         prior ? prior + start * K : NULL, out + start * K);
    }
}
