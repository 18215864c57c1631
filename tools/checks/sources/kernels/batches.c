// Random rows that share lists, more lists than are kept and in any order: numbers that are equal modulo 16 get in one
// another's way.
#include "batches.h"

static float some_value(void) {
    static const float odd[] = {0, -0.0f, 1e30f, -1e30f};
    if (next() % 3000 == 0) return next() & 1 ? NAN : INFINITY;
    return next() % 16 ? 4 * (uniform() - 0.5f) : odd[next() % 4];
}

batch batch_of(size_t I, size_t rows) {
    // The inputs fall to three kinds of lists, so that no input is in two of a row.
    uint8_t kind[512];
    size_t of_kind[BCK_PARTS] = {0};
    for (size_t i = 0; i < I; i++) of_kind[kind[i] = next() % BCK_PARTS]++;
    // First the lists of the first kind, then those of the second, and of the third one for each row.
    const size_t firsts = 1 + next() % 24, shared = firsts + 1 + next() % 24, count = shared + rows;
    uint32_t *starts = part((count + 1) * 4), *parts = part(rows * BCK_PARTS * 4);
    for (size_t l = 0; l < count; l++) {
        starts[l + 1] = starts[l] + (uint32_t)awkward(of_kind[(l >= firsts) + (l >= shared)]);
    }
    uint16_t *inputs = part(starts[count] * 2);
    float *values = part(starts[count] * 4), *features = part(rows * I * 4);
    for (size_t l = 0; l < count; l++) {
        const size_t own = (l >= firsts) + (l >= shared);
        size_t left = of_kind[own], at = starts[l];
        for (size_t i = 0; i < I; i++) {
            if (kind[i] != own || next() % left-- >= starts[l + 1] - at) continue;
            inputs[at] = (uint16_t)i;
            values[at++] = some_value();
        }
    }
    for (size_t r = 0; r < rows; r++) {
        uint32_t *lists = parts + r * BCK_PARTS;
        // Sometimes the two shared ones change places; a row often has a list of the row before.
        const size_t swap = next() % 8 == 0;
        lists[swap] = (uint32_t)(next() % firsts);
        lists[1 - swap] = (uint32_t)(firsts + next() % (shared - firsts));
        if (r > 0 && !swap && next() & 1 && lists[-BCK_PARTS] < firsts) lists[0] = lists[-BCK_PARTS];
        lists[2] = (uint32_t)(shared + r);
        for (int p = 0; p < BCK_PARTS; p++) {
            if (next() % 8 == 0) lists[p] = BCK_NO_LIST;
            if (lists[p] == BCK_NO_LIST) continue;
            for (uint32_t e = starts[lists[p]]; e < starts[lists[p] + 1]; e++) features[r * I + inputs[e]] = values[e];
        }
    }
    return (batch){rows, {starts, inputs, values, parts}, features};
}

void free_batch(batch *b) {
    free((void *)b->lists.starts), free((void *)b->lists.inputs), free((void *)b->lists.values);
    free((void *)b->lists.parts), free(b->features);
}
