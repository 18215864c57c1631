// Compares every kernel that this CPU has with plain C, on networks of awkward shapes: the same promise
// as Tests/BridgecastEngineTests/KernelTests.swift, where there is no Swift (tools/checks/kernels).
#include "kernels.h"
#include <stdio.h>
#include <stdlib.h>

static const char *names[] = {"scalar", "neon", "avx2", "avxvnni", "avx512vnni"};
static uint32_t state = 20261121;

static uint32_t next(void) {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}
static float uniform(void) { return (float)next() / (1 << 24); }

// Each part has memory of its own, so that a sanitizer sees every byte that is read astray.
static void *part(size_t bytes) {
    void *memory = calloc(bytes ? bytes : 1, 1);
    if (!memory) exit(74);
    return memory;
}

typedef struct shape {
    int layers, sizes[5];
} shape;
static const shape shapes[] = {
    {1, {1, 1}},          {1, {3, 12}},          {2, {17, 15, 12}},         {3, {31, 33, 17, 5}},
    {3, {48, 128, 64, 12}}, {2, {5, 127, 31}},     {3, {64, 65, 129, 13}},    {3, {209, 128, 64, 12}},
    {3, {15, 1, 1, 40}},    {2, {20, 300, 16}},    {4, {64, 256, 256, 128, 16}},
};

static double worst;
static long compared;

static void compare(const char *what, const char *isa, const float *a, const float *b, size_t count,
                    double tolerance) {
    for (size_t i = 0; i < count; i++, compared++) {
        int both = isnan(a[i]) && isnan(b[i]);
        double difference = both ? 0 : fabs((double)a[i] - (double)b[i]);
        if (!both && tolerance > 0) worst = difference > worst ? difference : worst;
        if (!(difference <= tolerance)) {
            printf("%s, %s: number %zu is %g, plain C gives %g\n", isa, what, i, a[i], b[i]);
            exit(1);
        }
    }
}

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

/// Random routes in buffers of exactly the size that BridgecastEngine/Routes gives them.
static void check_routes(bck_isa isa, float longest, float widest) {
    const bck_kernels *plain = bck_kernels_of(BCK_SCALAR), *fast = bck_kernels_of(isa);
    enum { R = 40, TABLES = 3, LEADS = 5 };
    bck_route_step steps[R * 9];
    uint32_t starts[R + 1] = {0};
    float latest = 0, broadest = 3;
    size_t crossing_count = 0;
    for (size_t r = 0, n = 0; r < R; r++) {
        size_t crossings = next() % 5;
        float end = 0;
        for (size_t c = 0; c <= crossings; c++) {
            float mean = longest * uniform() + 0.01f, spread = mean * widest * uniform();
            steps[n++] = (bck_route_step){mean, spread, -1};
            end += mean + 6 * spread + 3;
            float cells = (mean < 4 * spread ? mean : 4 * spread) + 6 * spread + 4;
            if (cells > broadest) broadest = cells;
            if (c < crossings) steps[n++] = (bck_route_step){0, 0, (int32_t)(next() % TABLES)};
        }
        crossing_count += crossings;
        if (end > latest) latest = end;
        starts[r + 1] = (uint32_t)n;
    }
    size_t cells = (size_t)latest + 94;
    size_t width = cells + (broadest > BCK_LONGEST_DELAY ? (size_t)broadest : BCK_LONGEST_DELAY) + 64;
    size_t stride = cells + BCK_ROUTE_MARGIN;
    size_t floats = (TABLES * BCK_DELAY_ROWS + 1) * stride + 2 * BCK_ROUTE_MARGIN;
    float *tables[2], *scratch = part(bck_route_scratch_floats(width) * 4);
    bck_route_figures *figures[2];
    bck_crossing_figures *found = part(crossing_count * sizeof *found + 1);
    float leads[LEADS] = {-3, 4.5f, 20, 77, cells * 0.9f}, rows[LEADS * BCK_DELAY_ROWS];
    for (int side = 0; side < 2; side++) {
        tables[side] = part(floats * 4);
        memset(tables[side], 0, floats * 4);
        figures[side] = part(R * sizeof(bck_route_figures));
    }
    bck_route_delays delays[2] = {{tables[0], stride, cells}, {tables[1], stride, cells}};
    for (size_t t = 0; t < TABLES; t++) {
        for (size_t l = 0; l < LEADS; l++) {
            float *row = rows + l * BCK_DELAY_ROWS, chance = uniform();
            row[0] = row[2] = 1 - chance;
            row[1] = chance * 5;
            for (int j = 1; j < BCK_DELAY_ATOMS; j++) row[2 + j] = chance / (BCK_DELAY_ATOMS - 1);
        }
        plain->f32_delay_table(LEADS, leads, rows, &delays[0], t);
        fast->f32_delay_table(LEADS, leads, rows, &delays[1], t);
    }
    plain->f32_routes(R, starts, steps, &delays[0], longest, width, figures[0], NULL, scratch);
    fast->f32_routes(R, starts, steps, &delays[1], longest, width, figures[1], found, scratch);
    compare("f32_routes", names[isa], (float *)figures[1], (float *)figures[0],
            R * sizeof(bck_route_figures) / 4, 2e-3);
    void *all[] = {tables[0], tables[1], figures[0], figures[1], scratch, found};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

int main(void) {
    const size_t rows[] = {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 47, 48, 49};
    for (int isa = BCK_SCALAR; isa < BCK_ISA_COUNT; isa++) {
        if (!bck_kernels_of(isa)) {
            printf("%-10s  not on this CPU\n", names[isa]);
            continue;
        }
        compared = 0, worst = 0;
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
                check_int8(isa, &shapes[s], rows[r], 0);
                check_int8(isa, &shapes[s], rows[r], 1);
                check_float(isa, &shapes[s], rows[r]);
            }
        }
        const double network = worst;
        for (int turn = 0; turn < 60; turn++) {
            const float longest[] = {0.6f, 12, 300}, widest[] = {0.01f, 0.3f, 1};
            check_routes(isa, longest[turn % 3], widest[turn / 3 % 3]);
        }
        printf("%-10s  routes agree with plain C within %.1e\n", names[isa], worst);
        worst = network;
        printf("%-10s  agrees with plain C: int8 to the last bit, fp32 within %.1e (%ld numbers)\n", names[isa],
               worst, compared);
    }
    return 0;
}
