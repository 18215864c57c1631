// What Swift calls of the kernels (BridgecastEngine/Compute and /RouteScoring, BridgecastData/Scanning); what lists,
// routes and rows of text need is in the headers that this one includes.
//
// Letters: B rows of a batch, I inputs of a layer, O its outputs, K outputs of the network.
// Caller's matrices (features, prior, results) are dense and row-major. Between layers a row takes
// bck_padded(width) numbers, the rest of it zero. No pointer needs alignment for a right result;
// 64 bytes makes it fast. Pointers must not overlap and must hold what the letters say.
//
// Name grammar: bck_<input><weight><output>_<operation>__<instruction set>. u8, s8, s32, f16 and f32
// are number formats; a part that does not apply or differs between instruction sets (bck_steps) is
// left out. Instruction sets are those of bck_isa. A kernel's variants are in
// <instruction set>/<operation>.c; those of steps, columns, list and finish are in lists.c, and AVX2's
// and AVX-VNNI's _row are beside the layers that they inline.
#ifndef CBRIDGECAST_KERNELS_H
#define CBRIDGECAST_KERNELS_H

#include <stddef.h>
#include <stdint.h>
#include "bck_lists.h"
#include "bck_routes.h"
#include "bck_text.h"

/// Outputs that a weight panel holds, and the multiple to which rows between layers are padded.
#define BCK_PANEL 16
/// Inputs that an int8 panel keeps together for each output.
#define BCK_QUAD 4

/// What a row of `width` numbers takes between layers.
static inline size_t bck_padded(size_t width) {
    return (width + BCK_PANEL - 1) / BCK_PANEL * BCK_PANEL;
}

/// Instruction sets with kernels of their own, slowest first.
typedef enum bck_isa {
    BCK_SCALAR = 0,
    BCK_NEON,
    BCK_AVX2,
    BCK_AVXVNNI,
    BCK_AVX512VNNI,
    BCK_ISA_COUNT,
} bck_isa;

/// How inputs are normalised; the tables are padded with zeros.
typedef struct bck_normalisation {
    const float *mean;
    /// Reciprocal of the deviation; int8: times the reciprocal of the step of the u8 inputs.
    const float *factor;
    /// Largest magnitude of (x - mean) * factor.
    float limit;
    /// int8: the step that stands for zero, 0...255.
    int32_t zero_point;
} bck_normalisation;

/// A layer as kernels take it.
///
/// Weights lie in panels of BCK_PANEL outputs, the last one filled up with zeros. s8: [panel,
/// ceil(I / 4), 16 outputs, 4 inputs]; f32 and f16: [panel, I, 16 outputs]. bias and multiplier are
/// padded with zeros to whole panels.
typedef struct bck_dense {
    size_t inputs;
    size_t outputs;
    const void *weight;
    /// s32 beside s8 weights, f32 beside the others.
    const void *bias;
    /// int8: from the sum to the next layer's u8 steps or, in the last layer, to logits.
    const float *multiplier;
    /// int8: what bck_centre_bias makes.
    const int32_t *centred_bias;
} bck_dense;

/// The kernels of one instruction set.
typedef struct bck_kernels {
    /// out = clamp((x - mean) * factor, -limit, limit). x [B, I]; out [B, padded I].
    /// poison[b] is NaN if the row holds NaN or infinity, else 0.
    void (*f32_normalise)(size_t B, size_t I, const float *x, const bck_normalisation *n, float *out,
                          float *poison);
    /// The same, quantised: clamp(round_half_even(z) + zero_point, 0, 255).
    void (*f32u8_normalise)(size_t B, size_t I, const float *x, const bck_normalisation *n,
                            uint8_t *out, float *poison);
    /// A hidden int8 layer: clamp(round_half_even((bias + w x) * multiplier), 0, 255); multipliers
    /// are below 64 and sums below 2^25, so that a product fits an int32.
    void (*u8s8u8_dense)(size_t B, const bck_dense *layer, const uint8_t *x, uint8_t *out);
    /// The last int8 layer: (bias + w x) * multiplier, in logits.
    void (*u8s8f32_dense)(size_t B, const bck_dense *layer, const uint8_t *x, float *out);
    /// An fp32 layer: w x + bias, then max(0, .) if relu.
    void (*f32f32f32_dense)(size_t B, const bck_dense *layer, int relu, const float *x, float *out);
    /// The same with fp16 weights, widened as they are read.
    void (*f32f16f32_dense)(size_t B, const bck_dense *layer, int relu, const float *x, float *out);
    /// int8 layers and one of the below for a single row x of u8 steps, in a network with at most BCK_PANEL
    /// outputs; x and y hold the widest row. NULL where there is no such kernel.
    void (*u8s8f32_row)(size_t layer_count, const bck_dense *layers, float poison,
                        const float *prior, float *out, uint8_t *x, uint8_t *y);
    /// Appends to steps those inputs of a list whose step is not that of zero; returns its poison, NaN or 0.
    float (*f32_steps)(size_t count, const uint16_t *inputs, const float *values,
                         const bck_columns *layer, const bck_normalisation *n, bck_steps *steps);
    /// sums = from + more + columns times steps; from and more [bck_column(O)], or NULL for zeros.
    void (*u8s32_columns)(bck_steps *steps, const bck_columns *layer, const int32_t *from,
                            const int32_t *more, int32_t *sums);
    /// Sums to a row of the next layer's steps, as u8s8u8_dense does.
    void (*s32u8_finish)(const bck_columns *layer, const int32_t *sums, uint8_t *out);
    /// Sums to logits, as u8s8f32_dense does.
    void (*s32f32_finish)(const bck_columns *layer, const int32_t *sums, float *out);
    /// sums = from + more + the columns of a list times what its inputs are beyond zero, one after
    /// another; returns its poison. scratch holds a number for each entry.
    float (*f32f32f32_list)(size_t count, const uint16_t *inputs, const float *values,
                            const bck_columns *layer, const bck_normalisation *n,
                            const float *from, const float *more, float *sums, float *scratch);
    /// Sums to a row of the next layer's inputs: max(0, .) if relu.
    void (*f32_finish)(const bck_columns *layer, int relu, const float *sums, float *out);
    /// out = logits, all NaN where poison[b] is. logits [B, padded K]; out [B, K].
    void (*f32_logits)(size_t B, size_t K, const float *logits, const float *poison, float *out);
    /// out = softmax(logits + prior) for each row; all NaN where poison[b] is.
    /// logits [B, padded K] is overwritten; prior and out [B, K].
    void (*f32_softmax)(size_t B, size_t K, float *logits, const float *prior, const float *poison,
                        float *out);
    /// Travel times of R routes; route r has the steps starts[r] ..< starts[r + 1]. A route without
    /// travel is certain to take no time but its delays. deadline in cells. crossings, if not NULL,
    /// receives one entry per crossing. What comes out does not depend on the other routes, nor on
    /// what memory holds. O(steps x cells); allocates nothing.
    void (*f32_routes)(size_t R, const uint32_t *starts, const bck_route_step *steps,
                       const bck_route_delays *delays, float deadline,
                       const bck_route_memory *memory, bck_route_figures *figures,
                       bck_crossing_figures *crossings);
    /// The whole travel time of a route of S steps, of which f32_routes gives the figures.
    void (*f32_route_cells)(size_t S, const bck_route_step *steps, const bck_route_delays *delays,
                            const bck_route_memory *memory, bck_route_cells *cells);
    /// Fills delay table `table` from rows [L, BCK_DELAY_ROWS] at L increasing leads, in cells after
    /// the departure; the first is not after it. Linear between leads, constant beyond the last.
    void (*f32_delay_table)(size_t L, const float *leads, const float *rows,
                            const bck_route_delays *delays, size_t table);
    /// Finds the fields of whole rows in a text that begins with a row, up to less than 64 bytes before
    /// the first quoting that is not regular; length < 2^32. Only bytes of the text are read.
    void (*u8_rows)(size_t length, const uint8_t *text, bck_rows *rows);
} bck_kernels;

/// The kernels of an instruction set; NULL if this build or this CPU lacks it.
const bck_kernels *bck_kernels_of(bck_isa isa);

/// Makes the bias that belongs to inputs less 128, for whole panels: bias + 128 x the sum of an output's
/// weights.
void bck_centre_bias(size_t inputs, size_t outputs, const int8_t *weight, const int32_t *bias,
                     int32_t *centred_bias);

/// A network as one block of memory that can be moved: offsets count bytes from its start.
/// It is made by BridgecastEngine/Compute/NetworkImageBuilder.swift.
typedef struct bck_image_layer {
    uint32_t inputs;
    uint32_t outputs;
    uint64_t weight;
    uint64_t bias;
    /// int8: the multiplier; fp16: the weights widened to f32; fp32: unused.
    uint64_t extra;
    /// int8: what bck_centre_bias makes.
    uint64_t centred_bias;
} bck_image_layer;

typedef enum bck_format { BCK_INT8 = 0, BCK_FP16 = 1, BCK_FP32 = 2 } bck_format;

typedef struct bck_image {
    uint32_t format;
    uint32_t layer_count;
    /// Padded width of the widest row between layers.
    uint32_t widest;
    float limit;
    int32_t zero_point;
    uint64_t mean;
    uint64_t factor;
    uint64_t layers;
    /// If the first layer lies by its inputs (bck_columns): what each input is where it is zero, and the sums of a
    /// row of zeros. Else 0.
    uint64_t zero;
    uint64_t base;
} bck_image;

/// Rows that run through all layers together, so that activations stay in the nearest cache.
#define BCK_CHUNK 48
/// Layers that an image may have.
#define BCK_MAX_LAYERS 16

/// Bytes of scratch that a run needs for any batch.
size_t bck_scratch_bytes(const bck_image *image);

/// Runs a network whose first layer lies by its outputs: features [B, I] to probabilities
/// softmax(logits + prior) [B, K] or, if prior is NULL, to logits. A row with NaN or infinity comes out as NaN;
/// other rows are not affected.
/// scratch holds bck_scratch_bytes(image) bytes, best at a multiple of 64. Allocates nothing.
void bck_forward(bck_isa isa, const bck_image *image, size_t B, const float *features,
                 const float *prior, float *out, void *scratch);

/// The same on rows as lists, for a network whose first layer lies by its inputs. Logits of int8 are those of
/// the rows written out, to the last bit.
void bck_forward_lists(bck_isa isa, const bck_image *image, size_t B, const bck_lists *lists,
                       const float *prior, float *out, void *scratch);

/// Writes the columns of an s8 first layer [O, I], as bck_columns has them: I x bck_column(O) bytes.
void bck_pack_columns(size_t I, size_t O, const int8_t *weight, uint8_t *columns);

/// The weights of columns, [O, I].
void bck_unpack_columns(size_t I, size_t O, const uint8_t *columns, int8_t *weight);

/// The sums of a first layer where every input is zero: bias [O] and weights times zero [I]; bck_column(O).
void bck_column_base(size_t I, size_t O, const int8_t *weight, const int32_t *bias,
                     const uint8_t *zero, int32_t *base);

#endif
