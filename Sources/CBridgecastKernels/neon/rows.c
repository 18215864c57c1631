// Rows and fields of comma-separated values with NEON, whose comparisons give whole bytes: a bit is kept of each, and
// sums of neighbours put 64 bits together.
#if defined(__aarch64__)
#include <arm_neon.h>
#include "../kernels.h"
#include "../templates/rows.h"

BCK_INLINE uint64_t equal(uint8x16x4_t block, uint8_t byte) {
    const uint8x16_t bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t wanted = vdupq_n_u8(byte);
    const uint8x16_t a = vandq_u8(vceqq_u8(block.val[0], wanted), bit);
    const uint8x16_t b = vandq_u8(vceqq_u8(block.val[1], wanted), bit);
    const uint8x16_t c = vandq_u8(vceqq_u8(block.val[2], wanted), bit);
    const uint8x16_t d = vandq_u8(vceqq_u8(block.val[3], wanted), bit);
    const uint8x16_t sums = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
}

BCK_INLINE bck_bytes_found find(const uint8_t *bytes) {
    const uint8x16x4_t block = {
        {vld1q_u8(bytes), vld1q_u8(bytes + 16), vld1q_u8(bytes + 32), vld1q_u8(bytes + 48)}};
    return (bck_bytes_found){equal(block, '"'), equal(block, ','), equal(block, '\n'), equal(block, '\r')};
}

BCK_ROWS_KERNEL(neon, find)
#endif
