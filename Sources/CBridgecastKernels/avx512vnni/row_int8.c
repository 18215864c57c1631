// One row through the layers of an int8 network in a single function: at batch 1, calls between layers would
// cost a tenth of the time.
#if defined(__x86_64__)
#include "tiles_int8.h"
#include "outputs.h"

void bck_u8s8f32_row__avx512vnni(size_t layer_count, const bck_dense *layers, float poison,
                                 const float *prior, float *out, uint8_t *x, uint8_t *y) {
    for (size_t index = 0; index + 1 < layer_count; index++) {
        const bck_dense *layer = layers + index;
        const size_t panels = bck_padded(layer->outputs) / BCK_PANEL;
        size_t panel = 0;
        for (; panel + 8 <= panels; panel += 8) hidden_tile(1, 8, 1, layer, panel, x, y);
        for (; panel + 4 <= panels; panel += 4) hidden_tile(1, 4, 2, layer, panel, x, y);
        for (; panel < panels; panel++) hidden_tile(1, 1, 4, layer, panel, x, y);
        uint8_t *other = x;
        x = y;
        y = other;
    }
    const bck_dense *last = layers + layer_count - 1;
    const __mmask16 mask = (__mmask16)((1u << last->outputs) - 1);
    __m512i sum[4];
    sums(1, 1, 4, last, 0, x, sum);
    __m512 logits = _mm512_mul_ps(_mm512_cvtepi32_ps(sum[0]), _mm512_loadu_ps(last->multiplier));
    logits = _mm512_add_ps(logits, _mm512_set1_ps(poison));
    if (prior) logits = softmax(_mm512_add_ps(logits, _mm512_maskz_loadu_ps(mask, prior)), mask);
    _mm512_mask_storeu_ps(out, mask, logits);
}

#pragma clang attribute pop
#endif
