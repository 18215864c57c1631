// For the AVX-512 kernels: compiles their functions for the CPUs that dispatch.c checks for.
#ifndef BCK_AVX512VNNI_TARGET_H
#define BCK_AVX512VNNI_TARGET_H

#include <immintrin.h>
#include "../kernels.h"
#pragma clang attribute push(                                                                     \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma"))),                 \
    apply_to = function)

#endif
