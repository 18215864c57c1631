// Sums over lists of inputs in plain C: the definition that every faster kernel must reproduce bit for bit.
#include "../kernels.h"

typedef int16_t step_type;

BCK_INLINE void add_columns(const bck_steps *steps, const bck_columns *layer, const int32_t *from,
                            const int32_t *more, int32_t *sums) {
    const int16_t *step = steps->steps;
    for (size_t o = 0; o < bck_column(layer->outputs); o++) {
        const size_t place = bck_output_at(o);
        int32_t sum = (from ? from[o] : 0) + (more ? more[o] : 0);
        for (size_t e = 0; e < steps->count; e++) {
            sum += step[e] * (((const uint8_t *)layer->weight)[steps->columns[e] + place] - 128);
        }
        sums[o] = sum;
    }
}

#include "../templates/lists.h"

BCK_LISTS_KERNELS(scalar)
