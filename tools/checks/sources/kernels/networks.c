// The kernels of networks: normalisation, dense layers, logits and softmax.
#include "check.h"

typedef struct shape {
    int layers, sizes[5];
} shape;
static const shape shapes[] = {
    {1, {1, 1}},          {1, {3, 12}},          {2, {17, 15, 12}},         {3, {31, 33, 17, 5}},
    {3, {48, 128, 64, 12}}, {2, {5, 127, 31}},     {3, {64, 65, 129, 13}},    {3, {209, 128, 64, 12}},
    {3, {15, 1, 1, 40}},    {2, {20, 300, 16}},    {4, {64, 256, 256, 128, 16}},
};

static bck_dense int8_layer(size_t I, size_t O, int extreme) {
    const size_t width = bck_padded(O), weights = width * ((I + 3) / 4 * 4);
    int8_t *w = part(weights);
    for (size_t i = 0; i < weights; i++) w[i] = extreme ? (next() & 1 ? 127 : -128) : (int8_t)next();
    int32_t *bias = part(width * 4), *centred_bias = part(width * 4);
    float *multiplier = part(width * 4);
    for (size_t o = 0; o < O; o++) {
        bias[o] = (int32_t)(next() % 20000) - 10000;
        multiplier[o] = extreme ? 63.9f * uniform() : 0.004f * uniform();
    }
    bck_centre_bias(I, O, w, bias, centred_bias);
    return (bck_dense){I, O, w, bias, multiplier, centred_bias};
}

static void free_layer(bck_dense *layer) {
    free((void *)layer->weight), free((void *)layer->bias);
    free((void *)layer->multiplier), free((void *)layer->centred_bias);
}

// Layer by layer, on random inputs, so that each kernel is held to account alone.
static void check_int8(bck_isa isa, const shape *s, size_t rows, int extreme) {
    const bck_kernels *plain = bck_kernels_of(BCK_SCALAR), *fast = bck_kernels_of(isa);
    for (int l = 0; l < s->layers; l++) {
        const size_t in = bck_padded(s->sizes[l]), width = bck_padded(s->sizes[l + 1]);
        bck_dense layer = int8_layer(s->sizes[l], s->sizes[l + 1], extreme);
        uint8_t *x = part(rows * in), *y = part(rows * width), *z = part(rows * width);
        for (size_t i = 0; i < rows * in; i++) x[i] = i % in < layer.inputs ? (uint8_t)next() : 0;
        plain->u8s8u8_dense(rows, &layer, x, y);
        fast->u8s8u8_dense(rows, &layer, x, z);
        compare_bytes("u8s8u8_dense", names[isa], z, y, rows * width);
        float *a = part(rows * width * 4), *b = part(rows * width * 4);
        plain->u8s8f32_dense(rows, &layer, x, a);
        fast->u8s8f32_dense(rows, &layer, x, b);
        compare("u8s8f32_dense", names[isa], b, a, rows * width, 0);
        free(a), free(b), free(x), free(y), free(z);
        free_layer(&layer);
    }
}

// One row through all layers at once.
static void check_row(bck_isa isa, const shape *s, int extreme) {
    const bck_kernels *plain = bck_kernels_of(BCK_SCALAR), *fast = bck_kernels_of(isa);
    const size_t K = s->sizes[s->layers];
    if (!fast->u8s8f32_row || K > BCK_PANEL) return;
    bck_dense layers[4];
    size_t widest = 0;
    for (int l = 0; l <= s->layers; l++) {
        if (bck_padded(s->sizes[l]) > widest) widest = bck_padded(s->sizes[l]);
        if (l < s->layers) layers[l] = int8_layer(s->sizes[l], s->sizes[l + 1], extreme);
    }
    uint8_t *start = part(widest), *x = part(widest), *y = part(widest);
    float *logits = part(BCK_PANEL * 4), *prior = part(K * 4), *wanted = part(K * 4), *found = part(K * 4);
    for (int i = 0; i < s->sizes[0]; i++) start[i] = (uint8_t)next();
    for (size_t k = 0; k < K; k++) prior[k] = -20 * uniform();
    const float poison = next() % 8 ? 0 : NAN;
    for (int softmax = 0; softmax < 2; softmax++) {
        memcpy(x, start, widest);
        fast->u8s8f32_row(s->layers, layers, poison, softmax ? prior : NULL, found, x, y);
        memcpy(x, start, widest);
        for (int l = 0; l + 1 < s->layers; l++) {
            plain->u8s8u8_dense(1, &layers[l], l % 2 ? y : x, l % 2 ? x : y);
        }
        plain->u8s8f32_dense(1, &layers[s->layers - 1], s->layers % 2 ? x : y, logits);
        if (softmax) plain->f32_softmax(1, K, logits, prior, &poison, wanted);
        else plain->f32_logits(1, K, logits, &poison, wanted);
        compare("u8s8f32_row", names[isa], found, wanted, K, softmax ? 2e-6 : 0);
    }
    for (int l = 0; l < s->layers; l++) free_layer(&layers[l]);
    free(start), free(x), free(y), free(logits), free(prior), free(wanted), free(found);
}

static void check_float(bck_isa isa, const shape *s, size_t rows) {
    const bck_kernels *plain = bck_kernels_of(BCK_SCALAR), *fast = bck_kernels_of(isa);
    size_t I = s->sizes[0], O = s->sizes[1], K = s->sizes[s->layers], width = bck_padded(O);
    float *features = part(rows * I * 4), *mean = part(bck_padded(I) * 4), *factor = part(bck_padded(I) * 4);
    for (size_t i = 0; i < I; i++) mean[i] = uniform() - 0.5f, factor[i] = 1 + 20 * uniform();
    for (size_t i = 0; i < rows * I; i++) features[i] = (uniform() - 0.5f) * (next() % 50 ? 8 : 1e6f);
    features[next() % (rows * I)] = next() & 1 ? NAN : INFINITY;
    bck_normalisation n = {mean, factor, 100.25f, 121};
    float *poison = part(rows * 4), *poison2 = part(rows * 4);
    size_t cells = rows * bck_padded(I);
    float *x = part(cells * 4), *x2 = part(cells * 4);
    uint8_t *q = part(cells), *q2 = part(cells);
    plain->f32u8_normalise(rows, I, features, &n, q, poison);
    fast->f32u8_normalise(rows, I, features, &n, q2, poison2);
    compare("poison", names[isa], poison2, poison, rows, 0);
    plain->f32_normalise(rows, I, features, &n, x, poison);
    fast->f32_normalise(rows, I, features, &n, x2, poison2);
    compare("poison", names[isa], poison2, poison, rows, 0);
    for (size_t r = 0; r < rows; r++) {
        if (isnan(poison[r])) continue;
        size_t at = r * bck_padded(I);
        compare("f32_normalise", names[isa], x2 + at, x + at, bck_padded(I), 0);
        compare_bytes("f32u8_normalise", names[isa], q2 + at, q + at, bck_padded(I));
    }
    for (size_t i = 0; i < cells; i++) x[i] = uniform() - 0.5f;
    float *w = part(width * I * 4), *bias = part(width * 4);
    uint16_t *half = part(width * I * 2);
    for (size_t i = 0; i < width * I; i++) {
        w[i] = uniform() - 0.5f;
        half[i] = (uint16_t)(next() % 0x3c00 | next() % 2 << 15);
    }
    for (size_t o = 0; o < O; o++) bias[o] = uniform();
    float *a = part(rows * width * 4), *b = part(rows * width * 4);
    for (int relu = 0; relu < 2; relu++) {
        bck_dense layer = {I, O, w, bias, NULL, NULL};
        plain->f32f32f32_dense(rows, &layer, relu, x, a);
        fast->f32f32f32_dense(rows, &layer, relu, x, b);
        compare("f32f32f32_dense", names[isa], b, a, rows * width, 2e-5);
        layer.weight = half;
        plain->f32f16f32_dense(rows, &layer, relu, x, a);
        fast->f32f16f32_dense(rows, &layer, relu, x, b);
        compare("f32f16f32_dense", names[isa], b, a, rows * width, 2e-5);
    }
    size_t last = rows * bck_padded(K);
    float *logits = part(last * 4), *logits2 = part(last * 4), *prior = part(rows * K * 4);
    float *p = part(rows * K * 4), *p2 = part(rows * K * 4);
    for (size_t i = 0; i < last; i++) logits[i] = logits2[i] = 40 * (uniform() - 0.5f);
    for (size_t i = 0; i < rows * K; i++) prior[i] = -20 * uniform();
    plain->f32_logits(rows, K, logits, poison, p);
    fast->f32_logits(rows, K, logits2, poison, p2);
    compare("f32_logits", names[isa], p2, p, rows * K, 0);
    plain->f32_softmax(rows, K, logits, prior, poison, p);
    fast->f32_softmax(rows, K, logits2, prior, poison, p2);
    compare("f32_softmax", names[isa], p2, p, rows * K, 2e-6);
    void *all[] = {features, mean, factor, poison, poison2, x, x2, q, q2, w, bias, half, a, b, logits, logits2, prior,
                   p, p2};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

void check_networks(bck_isa isa) {
    const size_t rows[] = {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 47, 48, 49};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            check_int8(isa, &shapes[s], rows[r], 0);
            check_int8(isa, &shapes[s], rows[r], 1);
            check_float(isa, &shapes[s], rows[r]);
            check_row(isa, &shapes[s], (int)r % 2);
        }
    }
}
