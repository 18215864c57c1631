// The bias of int8 layers for kernels that take inputs less 128; made once, when a network is packed.
#include "kernels.h"

void bck_centre_bias(size_t inputs, size_t outputs, const int8_t *weight, const int32_t *bias,
                     int32_t *centred_bias) {
    const size_t quads = (inputs + BCK_QUAD - 1) / BCK_QUAD;
    for (size_t o = 0; o < bck_padded(outputs); o += BCK_PANEL) {
        int32_t sum[BCK_PANEL] = {0};
        for (size_t k = 0; k < quads; k++, weight += BCK_PANEL * BCK_QUAD) {
            for (size_t i = 0; i < BCK_PANEL; i++) {
                const int8_t *quad = weight + i * BCK_QUAD;
                sum[i] += quad[0] + quad[1] + quad[2] + quad[3];
            }
        }
        for (size_t i = 0; i < BCK_PANEL; i++) centred_bias[o + i] = bias[o + i] + 128 * sum[i];
    }
}
