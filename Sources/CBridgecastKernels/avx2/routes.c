// Travel-time distributions of routes with AVX2.
#if defined(__x86_64__)
#include "target.h"
#include "../templates/routes.h"

BCK_ROUTES_KERNEL(avx2)

#pragma clang attribute pop
#endif
