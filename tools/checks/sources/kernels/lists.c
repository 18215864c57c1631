// The kernels of lists, each alone, against the layer's definition: a row's steps or numbers times weights.
#include "check.h"

// A first layer by its inputs in memory of exactly its size, with weights [O, I]; and a list.
typedef struct first_layer {
    size_t I, O, width;
    int8_t *weight;
    float *float_weight;
    float *mean, *factor, *multiplier;
    bck_normalisation n;
    void *packed, *base, *zero;
    bck_columns columns;
} first_layer;
typedef struct list {
    size_t count;
    uint16_t *inputs;
    float *values;
    // The list as a row, and what it and a row of zeros are after plain C's normalisation.
    float *row, *z, *z0;
    uint8_t *q, *q0;
    float poison;
} list;

static first_layer layer_of(size_t I, size_t O, int is_float, int extreme) {
    first_layer l = {.I = I, .O = O, .width = bck_column(O)};
    const size_t cells = I * l.width;
    l.mean = part(bck_padded(I) * 4), l.factor = part(bck_padded(I) * 4);
    const float zero_point = extreme ? (next() & 1 ? 255 : 0) : (float)(next() % 256);
    for (size_t i = 0; i < I; i++) {
        l.mean[i] = extreme ? 0 : uniform() - 0.5f;
        l.factor[i] = (is_float ? 1 : 20) * (0.2f + uniform()) * (extreme ? 1000 : 1);
    }
    l.n = (bck_normalisation){l.mean, l.factor, is_float ? 8 : 40 + 300 * uniform(), (int32_t)zero_point};
    if (extreme) l.n.limit = 400;
    l.weight = part(O * I), l.float_weight = part(O * I * 4), l.multiplier = part(l.width * 4);
    for (size_t i = 0; i < O * I; i++) {
        l.weight[i] = extreme ? (next() & 1 ? 127 : -128) : (int8_t)next();
        l.float_weight[i] = uniform() - 0.5f;
    }
    for (size_t o = 0; o < O; o++) l.multiplier[o] = extreme ? 63.9f * uniform() : 0.004f * uniform();
    l.base = part(l.width * 4), l.zero = part(I * (is_float ? 4 : 1)), l.packed = part(cells * (is_float ? 4 : 1));
    float *none = part(I * 4), *z0 = part(bck_padded(I) * 4), poison;
    uint8_t *q0 = part(bck_padded(I));
    bck_kernels_of(BCK_SCALAR)->f32_normalise(1, I, none, &l.n, z0, &poison);
    bck_kernels_of(BCK_SCALAR)->f32u8_normalise(1, I, none, &l.n, q0, &poison);
    memcpy(l.zero, is_float ? (void *)z0 : q0, I * (is_float ? 4 : 1));
    if (is_float) {
        for (size_t i = 0; i < O * I; i++) ((float *)l.packed)[i % I * l.width + i / I] = l.float_weight[i];
    } else {
        int32_t *bias = part(O * 4);
        int8_t *back = part(O * I);
        for (size_t o = 0; o < O; o++) bias[o] = (int32_t)(next() % 20000) - 10000;
        bck_pack_columns(I, O, l.weight, l.packed);
        bck_unpack_columns(I, O, l.packed, back);
        compare_bytes("unpacked columns", "packing", back, l.weight, O * I);
        bck_column_base(I, O, l.weight, bias, l.zero, l.base);
        free(bias), free(back);
    }
    l.columns = (bck_columns){I, O, l.packed, l.base, l.multiplier, l.zero};
    free(none), free(z0), free(q0);
    return l;
}

static void free_layer(first_layer *l) {
    void *all[] = {l->weight, l->float_weight, l->mean, l->factor, l->multiplier, l->packed, l->base, l->zero};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

static list list_of(const first_layer *l, size_t count) {
    const size_t I = l->I;
    list s = {.count = count, .inputs = part(count * 2), .values = part(count * 4), .row = part(I * 4)};
    s.z = part(bck_padded(I) * 4), s.z0 = part(bck_padded(I) * 4);
    s.q = part(bck_padded(I)), s.q0 = part(bck_padded(I));
    const bck_kernels *plain = bck_kernels_of(BCK_SCALAR);
    plain->f32_normalise(1, I, s.row, &l->n, s.z0, &s.poison);
    plain->f32u8_normalise(1, I, s.row, &l->n, s.q0, &s.poison);
    // So many of the inputs, in their order; of either sign or all of one, so that steps add up.
    const float middle = 3 * ((float)(next() % 3) - 1);
    for (size_t i = 0, found = 0; found < count; i++) {
        if (next() % (I - i) >= count - found) continue;
        const float odd[] = {0, -0.0f, 1e30f, -1e30f, 1e-40f};
        s.inputs[found] = (uint16_t)i;
        s.values[found] = next() % 8 ? middle + 6 * (uniform() - 0.5f) : odd[next() % 5];
        if (next() % 1000 == 0) s.values[found] = next() & 1 ? NAN : next() & 1 ? INFINITY : -INFINITY;
        s.row[i] = s.values[found++];
    }
    plain->f32_normalise(1, I, s.row, &l->n, s.z, &s.poison);
    plain->f32u8_normalise(1, I, s.row, &l->n, s.q, &s.poison);
    return s;
}

static void free_list(list *s) {
    void *all[] = {s->inputs, s->values, s->row, s->z, s->z0, s->q, s->q0};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

static int takes_s8(bck_isa isa) { return isa == BCK_AVXVNNI || isa == BCK_AVX512VNNI; }

// Steps of each input put together again.
static void check_steps(bck_isa isa, const first_layer *l, const list *s, const bck_steps *steps) {
    int32_t *found = part(l->I * 4), *wanted = part(l->I * 4), total = 0;
    for (size_t e = 0; e < steps->count; e++) {
        const int32_t step = takes_s8(isa) ? ((int8_t *)steps->steps)[e] : ((int16_t *)steps->steps)[e];
        found[steps->columns[e] / l->width] += step;
        total += step;
        if (step == 0 || steps->columns[e] % l->width) printf("%s: no step\n", names[isa]), exit(1);
    }
    for (size_t i = 0; i < l->I; i++) wanted[i] = s->q[i] - s->q0[i];
    compare_bytes("f32_steps", names[isa], found, wanted, l->I * 4);
    compare_bytes("f32_steps, total", names[isa], &steps->total, &total, 4);
    free(found), free(wanted);
}

static int32_t *some_sums(const first_layer *l, int is_float) {
    int32_t *sums = part(l->width * 4);
    for (size_t o = 0; o < l->width; o++) {
        sums[o] = (int32_t)next() - (1 << 23);
        if (is_float) ((float *)sums)[o] = uniform() - 0.5f;
    }
    return sums;
}

static void check_int8(bck_isa isa, size_t I, size_t O, int extreme) {
    const bck_kernels *kernels = bck_kernels_of(isa);
    first_layer l = layer_of(I, O, 0, extreme);
    list s = list_of(&l, awkward(I));
    const size_t capacity = 4 * I + 4;
    bck_steps steps = {0, 0, part(capacity * 4), part(capacity * (takes_s8(isa) ? 1 : 2))};
    // In two calls, as for a row of two lists.
    const size_t first = next() % (s.count + 1);
    float poison = kernels->f32_steps(first, s.inputs, s.values, &l.columns, &l.n, &steps);
    poison += kernels->f32_steps(s.count - first, s.inputs + first, s.values + first, &l.columns, &l.n, &steps);
    compare("f32_steps, poison", names[isa], &poison, &s.poison, 1, 0);
    if (!isnan(poison)) check_steps(isa, &l, &s, &steps);
    int32_t *from = next() % 4 ? some_sums(&l, 0) : NULL, *more = next() & 1 ? some_sums(&l, 0) : NULL;
    int32_t *sums = part(l.width * 4), *wanted = part(l.width * 4);
    kernels->u8s32_columns(&steps, &l.columns, from, more, sums);
    for (size_t o = 0; o < l.width; o++) {
        wanted[o] = (from ? from[o] : 0) + (more ? more[o] : 0);
        for (size_t i = 0; o < O && i < I; i++) wanted[o] += (s.q[i] - s.q0[i]) * l.weight[o * I + i];
    }
    if (!isnan(poison)) compare_bytes("u8s32_columns", names[isa], sums, wanted, l.width * 4);
    const size_t out = bck_padded(O);
    uint8_t *bytes = part(out), *wanted_bytes = part(out);
    float *logits = part(out * 4), *wanted_logits = part(out * 4);
    kernels->s32u8_finish(&l.columns, sums, bytes);
    kernels->s32f32_finish(&l.columns, sums, logits);
    for (size_t o = 0; o < out; o++) {
        wanted_logits[o] = (float)sums[o] * l.multiplier[o];
        const float y = nearbyintf(wanted_logits[o]);
        wanted_bytes[o] = (uint8_t)(y < 0 ? 0 : y > 255 ? 255 : y);
    }
    compare_bytes("s32u8_finish", names[isa], bytes, wanted_bytes, out);
    compare("s32f32_finish", names[isa], logits, wanted_logits, out, 0);
    void *all[] = {steps.columns, steps.steps, from, more, sums, wanted, bytes, wanted_bytes, logits, wanted_logits};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    free_list(&s), free_layer(&l);
}

static void check_float(bck_isa isa, size_t I, size_t O, int relu) {
    const bck_kernels *kernels = bck_kernels_of(isa);
    first_layer l = layer_of(I, O, 1, 0);
    list s = list_of(&l, awkward(I));
    float *from = next() % 4 ? (float *)some_sums(&l, 1) : NULL, *more = next() & 1 ? (float *)some_sums(&l, 1) : NULL;
    float *sums = part(l.width * 4), *scratch = part(s.count * 4);
    const float poison = kernels->f32f32f32_list(s.count, s.inputs, s.values, &l.columns, &l.n, from, more, sums,
                                                 scratch);
    compare("f32f32f32_list, poison", names[isa], &poison, &s.poison, 1, 0);
    for (size_t o = 0; o < l.width && !isnan(poison); o++) {
        double sum = (from ? from[o] : 0) + (more ? more[o] : 0), size = 1;
        for (size_t i = 0; o < O && i < I; i++) {
            const double term = ((double)s.z[i] - s.z0[i]) * l.float_weight[o * I + i];
            sum += term, size += fabs(term);
        }
        const float found = (float)(sums[o] / size), wanted = (float)(sum / size);
        compare("f32f32f32_list", names[isa], &found, &wanted, 1, 2e-6);
    }
    const size_t out = bck_padded(O);
    float *y = part(out * 4), *wanted = part(out * 4);
    kernels->f32_finish(&l.columns, relu, sums, y);
    for (size_t o = 0; o < out; o++) wanted[o] = relu && !(sums[o] > 0) ? 0 : sums[o];
    compare_bytes("f32_finish", names[isa], y, wanted, out * 4);
    void *all[] = {from, more, sums, scratch, y, wanted};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    free_list(&s), free_layer(&l);
}

void check_lists(bck_isa isa) {
    const size_t widths[] = {1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 200}, inputs[] = {1, 2, 5, 31, 64, 209};
    for (int turn = 0; turn < 12; turn++) {
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
                check_int8(isa, inputs[i], widths[w], turn % 2);
                check_float(isa, inputs[i], widths[w], turn % 2);
            }
        }
    }
}
