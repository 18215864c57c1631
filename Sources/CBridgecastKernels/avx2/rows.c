// Rows and fields of comma-separated values with AVX2.
#if defined(__x86_64__)
#include "target.h"
#include "../templates/rows.h"

BCK_INLINE uint64_t equal(__m256i low, __m256i high, char byte) {
    const __m256i wanted = _mm256_set1_epi8(byte);
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted))
           | (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted)) << 32;
}

BCK_INLINE bck_bytes_found find(const uint8_t *bytes) {
    const __m256i low = _mm256_loadu_si256((const __m256i *)bytes);
    const __m256i high = _mm256_loadu_si256((const __m256i *)(bytes + 32));
    return (bck_bytes_found){equal(low, high, '"'), equal(low, high, ','), equal(low, high, '\n'),
                             equal(low, high, '\r')};
}

BCK_ROWS_KERNEL(avx2, find)

#pragma clang attribute pop
#endif
