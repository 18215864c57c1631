// The kernels' only header: what Swift calls (BridgecastEngine/Compute/Kernels.swift).
//
// Letters: B rows of a batch, I inputs of a layer, O its outputs, K bins. All matrices are dense and
// row-major; pointers need no alignment, must not overlap, and must hold what the letters say.
//
// Name grammar: bck_<input><weight><output>_<operation>__<instruction set>; u8, s8, s32 and f32 are
// the number formats, `scalar` is portable C. A file is named like the kernel in it.
#ifndef CBRIDGECAST_KERNELS_H
#define CBRIDGECAST_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/// Normalises inputs: out = clamp((x - mean) * inverse_deviation, -limit, limit).
/// x and out [B, I]; mean and inverse_deviation [I]. NaN stays NaN.
void bck_f32_normalise__scalar(size_t B, size_t I, const float *x, const float *mean,
                               const float *inverse_deviation, float limit, float *out);

/// Quantises: out = clamp(round_half_even(x / scale) + zero_point, 0, 255). x and out [count].
void bck_f32u8_quantise__scalar(size_t count, const float *x, float inverse_scale,
                                int32_t zero_point, uint8_t *out);

/// One hidden int8 layer: out = min(255, round_half_even(max(0, bias + w x) * multiplier)).
/// x [B, I] u8; w [O, I] s8; bias [O], the input's zero point folded in; multiplier [O]; out [B, O].
void bck_u8s8u8_dense_relu__scalar(size_t B, size_t I, size_t O, const uint8_t *x, const int8_t *w,
                                   const int32_t *bias, const float *multiplier, uint8_t *out);

/// The last int8 layer: out = (bias + w x) * multiplier, in logits. Shapes as above, out [B, O] f32.
void bck_u8s8f32_dense__scalar(size_t B, size_t I, size_t O, const uint8_t *x, const int8_t *w,
                               const int32_t *bias, const float *multiplier, float *out);

/// One fp32 layer: out = w x + bias, then max(0, out) if relu. x [B, I]; w [O, I]; out [B, O].
void bck_f32f32f32_dense__scalar(size_t B, size_t I, size_t O, const float *x, const float *w,
                                 const float *bias, int relu, float *out);

/// Softmax over bins: out = softmax(logits + prior) for each row. All [B, K].
void bck_f32_softmax__scalar(size_t B, size_t K, const float *logits, const float *prior,
                             float *out);

#endif
