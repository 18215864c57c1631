// Sums over lists of inputs: a template. Each <instruction set>/lists.c defines `step_type` and `add_columns` for int8,
// includes it after its own target attribute, and names the kernels by BCK_LISTS_KERNELS. What the kernels take and give
// is in include/bck_lists.h.
#ifndef BCK_TEMPLATE_LISTS_H
#define BCK_TEMPLATE_LISTS_H

// Everything here is inlined: no vector is ever passed by a calling convention.
#pragma clang diagnostic ignored "-Wpsabi"
#pragma STDC FP_CONTRACT OFF

typedef float v16 __attribute__((vector_size(64), aligned(4)));
typedef int32_t v16i __attribute__((vector_size(64), aligned(4)));
typedef uint8_t v16b __attribute__((vector_size(16), aligned(1)));

/// Adding it to a number of a magnitude below 2^22 rounds that to a whole one, halves to even, and leaves it in
/// the last bits.
#define ROUNDING 12582912.0f
#define ROUNDING_BITS 0x4b400000

/// Whether a number is NaN or infinite.
BCK_INLINE int is_flaw(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0x7f800000) == 0x7f800000;
}

/// An input normalised: (x - mean) * factor within bounds.
BCK_INLINE float normalised(float x, float mean, float factor, float low, float high) {
    float z = (x - mean) * factor;
    z = z < high ? z : high;
    return z > low ? z : low;
}

/// Appends those inputs of a list whose step is not that of zero; returns its poison.
BCK_INLINE float append_steps(size_t count, const uint16_t *inputs, const float *values,
                              const bck_columns *layer, const bck_normalisation *n,
                              bck_steps *to) {
    const float *mean = n->mean, *factor = n->factor;
    const uint8_t *at_zero = layer->zero;
    const uint32_t width = (uint32_t)bck_column(layer->outputs);
    // The bounds are whole numbers where u8 ends, so clamping may come before rounding.
    const float zero = (float)n->zero_point;
    const float low = -n->limit > -zero ? -n->limit : -zero;
    const float high = n->limit < 255.0f - zero ? n->limit : 255.0f - zero;
    const int32_t offset = n->zero_point - ROUNDING_BITS;
    uint32_t *columns = to->columns;
    step_type *steps = to->steps;
    size_t found = to->count;
    int32_t total = to->total;
    int flawed = 0;
    for (size_t e = 0; e < count; e++) {
        const size_t i = inputs[e];
        flawed |= is_flaw(values[e]);
        float rounded = normalised(values[e], mean[i], factor[i], low, high) + ROUNDING;
        int32_t left;
        memcpy(&left, &rounded, sizeof left);
        left += offset - at_zero[i];
        total += left;
        while (sizeof(step_type) == 1 && left != (step_type)left) {
            int32_t piece = left < 0 ? -128 : 127;
            columns[found] = (uint32_t)i * width;
            steps[found++] = (step_type)piece;
            left -= piece;
        }
        columns[found] = (uint32_t)i * width;
        steps[found] = (step_type)left;
        found += left != 0;
    }
    to->count = found;
    to->total = total;
    return flawed ? NAN : 0.0f;
}

/// Sums to u8 steps, as the dense layers round them: bounds are whole, so clamping may come before rounding.
BCK_INLINE void finish_steps(const bck_columns *layer, const int32_t *sums, uint8_t *out) {
    const size_t width = bck_padded(layer->outputs);
    const float *multiplier = layer->multiplier;
    const v16 none = {0}, most = none + 255.0f;
    for (size_t o = 0; o < width; o += 16) {
        v16 y = __builtin_convertvector(*(const v16i *)(sums + o), v16)
                * *(const v16 *)(multiplier + o);
        y = __builtin_elementwise_min(__builtin_elementwise_max(y, none), most);
        v16i steps = (v16i)(y + ROUNDING) - ROUNDING_BITS;
        *(v16b *)(out + o) = __builtin_convertvector(steps, v16b);
    }
}

/// Sums to logits.
BCK_INLINE void finish_logits(const bck_columns *layer, const int32_t *sums, float *out) {
    const float *multiplier = layer->multiplier;
    const size_t width = bck_padded(layer->outputs);
    for (size_t o = 0; o < width; o += 16) {
        *(v16 *)(out + o) = __builtin_convertvector(*(const v16i *)(sums + o), v16)
                            * *(const v16 *)(multiplier + o);
    }
}

/// Sums to the next layer's inputs, or to logits without relu.
BCK_INLINE void finish_floats(const bck_columns *layer, int relu, const float *sums, float *out) {
    const size_t width = bck_padded(layer->outputs);
    for (size_t o = 0; o < width; o += 16) {
        v16 y = *(const v16 *)(sums + o);
        v16i kept = (y > 0.0f) | (relu ? 0 : -1);
        *(v16 *)(out + o) = (v16)((v16i)y & kept);
    }
}

/// sums = from + more + the columns of a list times its inputs' distance from zero.
BCK_INLINE float add_float_list(size_t count, const uint16_t *inputs, const float *values,
                                const bck_columns *layer, const bck_normalisation *n,
                                const float *from, const float *more, float *sums, float *z) {
    const size_t width = bck_column(layer->outputs);
    const float *at_zero = layer->zero;
    int flawed = 0;
    for (size_t e = 0; e < count; e++) {
        const size_t i = inputs[e];
        flawed |= is_flaw(values[e]);
        z[e] = normalised(values[e], n->mean[i], n->factor[i], -n->limit, n->limit) - at_zero[i];
    }
    for (size_t o = 0; o < width; o += BCK_BLOCK) {
        v16 sum[4];
        BCK_UNROLL for (int v = 0; v < 4; v++) {
            sum[v] = (v16){0};
            if (from) sum[v] += *(const v16 *)(from + o + v * 16);
            if (more) sum[v] += *(const v16 *)(more + o + v * 16);
        }
        for (size_t e = 0; e < count; e++) {
#pragma STDC FP_CONTRACT ON
            const float *column = (const float *)layer->weight + inputs[e] * width + o;
            BCK_UNROLL for (int v = 0; v < 4; v++) {
                sum[v] += z[e] * *(const v16 *)(column + v * 16);
            }
        }
        BCK_UNROLL for (int v = 0; v < 4; v++) *(v16 *)(sums + o + v * 16) = sum[v];
    }
    return flawed ? NAN : 0.0f;
}

#define BCK_LISTS_KERNELS(ISA)                                                                    \
    float bck_f32_steps__##ISA(size_t count, const uint16_t *inputs, const float *values,         \
                               const bck_columns *layer, const bck_normalisation *n,              \
                               bck_steps *to) {                                                   \
        return append_steps(count, inputs, values, layer, n, to);                                 \
    }                                                                                             \
    void bck_u8s32_columns__##ISA(bck_steps *steps, const bck_columns *layer,                     \
                                  const int32_t *from, const int32_t *more, int32_t *sums) {      \
        /* Up to a whole group of columns, with steps that add nothing. */                        \
        for (size_t e = steps->count; e % 4; e++) {                                               \
            steps->columns[e] = 0;                                                                \
            ((step_type *)steps->steps)[e] = 0;                                                   \
        }                                                                                         \
        add_columns(steps, layer, from, more, sums);                                              \
    }                                                                                             \
    void bck_s32u8_finish__##ISA(const bck_columns *layer, const int32_t *sums, uint8_t *out) {   \
        finish_steps(layer, sums, out);                                                           \
    }                                                                                             \
    void bck_s32f32_finish__##ISA(const bck_columns *layer, const int32_t *sums, float *out) {    \
        finish_logits(layer, sums, out);                                                          \
    }                                                                                             \
    float bck_f32f32f32_list__##ISA(size_t count, const uint16_t *inputs, const float *values,    \
                                    const bck_columns *layer, const bck_normalisation *n,         \
                                    const float *from, const float *more, float *sums,            \
                                    float *scratch) {                                             \
        return add_float_list(count, inputs, values, layer, n, from, more, sums, scratch);        \
    }                                                                                             \
    void bck_f32_finish__##ISA(const bck_columns *layer, int relu, const float *sums,             \
                               float *out) {                                                      \
        finish_floats(layer, relu, sums, out);                                                    \
    }

#endif
