// Whole networks: bck_forward_lists against bck_forward on the same rows written out.
#include "batches.h"
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define FENCE(from, bytes) __asan_poison_memory_region(from, bytes)
#endif
#endif
#ifndef FENCE
#define FENCE(from, bytes) ((void)(from))
#endif

enum { MOST = 3, IMAGE_BYTES = 1 << 20 };
// Weights by output [O, I], from which both images of a network are laid out.
typedef struct network {
    bck_format format;
    int layers, sizes[MOST + 1];
    int8_t *steps[MOST];
    float *weights[MOST], *multiplier[MOST];
    uint16_t *halves[MOST];
    void *bias[MOST];
    float *mean, *factor;
    bck_normalisation n;
} network;

static network network_of(bck_format format) {
    static const int inputs[] = {3, 16, 31, 60, 209}, widths[] = {5, 16, 64, 65, 100, 128, 129};
    static const int outputs[] = {1, 5, 12, 16, 17};
    network w = {.format = format, .layers = 1 + (int)(next() % MOST)};
    w.sizes[0] = inputs[next() % 5];
    for (int l = 1; l <= w.layers; l++) w.sizes[l] = l < w.layers ? widths[next() % 7] : outputs[next() % 5];
    const size_t in = bck_padded(w.sizes[0]);
    w.mean = part(in * 4), w.factor = part(in * 4);
    for (int i = 0; i < w.sizes[0]; i++) {
        w.mean[i] = uniform() - 0.5f;
        w.factor[i] = (format == BCK_INT8 ? 20 : 1) * (0.2f + uniform());
    }
    w.n = (bck_normalisation){w.mean, w.factor, format == BCK_INT8 ? 300 * uniform() : 4, (int32_t)(next() % 256)};
    for (int l = 0; l < w.layers; l++) {
        const size_t I = w.sizes[l], O = w.sizes[l + 1];
        w.steps[l] = part(I * O), w.weights[l] = part(I * O * 4), w.halves[l] = part(I * O * 2);
        w.bias[l] = part(bck_column(O) * 4), w.multiplier[l] = part(bck_column(O) * 4);
        for (size_t i = 0; i < I * O; i++) {
            w.steps[l][i] = (int8_t)next();
            // fp16 numbers of about the right size, and what they are in fp32.
            const uint32_t exponent = (I > 50 ? 10 : 12) + next() % 2, fraction = next() % 1024, sign = next() & 1;
            w.halves[l][i] = (uint16_t)(sign << 15 | exponent << 10 | fraction);
            const uint32_t bits = sign << 31 | (exponent + 112) << 23 | fraction << 13;
            memcpy(&w.weights[l][i], &bits, 4);
        }
        for (size_t o = 0; o < O; o++) {
            w.multiplier[l][o] = 0.02f * uniform();
            if (format == BCK_INT8) ((int32_t *)w.bias[l])[o] = (int32_t)(next() % 20000) - 10000;
            else ((float *)w.bias[l])[o] = uniform() - 0.5f;
        }
    }
    return w;
}

static void free_network(network *w) {
    for (int l = 0; l < w->layers; l++) {
        free(w->steps[l]), free(w->weights[l]), free(w->halves[l]), free(w->bias[l]), free(w->multiplier[l]);
    }
    free(w->mean), free(w->factor);
}

// Room for a part in an image, with a fence after it.
static void *reserve(bck_image *image, size_t *end, size_t bytes, uint64_t *offset) {
    *offset = *end;
    char *begin = (char *)image + *end, *fence = begin + bytes;
    *end = (*end + bytes + 127) / 64 * 64;
    if (*end > IMAGE_BYTES) exit(74);
    FENCE(fence, (size_t)((char *)image + *end - fence));
    return begin;
}

static void copy(bck_image *image, size_t *end, const void *from, size_t bytes, uint64_t *offset) {
    memcpy(reserve(image, end, bytes, offset), from, bytes);
}

// Weights [O, I] of some bytes each in panels whose outputs keep so many inputs together.
static void in_panels(const void *weights, size_t I, size_t O, size_t bytes, size_t together, char *out) {
    const size_t groups = (I + together - 1) / together;
    for (size_t o = 0; o < O; o++) {
        for (size_t i = 0; i < I; i++) {
            const size_t group = (o / BCK_PANEL * groups + i / together) * BCK_PANEL + o % BCK_PANEL;
            memcpy(out + (group * together + i % together) * bytes, (const char *)weights + (o * I + i) * bytes, bytes);
        }
    }
}

static void lay_columns(const network *w, bck_image *image, size_t *end, bck_image_layer *layer) {
    const size_t I = w->sizes[0], O = w->sizes[1], width = bck_column(O);
    float *none = part(I * 4), *z = part(bck_padded(I) * 4), poison;
    uint8_t *q = part(bck_padded(I));
    bck_kernels_of(BCK_SCALAR)->f32_normalise(1, I, none, &w->n, z, &poison);
    bck_kernels_of(BCK_SCALAR)->f32u8_normalise(1, I, none, &w->n, q, &poison);
    copy(image, end, w->bias[0], bck_padded(O) * 4, &layer->bias);
    if (w->format == BCK_INT8) {
        bck_pack_columns(I, O, w->steps[0], reserve(image, end, I * width, &layer->weight));
        bck_column_base(I, O, w->steps[0], w->bias[0], q, reserve(image, end, width * 4, &image->base));
        copy(image, end, w->multiplier[0], width * 4, &layer->extra);
        copy(image, end, q, I, &image->zero);
    } else {
        float *columns = reserve(image, end, I * width * 4, &layer->weight);
        float *base = reserve(image, end, width * 4, &image->base);
        for (size_t o = 0; o < O; o++) {
            base[o] = ((float *)w->bias[0])[o];
            for (size_t i = 0; i < I; i++) {
                columns[i * width + o] = w->weights[0][o * I + i];
                base[o] += w->weights[0][o * I + i] * z[i];
            }
        }
        copy(image, end, z, I * 4, &image->zero);
    }
    free(none), free(z), free(q);
}

static void lay_panels(const network *w, int l, bck_image *image, size_t *end, bck_image_layer *layer) {
    const size_t I = w->sizes[l], O = w->sizes[l + 1], width = bck_padded(O);
    copy(image, end, w->bias[l], width * 4, &layer->bias);
    if (w->format == BCK_INT8) {
        int8_t *panels = reserve(image, end, width * ((I + 3) / 4 * 4), &layer->weight);
        in_panels(w->steps[l], I, O, 1, BCK_QUAD, (char *)panels);
        copy(image, end, w->multiplier[l], width * 4, &layer->extra);
        bck_centre_bias(I, O, panels, w->bias[l], reserve(image, end, width * 4, &layer->centred_bias));
        return;
    }
    const int half = w->format == BCK_FP16;
    in_panels(w->weights[l], I, O, 4, 1, reserve(image, end, width * I * 4, half ? &layer->extra : &layer->weight));
    if (half) in_panels(w->halves[l], I, O, 2, 1, reserve(image, end, width * I * 2, &layer->weight));
}

static bck_image *image_of(const network *w, int by_input) {
    bck_image *image = part(IMAGE_BYTES);
    size_t end = (sizeof *image + 63) / 64 * 64;
    *image = (bck_image){.format = w->format, .layer_count = w->layers, .limit = w->n.limit};
    image->zero_point = w->n.zero_point;
    const size_t in = bck_padded(w->sizes[0]);
    copy(image, &end, w->mean, in * 4, &image->mean);
    copy(image, &end, w->factor, in * 4, &image->factor);
    bck_image_layer *layers = reserve(image, &end, w->layers * sizeof *layers, &image->layers);
    for (int l = 0; l <= w->layers; l++) {
        if (bck_padded(w->sizes[l]) > image->widest) image->widest = (uint32_t)bck_padded(w->sizes[l]);
    }
    for (int l = 0; l < w->layers; l++) {
        layers[l] = (bck_image_layer){.inputs = w->sizes[l], .outputs = w->sizes[l + 1]};
        if (by_input && l == 0) lay_columns(w, image, &end, &layers[l]);
        else lay_panels(w, l, image, &end, &layers[l]);
    }
    return image;
}

// Runs one batch both ways.
static void check_batch(bck_isa isa, const network *w, const bck_image *dense, const bck_image *columns,
                        const batch *b) {
    const size_t K = w->sizes[w->layers], count = b->rows * K;
    const int exact = w->format == BCK_INT8;
    float *prior = part(count * 4), *found = part(count * 4), *wanted = part(count * 4);
    for (size_t i = 0; i < count; i++) prior[i] = -8 * uniform();
    void *scratch = part(bck_scratch_bytes(columns)), *dense_scratch = part(bck_scratch_bytes(dense));
    // Logits, then probabilities.
    for (int turn = 0; turn < 2; turn++) {
        bck_forward_lists(isa, columns, b->rows, &b->lists, turn ? prior : NULL, found, scratch);
        bck_forward(isa, dense, b->rows, b->features, turn ? prior : NULL, wanted, dense_scratch);
        const char *what = turn ? "bck_forward_lists, probabilities" : "bck_forward_lists, logits";
        const double tolerance = turn || !exact ? 2e-5 : 0;
        compare(what, names[isa], found, wanted, count, tolerance);
        if (b->rows > 2) continue;
        // A row or two, which take ways of their own.
        bck_forward(BCK_SCALAR, dense, b->rows, b->features, turn ? prior : NULL, wanted, dense_scratch);
        compare("bck_forward", names[isa], found, wanted, count, tolerance);
    }
    free(prior), free(found), free(wanted), free(scratch), free(dense_scratch);
}

void check_forward(bck_isa isa, long rows) {
    const size_t batches[] = {1, 2, 47, 48, 49, 200};
    for (int turn = 0; rows > 0; turn++) {
        network w = network_of(turn % 4 == 1 ? BCK_FP16 : turn % 4 == 3 ? BCK_FP32 : BCK_INT8);
        bck_image *dense = image_of(&w, 0), *columns = image_of(&w, 1);
        for (size_t i = 0; i < sizeof batches / sizeof *batches; i++, rows -= (long)batches[i - 1]) {
            batch b = batch_of(w.sizes[0], batches[i]);
            check_batch(isa, &w, dense, columns, &b);
            free_batch(&b);
        }
        free_network(&w), free(dense), free(columns);
    }
}
