// Travel-time distributions of routes on arm.
#if defined(__aarch64__)
#include "../kernels.h"
#include "../templates/routes.h"

BCK_ROUTES_KERNEL(neon)
#endif
