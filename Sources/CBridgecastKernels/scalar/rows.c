// Rows and fields of comma-separated values, a byte at a time: the definition of what a block holds.
#include "../kernels.h"
#include "../templates/rows.h"

BCK_INLINE bck_bytes_found find(const uint8_t *bytes) {
    bck_bytes_found found = {0};
    for (int i = 0; i < 64; i++) {
        found.quotes |= (uint64_t)(bytes[i] == '"') << i;
        found.commas |= (uint64_t)(bytes[i] == ',') << i;
        found.feeds |= (uint64_t)(bytes[i] == '\n') << i;
        found.returns |= (uint64_t)(bytes[i] == '\r') << i;
    }
    return found;
}

BCK_ROWS_KERNEL(scalar, find)
