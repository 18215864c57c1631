// For the AVX2 kernels: compiles their functions for the CPUs that dispatch.c checks for.
#ifndef BCK_AVX2_TARGET_H
#define BCK_AVX2_TARGET_H

#include <immintrin.h>
#include "../kernels.h"
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)

#endif
