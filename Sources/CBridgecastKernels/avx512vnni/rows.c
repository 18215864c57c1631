// Rows and fields of comma-separated values with AVX-512, whose comparisons give a bit per byte.
#if defined(__x86_64__)
#include "target.h"
#include "../templates/rows.h"

BCK_INLINE bck_bytes_found find(const uint8_t *bytes) {
    const __m512i block = _mm512_loadu_si512(bytes);
    return (bck_bytes_found){_mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8('"')),
                             _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(',')),
                             _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8('\n')),
                             _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8('\r'))};
}

BCK_ROWS_KERNEL(avx512vnni, find)

#pragma clang attribute pop
#endif
