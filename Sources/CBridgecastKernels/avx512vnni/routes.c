// Travel-time distributions of routes with AVX-512.
#if defined(__x86_64__)
#include "target.h"
#include "../templates/routes.h"

BCK_ROUTES_KERNEL(avx512vnni)

#pragma clang attribute pop
#endif
