// Rows and fields of comma-separated values: a template. Each <instruction set>/rows.c includes it after its own target
// attribute and says, by BCK_ROWS_KERNEL, how a set of bytes is found among 64.
#ifndef BCK_TEMPLATE_ROWS_H
#define BCK_TEMPLATE_ROWS_H

/// Which of 64 bytes are what, a bit each, the first byte's the lowest.
typedef struct bck_bytes_found {
    uint64_t quotes, commas, feeds, returns;
} bck_bytes_found;

/// What the last of the bytes before were, each 0 or 1; `quoted` has all bits alike.
typedef struct bck_rows_carry {
    uint64_t separator, closing, carriage_return, quoted;
} bck_rows_carry;

/// Each bit the parity of itself and those below.
BCK_INLINE uint64_t bck_parity(uint64_t x) {
    x ^= x << 1;
    x ^= x << 2;
    x ^= x << 4;
    x ^= x << 8;
    x ^= x << 16;
    return x ^ x << 32;
}

/// Takes 64 bytes over, those from `base` on; 0 if their quoting is not regular where `known` has bits: beyond a text's
/// end nothing can be wrong yet.
BCK_INLINE int bck_take_rows(bck_bytes_found found, uint32_t base, uint64_t known, bck_rows_carry *carry,
                             bck_rows *rows) {
    const uint64_t quoted = bck_parity(found.quotes) ^ carry->quoted;
    const uint64_t separators = (found.commas | found.feeds) & ~quoted;
    const uint64_t opening = found.quotes & quoted, closing = found.quotes & ~quoted;
    const uint64_t wrong = (opening & ~(separators << 1 | carry->separator))
                           | ((closing << 1 | carry->closing) & ~(separators | found.returns))
                           | ((found.feeds | found.returns) & quoted)
                           | ((found.returns << 1 | carry->carriage_return) & ~found.feeds);
    if (wrong & known) return 0;
    *carry = (bck_rows_carry){separators >> 63, closing >> 63, found.returns >> 63,
                              (uint64_t)((int64_t)quoted >> 63)};
    uint32_t *out = rows->separators + rows->separator_count, *end = rows->ends + rows->row_count;
    const size_t count = (size_t)__builtin_popcountll(separators);
    uint64_t left = separators;
    // Eight at a time, and a row's end whether or not there is one: what is too much is overwritten by the next.
    for (size_t done = 0; done < count; done += 8) {
        BCK_UNROLL for (int i = 0; i < 8; i++) {
            out[done + i] = base + (uint32_t)__builtin_ctzll(left | 1ull << 63);
            left &= left - 1;
        }
    }
    left = found.feeds;
    do {
        const uint64_t through = left ^ (left - 1);
        *end = (uint32_t)rows->separator_count + (uint32_t)__builtin_popcountll(separators & through);
        end += left != 0;
        left &= left - 1;
    } while (left);
    rows->row_count = (size_t)(end - rows->ends);
    rows->separator_count += count;
    return 1;
}

/// A kernel for which `FIND(bytes)` says what stands in 64 bytes.
#define BCK_ROWS_KERNEL(ISA, FIND)                                                                \
    void bck_u8_rows__##ISA(size_t length, const uint8_t *text, bck_rows *rows) {                 \
        bck_rows_carry carry = {.separator = 1};                                                  \
        size_t place = 0;                                                                         \
        rows->separator_count = rows->row_count = 0;                                              \
        while (place < length && rows->separator_count + 64 <= BCK_MAX_SEPARATORS) {             \
            if (length - place >= 64) {                                                           \
                if (!bck_take_rows(FIND(text + place), (uint32_t)place, ~0ull, &carry, rows))     \
                    return;                                                                       \
            } else {                                                                              \
                uint8_t rest[64] = {0};                                                           \
                memcpy(rest, text + place, length - place);                                       \
                const uint64_t known = (1ull << (length - place)) - 1;                            \
                bck_take_rows(FIND(rest), (uint32_t)place, known, &carry, rows);                  \
            }                                                                                     \
            place += 64;                                                                          \
        }                                                                                         \
    }

#endif
