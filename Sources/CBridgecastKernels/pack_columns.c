// A first layer by its inputs, from weights by output; made once, when a network is packed.
#include "kernels.h"

void bck_pack_columns(size_t I, size_t O, const int8_t *weight, uint8_t *columns) {
    const size_t width = bck_column(O);
    for (size_t o = 0; o < width; o += BCK_BLOCK) {
        // Rows of a block are read side by side, which the nearest cache can hold.
        const int8_t *rows[BCK_BLOCK];
        for (size_t place = 0; place < BCK_BLOCK; place++) {
            const size_t output = bck_output_at(o + place);
            rows[place] = output < O ? weight + output * I : NULL;
        }
        for (size_t i = 0; i < I; i++) {
            uint8_t *to = columns + i * width + o;
            for (size_t place = 0; place < BCK_BLOCK; place++) {
                to[place] = (uint8_t)((rows[place] ? rows[place][i] : 0) + 128);
            }
        }
    }
}

void bck_column_base(size_t I, size_t O, const int8_t *weight, const int32_t *bias,
                     const uint8_t *zero, int32_t *base) {
    for (size_t o = 0; o < O; o++) {
        int32_t sum = bias[o];
        for (size_t i = 0; i < I; i++) sum += weight[o * I + i] * zero[i];
        base[o] = sum;
    }
    for (size_t o = O; o < bck_column(O); o++) base[o] = 0;
}

void bck_unpack_columns(size_t I, size_t O, const uint8_t *columns, int8_t *weight) {
    const size_t width = bck_column(O);
    for (size_t place = 0; place < width; place++) {
        const size_t o = bck_output_at(place);
        for (size_t i = 0; o < O && i < I; i++) {
            weight[o * I + i] = (int8_t)(columns[i * width + place] - 128);
        }
    }
}
