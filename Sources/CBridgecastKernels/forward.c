// The whole network in one call: chunks of rows, each through all layers while it is in cache.
#include "kernels.h"

const bck_kernels *bck_table(bck_isa isa);

// Scratch: two buffers of activations, logits, and one poison value a row.
static size_t activation_bytes(const bck_image *image) {
    size_t number = image->format == BCK_INT8 ? sizeof(uint8_t) : sizeof(float);
    return BCK_CHUNK * (size_t)image->widest * number;
}

size_t bck_scratch_bytes(const bck_image *image) {
    size_t logits = BCK_CHUNK * (size_t)image->widest * sizeof(float);
    return 2 * activation_bytes(image) + logits + BCK_CHUNK * sizeof(float);
}

static const void *at(const bck_image *image, uint64_t offset) {
    return (const char *)image + offset;
}

static bck_dense dense_of(const bck_image *image, size_t index) {
    const bck_image_layer *layer = (const bck_image_layer *)at(image, image->layers) + index;
    return (bck_dense){
        .inputs = layer->inputs,
        .outputs = layer->outputs,
        .weight = at(image, layer->weight),
        .bias = at(image, layer->bias),
        .multiplier = at(image, layer->extra),
        .centred_bias = at(image, layer->centred_bias),
    };
}

/// fp16 weights are widened as they are read for at most so many rows. Half the bytes are worth it for
/// one (network B: 4.0 us against 4.6), no longer for two (6.0 against 4.4): then the copy that was
/// widened at load is faster. Measured by `bridgecast bench`, Zen 4.
#define FP16_ROWS 1

/// Asks for a share of the rows that come next while a layer is about to run: rows of a large batch come
/// from main memory, and all of a chunk's at once would have to be waited for.
static void fetch_share(const float *next, size_t bytes, size_t share, size_t shares) {
    const char *from = (const char *)next + bytes * share / shares;
    const char *to = (const char *)next + bytes * (share + 1) / shares;
    for (; from < to; from += 64) __builtin_prefetch(from, 0, 2);
}

static void run_int8(const bck_kernels *kernels, size_t count, const bck_dense *layers, size_t rows,
                     uint8_t *x, uint8_t *y, float *logits, const float *next, size_t next_bytes) {
    for (size_t index = 0; index + 1 < count; index++) {
        fetch_share(next, next_bytes, index, count);
        kernels->u8s8u8_dense(rows, layers + index, x, y);
        uint8_t *other = x;
        x = y;
        y = other;
    }
    fetch_share(next, next_bytes, count - 1, count);
    kernels->u8s8f32_dense(rows, layers + count - 1, x, logits);
}

static void run_float(const bck_kernels *kernels, size_t count, const bck_dense *layers, int half,
                      size_t rows, float *x, float *y, float *logits, const float *next,
                      size_t next_bytes) {
    for (size_t index = 0; index < count; index++) {
        fetch_share(next, next_bytes, index, count);
        bck_dense layer = layers[index];
        int hidden = index + 1 < count;
        float *out = hidden ? y : logits;
        if (half && rows <= FP16_ROWS) {
            kernels->f32f16f32_dense(rows, &layer, hidden, x, out);
        } else {
            if (half) layer.weight = layer.multiplier;
            kernels->f32f32f32_dense(rows, &layer, hidden, x, out);
        }
        y = x;
        x = out;
    }
}

void bck_forward(bck_isa isa, const bck_image *image, size_t B, const float *features,
                 const float *prior, float *out, void *scratch) {
    const bck_kernels *kernels = bck_table(isa);
    const size_t count = image->layer_count;
    bck_dense layers[BCK_MOST_LAYERS];
    for (size_t index = 0; index < count; index++) layers[index] = dense_of(image, index);
    const size_t I = layers[0].inputs, K = layers[count - 1].outputs;
    const bck_normalisation normalisation = {
        .mean = at(image, image->mean),
        .factor = at(image, image->factor),
        .limit = image->limit,
        .zero_point = image->zero_point,
    };
    const int is_int8 = image->format == BCK_INT8;
    char *x = scratch, *y = x + activation_bytes(image);
    if (B == 1 && is_int8 && K <= BCK_PANEL && kernels->f32s8f32_row) {
        kernels->f32s8f32_row(count, layers, &normalisation, features, prior, out, (uint8_t *)x,
                              (uint8_t *)y);
        return;
    }
    float *logits = (float *)(y + activation_bytes(image));
    float *poison = logits + BCK_CHUNK * (size_t)image->widest;
    for (size_t start = 0; start < B; start += BCK_CHUNK) {
        size_t rows = B - start < BCK_CHUNK ? B - start : BCK_CHUNK;
        const float *part = features + start * I, *next = part + rows * I;
        size_t left = B - start - rows;
        size_t next_bytes = (left < BCK_CHUNK ? left : BCK_CHUNK) * I * sizeof(float);
        if (is_int8) {
            kernels->f32u8_normalise(rows, I, part, &normalisation, (uint8_t *)x, poison);
            run_int8(kernels, count, layers, rows, (uint8_t *)x, (uint8_t *)y, logits, next,
                     next_bytes);
        } else {
            kernels->f32_normalise(rows, I, part, &normalisation, (float *)x, poison);
            run_float(kernels, count, layers, image->format == BCK_FP16, rows, (float *)x,
                      (float *)y, logits, next, next_bytes);
        }
        if (prior) {
            kernels->f32_softmax(rows, K, logits, prior + start * K, poison, out + start * K);
        } else {
            kernels->f32_logits(rows, K, logits, poison, out + start * K);
        }
    }
}
