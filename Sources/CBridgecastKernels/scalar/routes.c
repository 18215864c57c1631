// Travel-time distributions of routes with whatever every CPU of the platform has.
#include "../kernels.h"
#include "../templates/routes.h"

BCK_ROUTES_KERNEL(scalar)
