// Which instruction sets this CPU has, and their kernels.
#include "kernels.h"

#define BCK_TABLE_WITH(ISA, DOT_ISA, ROW)                                                         \
    {                                                                                             \
        .u8s8f32_row = ROW,                                                                       \
        .f32_normalise = bck_f32_normalise__##ISA,                                                \
        .f32u8_normalise = bck_f32u8_normalise__##ISA,                                            \
        .u8s8u8_dense = bck_u8s8u8_dense__##DOT_ISA,                                              \
        .u8s8f32_dense = bck_u8s8f32_dense__##DOT_ISA,                                            \
        .f32_steps = bck_f32_steps__##DOT_ISA,                                                    \
        .u8s32_columns = bck_u8s32_columns__##DOT_ISA,                                            \
        .s32u8_finish = bck_s32u8_finish__##DOT_ISA,                                              \
        .s32f32_finish = bck_s32f32_finish__##DOT_ISA,                                            \
        .f32f32f32_list = bck_f32f32f32_list__##DOT_ISA,                                          \
        .f32_finish = bck_f32_finish__##DOT_ISA,                                                  \
        .f32f32f32_dense = bck_f32f32f32_dense__##ISA,                                            \
        .f32f16f32_dense = bck_f32f16f32_dense__##ISA,                                            \
        .f32_logits = bck_f32_logits__##ISA,                                                      \
        .f32_softmax = bck_f32_softmax__##ISA,                                                    \
        .f32_routes = bck_f32_routes__##ISA,                                                      \
        .f32_route_cells = bck_f32_route_cells__##ISA,                                            \
        .f32_delay_table = bck_f32_delay_table__##ISA,                                            \
        .u8_rows = bck_u8_rows__##ISA,                                                            \
    }
#define BCK_TABLE(ISA) BCK_TABLE_WITH(ISA, ISA, NULL)
#define BCK_TABLE_ROW(ISA, DOT_ISA) BCK_TABLE_WITH(ISA, DOT_ISA, bck_u8s8f32_row__##DOT_ISA)

static const bck_kernels tables[BCK_ISA_COUNT] = {
    [BCK_SCALAR] = BCK_TABLE(scalar),
#if defined(__x86_64__)
    [BCK_AVX2] = BCK_TABLE_ROW(avx2, avx2),
    [BCK_AVXVNNI] = BCK_TABLE_ROW(avx2, avxvnni),
    [BCK_AVX512VNNI] = BCK_TABLE_ROW(avx512vnni, avx512vnni),
#elif defined(__aarch64__)
    [BCK_NEON] = BCK_TABLE(neon),
#endif
};

static int has(bck_isa isa) {
    if (isa == BCK_SCALAR) return 1;
#if defined(__x86_64__)
    __builtin_cpu_init();
    int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
               && __builtin_cpu_supports("f16c");
    switch (isa) {
    case BCK_AVX2: return avx2;
    case BCK_AVXVNNI: return avx2 && __builtin_cpu_supports("avxvnni");
    case BCK_AVX512VNNI:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
               && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
               && __builtin_cpu_supports("avx512vnni");
    default: return 0;
    }
#elif defined(__aarch64__)
    return isa == BCK_NEON;  // part of every 64-bit arm
#else
    return 0;
#endif
}

const bck_kernels *bck_kernels_of(bck_isa isa) {
    return isa >= 0 && isa < BCK_ISA_COUNT && has(isa) ? &tables[isa] : NULL;
}

const bck_kernels *bck_table(bck_isa isa) { return &tables[isa]; }
