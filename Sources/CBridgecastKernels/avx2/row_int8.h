// One row through the layers of an int8 network in a single function: at batch 1, calls between layers would
// cost a tenth of the time. Included after int8_layers.h, `hidden_of` and `last_of`.
#include "outputs.h"

BCK_INLINE void run_row(size_t layer_count, const bck_dense *layers, float poison,
                        const float *prior, float *out, uint8_t *x, uint8_t *y) {
    for (size_t index = 0; index + 1 < layer_count; index++) {
        hidden_of(1, layers + index, x, y);
        uint8_t *other = x;
        x = y;
        y = other;
    }
    const size_t K = layers[layer_count - 1].outputs;
    float sums[BCK_PANEL];
    last_of(1, layers + layer_count - 1, x, sums);
    const __m256 added = _mm256_set1_ps(poison);
    outputs logits = {_mm256_add_ps(_mm256_loadu_ps(sums), added),
                      _mm256_add_ps(_mm256_loadu_ps(sums + 8), added)};
    if (prior) {
        const outputs lanes = lanes_of(K);
        logits = softmax(sum_of(logits, load_outputs(prior, lanes)), lanes);
    }
    store_outputs(K, K, out, logits);
}
