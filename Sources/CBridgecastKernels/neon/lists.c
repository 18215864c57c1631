// Sums over lists of inputs on every 64-bit arm: weights are widened to 16 bits, products are added in 32.
#if defined(__aarch64__)
#include <arm_neon.h>
#include "../kernels.h"

typedef int16_t step_type;

BCK_INLINE void add_columns(const bck_steps *steps, const bck_columns *layer, const int32_t *from,
                            const int32_t *more, int32_t *sums) {
    const int16_t *step = steps->steps;
    for (size_t o = 0; o < bck_column(layer->outputs); o += 16) {
        // The first output of sum 0; sum k holds those 16 k further.
        const size_t first = bck_output_at(o);
        int32x4_t sum[4];
        BCK_UNROLL for (int k = 0; k < 4; k++) {
            sum[k] = vdupq_n_s32(-128 * steps->total);
            if (from) sum[k] = vaddq_s32(sum[k], vld1q_s32(from + first + k * 16));
            if (more) sum[k] = vaddq_s32(sum[k], vld1q_s32(more + first + k * 16));
        }
        for (size_t e = 0; e < steps->count; e++) {
            uint8x16_t w = vld1q_u8((const uint8_t *)layer->weight + steps->columns[e] + o);
            int16x8_t low = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(w)));
            int16x8_t high = vreinterpretq_s16_u16(vmovl_u8(vget_high_u8(w)));
            sum[0] = vmlal_n_s16(sum[0], vget_low_s16(low), step[e]);
            sum[1] = vmlal_n_s16(sum[1], vget_high_s16(low), step[e]);
            sum[2] = vmlal_n_s16(sum[2], vget_low_s16(high), step[e]);
            sum[3] = vmlal_n_s16(sum[3], vget_high_s16(high), step[e]);
        }
        BCK_UNROLL for (int k = 0; k < 4; k++) vst1q_s32(sums + first + k * 16, sum[k]);
    }
}

#include "../templates/lists.h"

BCK_LISTS_KERNELS(neon)
#endif
