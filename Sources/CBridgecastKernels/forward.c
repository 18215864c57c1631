// The whole network in one call: chunks of rows, each through all layers while it is in cache.
#include "forward.h"

size_t bck_scratch_bytes(const bck_image *image) {
    size_t bytes = bck_chunk_bytes(image);
    return image->zero ? bytes + bck_lists_bytes(image) : bytes;
}

void bck_open_network(bck_network *network, bck_isa isa, const bck_image *image) {
    // Layers that do not exist are not cleared: that would take a third of a small network's time.
    network->image = image;
    network->kernels = bck_table(isa);
    network->count = image->layer_count;
    network->normalisation = (bck_normalisation){
        .mean = bck_at(image, image->mean),
        .factor = bck_at(image, image->factor),
        .limit = image->limit,
        .zero_point = image->zero_point,
    };
    const bck_image_layer *layers = bck_at(image, image->layers);
    for (size_t index = 0; index < network->count; index++) {
        network->layers[index] = (bck_dense){
            .inputs = layers[index].inputs,
            .outputs = layers[index].outputs,
            .weight = bck_at(image, layers[index].weight),
            .bias = bck_at(image, layers[index].bias),
            .multiplier = bck_at(image, layers[index].extra),
            .centred_bias = bck_at(image, layers[index].centred_bias),
        };
    }
}

bck_chunk bck_chunk_at(const bck_image *image, void *scratch) {
    const size_t activations = bck_activation_bytes(image);
    char *x = scratch, *y = x + activations;
    float *logits = (float *)(y + activations);
    return (bck_chunk){x, y, logits, logits + BCK_CHUNK * (size_t)image->widest};
}

/// fp16 weights are widened as they are read for at most FP16_ROWS rows. Half the bytes are worth it for
/// one (network B: 4.0 us against 4.6), no longer for two (6.0 against 4.4): then the copy that was
/// widened at load is faster. Measured by `bridgecast bench`, Zen 4.
#define FP16_ROWS 1

/// Asks for a share of the rows that come next while a layer is about to run: rows of a large batch come
/// from main memory, and all of a chunk's at once would have to be waited for.
static void fetch_share(bck_ahead next, size_t share, size_t shares) {
    if (next.bytes == 0) return;
    const char *from = (const char *)next.rows + next.bytes * share / shares;
    const char *to = (const char *)next.rows + next.bytes * (share + 1) / shares;
    for (; from < to; from += 64) __builtin_prefetch(from, 0, 2);
}

static void run_int8(const bck_network *network, size_t first, size_t rows, bck_chunk chunk,
                     bck_ahead next) {
    const size_t count = network->count;
    uint8_t *x = chunk.x, *y = chunk.y;
    for (size_t index = first; index + 1 < count; index++) {
        fetch_share(next, index, count);
        network->kernels->u8s8u8_dense(rows, network->layers + index, x, y);
        uint8_t *other = x;
        x = y;
        y = other;
    }
    fetch_share(next, count - 1, count);
    network->kernels->u8s8f32_dense(rows, network->layers + count - 1, x, chunk.logits);
}

static void run_float(const bck_network *network, size_t first, size_t rows, bck_chunk chunk,
                      bck_ahead next) {
    const size_t count = network->count;
    const int half = network->image->format == BCK_FP16;
    float *x = chunk.x, *y = chunk.y;
    for (size_t index = first; index < count; index++) {
        fetch_share(next, index, count);
        bck_dense layer = network->layers[index];
        int hidden = index + 1 < count;
        float *out = hidden ? y : chunk.logits;
        if (half && rows <= FP16_ROWS) {
            network->kernels->f32f16f32_dense(rows, &layer, hidden, x, out);
        } else {
            if (half) layer.weight = layer.multiplier;
            network->kernels->f32f32f32_dense(rows, &layer, hidden, x, out);
        }
        y = x;
        x = out;
    }
}

void bck_finish_chunk(const bck_network *network, size_t first, size_t rows, bck_chunk chunk,
                      bck_ahead next, const float *prior, float *out) {
    const bck_kernels *kernels = network->kernels;
    const size_t K = network->layers[network->count - 1].outputs;
    if (first < network->count && network->image->format == BCK_INT8) {
        if (rows == 1 && K <= BCK_PANEL && kernels->u8s8f32_row) {
            kernels->u8s8f32_row(network->count - first, network->layers + first, chunk.poison[0],
                                 prior, out, chunk.x, chunk.y);
            return;
        }
        run_int8(network, first, rows, chunk, next);
    } else if (first < network->count) {
        run_float(network, first, rows, chunk, next);
    }
    if (prior) {
        kernels->f32_softmax(rows, K, chunk.logits, prior, chunk.poison, out);
    } else {
        kernels->f32_logits(rows, K, chunk.logits, chunk.poison, out);
    }
}

void bck_forward(bck_isa isa, const bck_image *image, size_t B, const float *features,
                 const float *prior, float *out, void *scratch) {
    bck_network network;
    bck_open_network(&network, isa, image);
    const bck_chunk chunk = bck_chunk_at(image, scratch);
    const size_t I = network.layers[0].inputs, K = network.layers[network.count - 1].outputs;
    for (size_t start = 0; start < B; start += BCK_CHUNK) {
        const size_t rows = B - start < BCK_CHUNK ? B - start : BCK_CHUNK;
        const size_t left = B - start - rows;
        const float *part = features + start * I;
        const bck_ahead next = {part + rows * I,
                                (left < BCK_CHUNK ? left : BCK_CHUNK) * I * sizeof(float)};
        if (image->format == BCK_INT8) {
            network.kernels->f32u8_normalise(rows, I, part, &network.normalisation, chunk.x,
                                             chunk.poison);
        } else {
            network.kernels->f32_normalise(rows, I, part, &network.normalisation, chunk.x,
                                           chunk.poison);
        }
        bck_finish_chunk(&network, 0, rows, chunk, next, prior ? prior + start * K : NULL,
                         out + start * K);
    }
}
