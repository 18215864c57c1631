// Rows as lists and written out, for forward.c.
#include "check.h"

typedef struct batch {
    size_t rows;
    bck_lists lists;
    float *features;
} batch;

batch batch_of(size_t I, size_t rows);
void free_batch(batch *b);
