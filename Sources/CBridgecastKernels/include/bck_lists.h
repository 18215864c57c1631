// Rows of which few inputs are not zero, for the first layer: lists of what is there. Part of CBridgecastKernels.h.
//
// A dense sum is a constant, the sum where every input is zero, and for each input that is not zero its
// distance from there times its column of weights. In integers that is exact.
#ifndef BCK_LISTS_H
#define BCK_LISTS_H

#include <stddef.h>
#include <stdint.h>

/// Lists that a row is put together from: two that it may share with others, and its own.
#define BCK_PARTS 3
/// In place of a list: none.
#define BCK_NO_LIST UINT32_MAX
/// Outputs that a block of a column holds, and the multiple to which columns are padded.
#define BCK_BLOCK 64

/// What a column of `outputs` numbers takes.
static inline size_t bck_column(size_t outputs) {
    return (outputs + BCK_BLOCK - 1) / BCK_BLOCK * BCK_BLOCK;
}

/// B rows as lists; list l has the entries starts[l] ..< starts[l + 1].
typedef struct bck_lists {
    const uint32_t *starts;
    /// Inputs, each below I, increasing within a list.
    const uint16_t *inputs;
    /// Their values before normalisation.
    const float *values;
    /// [B, BCK_PARTS]: shared, shared, own. No input is in two lists of a row.
    const uint32_t *parts;
} bck_lists;

/// A first layer by its inputs.
typedef struct bck_columns {
    size_t inputs;
    size_t outputs;
    /// [I, bck_column(O)]. f32; or u8: the weight + 128, where output 16 k + 4 q + j of a block stands at
    /// place 16 q + 4 k + j, so that columns interleaved byte by byte give outputs in their order.
    const void *weight;
    /// The sums where every input is zero, bias included: s32 beside u8, f32 beside f32; [bck_column(O)].
    const void *base;
    /// int8: as in bck_dense, [bck_column(O)].
    const float *multiplier;
    /// What each input is where it is zero, [I]: u8 steps, or f32 after normalisation.
    const void *zero;
} bck_columns;

/// Inputs as the int8 kernels add them: room for 4 I + 4.
typedef struct bck_steps {
    size_t count;
    /// Sum of the steps.
    int32_t total;
    /// Where each input's column begins.
    uint32_t *columns;
    /// How many steps from zero each is: s16 or, on instruction sets that take s8, in pieces of -128...127.
    void *steps;
} bck_steps;

#endif
