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

// Layer by layer, on inputs that plain C computed, so that each kernel is held to account alone.
static void check_int8(bck_isa isa, const shape *s, size_t rows, int extreme) {
    const bck_kernels *plain = bck_kernels_of(BCK_SCALAR), *fast = bck_kernels_of(isa);
    uint8_t *x = part(rows * bck_padded(s->sizes[0]));
    for (int l = 0; l < s->layers; l++) {
        size_t I = s->sizes[l], O = s->sizes[l + 1], width = bck_padded(O);
        for (size_t r = 0; r < rows; r++) {
            for (size_t i = 0; i < I; i++) x[r * bck_padded(I) + i] = (uint8_t)next();
        }
        size_t weights = width * ((I + 3) / 4 * 4);
        int8_t *w = part(weights);
        for (size_t i = 0; i < weights; i++) w[i] = extreme ? (next() & 1 ? 127 : -128) : (int8_t)next();
        int32_t *bias = part(width * 4);
        float *multiplier = part(width * 4);
        for (size_t o = 0; o < O; o++) {
            bias[o] = (int32_t)(next() % 20000) - 10000;
            multiplier[o] = extreme ? 63.9f * uniform() : 0.004f * uniform();
        }
        bck_dense layer = {I, O, w, bias, multiplier};
        uint8_t *y = part(rows * width), *z = part(rows * width);
        plain->u8s8u8_dense(rows, &layer, x, y);
        fast->u8s8u8_dense(rows, &layer, x, z);
        if (memcmp(y, z, rows * width)) {
            printf("%s, u8s8u8_dense %zu x %zu, %zu rows: differs from plain C\n", names[isa], I, O, rows);
            exit(1);
        }
        float *a = part(rows * width * 4), *b = part(rows * width * 4);
        plain->u8s8f32_dense(rows, &layer, x, a);
        fast->u8s8f32_dense(rows, &layer, x, b);
        compare("u8s8f32_dense", names[isa], b, a, rows * width, 0);
        free(w), free(bias), free(multiplier), free(a), free(b), free(x), free(z);
        x = y;
    }
    free(x);
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
        if (memcmp(q + at, q2 + at, bck_padded(I))) printf("%s, f32u8_normalise differs\n", names[isa]), exit(1);
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
        bck_dense layer = {I, O, w, bias, NULL};
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
    void *all[] = {features, mean, factor, poison, poison2, x, x2, q, q2, w, bias, half, a, b, logits, logits2, prior, p, p2};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

void check_networks(bck_isa isa) {
    const size_t rows[] = {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 47, 48, 49};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            check_int8(isa, &shapes[s], rows[r], 0);
            check_int8(isa, &shapes[s], rows[r], 1);
            check_float(isa, &shapes[s], rows[r]);
        }
    }
}
