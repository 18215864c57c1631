// int8 layers in plain C: the definition that every faster kernel must reproduce bit for bit.
#include "../kernels.h"

#pragma STDC FP_CONTRACT OFF

static int32_t sum_of(const bck_dense *layer, const uint8_t *x, size_t o) {
    const int8_t *panel = bck_panel_s8(layer, o / BCK_PANEL);
    int32_t sum = ((const int32_t *)layer->bias)[o];
    for (size_t i = 0; i < layer->inputs; i++) {
        size_t quad = i / BCK_QUAD * BCK_PANEL + o % BCK_PANEL;
        sum += (int32_t)x[i] * (int32_t)panel[quad * BCK_QUAD + i % BCK_QUAD];
    }
    return sum;
}

void bck_u8s8u8_dense__scalar(size_t B, const bck_dense *layer, const uint8_t *x, uint8_t *out) {
    size_t width = bck_padded(layer->outputs);
    for (size_t b = 0; b < B; b++, x += bck_padded(layer->inputs), out += width) {
        for (size_t o = 0; o < width; o++) {
            float y = nearbyintf((float)sum_of(layer, x, o) * layer->multiplier[o]);
            out[o] = (uint8_t)(y < 0.0f ? 0.0f : y > 255.0f ? 255.0f : y);
        }
    }
}

void bck_u8s8f32_dense__scalar(size_t B, const bck_dense *layer, const uint8_t *x, float *out) {
    size_t width = bck_padded(layer->outputs);
    for (size_t b = 0; b < B; b++, x += bck_padded(layer->inputs), out += width) {
        for (size_t o = 0; o < width; o++) {
            out[o] = (float)sum_of(layer, x, o) * layer->multiplier[o];
        }
    }
}
