// fp32 and fp16 layers in plain C: what every faster kernel must reproduce to rounding.
#include "../kernels.h"

static float relu_if(int relu, float y) { return relu && !(y > 0.0f) ? 0.0f : y; }

void bck_f32f32f32_dense__scalar(size_t B, const bck_dense *layer, int relu, const float *x,
                                 float *out) {
    size_t width = bck_padded(layer->outputs), I = layer->inputs;
    const float *weight = layer->weight, *bias = layer->bias;
    for (size_t b = 0; b < B; b++, x += bck_padded(I), out += width) {
        for (size_t o = 0; o < width; o++) {
            const float *panel = weight + o / BCK_PANEL * BCK_PANEL * I + o % BCK_PANEL;
            float sum = bias[o];
            for (size_t i = 0; i < I; i++) sum += x[i] * panel[i * BCK_PANEL];
            out[o] = relu_if(relu, sum);
        }
    }
}

/// The value of IEEE 754 half precision bits; exact.
static float widened(uint16_t half) {
    uint32_t exponent = half >> 10 & 31, fraction = half & 1023;
    uint32_t bits = (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13;
    float magnitude = (float)fraction * 0x1p-24f;
    if (exponent) memcpy(&magnitude, &bits, sizeof magnitude);
    return half >> 15 ? -magnitude : magnitude;
}

void bck_f32f16f32_dense__scalar(size_t B, const bck_dense *layer, int relu, const float *x,
                                 float *out) {
    size_t width = bck_padded(layer->outputs), I = layer->inputs;
    const uint16_t *weight = layer->weight;
    const float *bias = layer->bias;
    for (size_t b = 0; b < B; b++, x += bck_padded(I), out += width) {
        for (size_t o = 0; o < width; o++) {
            const uint16_t *panel = weight + o / BCK_PANEL * BCK_PANEL * I + o % BCK_PANEL;
            float sum = bias[o];
            for (size_t i = 0; i < I; i++) sum += x[i] * widened(panel[i * BCK_PANEL]);
            out[o] = relu_if(relu, sum);
        }
    }
}
