// The kernels of rows: fields of texts of few letters, in memory of exactly their length.
#include "check.h"

static bck_rows rows_of(bck_isa isa, size_t length, const uint8_t *text) {
    bck_rows rows = {part(BCK_MAX_SEPARATORS * 4), part(BCK_MAX_SEPARATORS * 4), 0, 0};
    bck_kernels_of(isa)->u8_rows(length, text, &rows);
    return rows;
}

static void check_one(bck_isa isa, size_t length) {
    static const char letters[] = "aaaa,,,\n\r\"";
    uint8_t *text = part(length);
    const int quotes = next() % 2;
    for (size_t i = 0; i < length; i++) text[i] = (uint8_t)letters[next() % (quotes ? 10 : 8)];
    bck_rows a = rows_of(isa, length, text), b = rows_of(BCK_SCALAR, length, text);
    const int same = a.separator_count == b.separator_count && a.row_count == b.row_count
                     && !memcmp(a.separators, b.separators, a.separator_count * 4)
                     && !memcmp(a.ends, b.ends, a.row_count * 4);
    if (!same) {
        printf("%s: rows of %zu bytes are not those of plain C\n", names[isa], length);
        exit(1);
    }
    compared += (long)(a.separator_count + a.row_count);
    free(text), free(a.separators), free(a.ends), free(b.separators), free(b.ends);
}

// All whole rows of a regular text are found, wherever it is cut.
static void check_whole(bck_isa isa, size_t length) {
    static const char row[] = "\"x\",yy,\"\"\r\n";
    const size_t size = sizeof row - 1;
    uint8_t *text = part(length);
    for (size_t i = 0; i < length; i++) text[i] = (uint8_t)row[i % size];
    bck_rows rows = rows_of(isa, length, text);
    if (rows.row_count != length / size) {
        printf("%s: %zu rows in %zu bytes, of %zu\n", names[isa], rows.row_count, length, length / size);
        exit(1);
    }
    compared += (long)rows.row_count;
    free(text), free(rows.separators), free(rows.ends);
}

void check_rows(bck_isa isa) {
    for (size_t length = 0; length < 400; length++) {
        check_whole(isa, length);
        for (int i = 0; i < 4; i++) check_one(isa, length);
    }
    // As many separators as a call may find, and more.
    check_one(isa, 30000);
}
