/* The library's functions, as the checks call them: each call is noted before it is made. */
#include "check.h"

bridgecast *open_model(const char *path, int32_t *code, char *error, size_t capacity) {
    note("open(%.100s, capacity %zu)", path ? path : "NULL", capacity);
    return bridgecast_open(path, code, error, capacity);
}

int32_t set_time(bridgecast *handle, double now) {
    note("set_time(%.17g)", now);
    return bridgecast_set_time(handle, now);
}

int32_t set_state(bridgecast *handle, int32_t bridge, int32_t state, double since) {
    note("set_state(%d, %d, %.17g)", bridge, state, since);
    return bridgecast_set_state(handle, bridge, state, since);
}

int32_t add_opening(bridgecast *handle, int32_t bridge, double raised, double lowered, double observed) {
    note("add_opening(%d, %.17g, %.17g, %.17g)", bridge, raised, lowered, observed);
    return bridgecast_add_opening(handle, bridge, raised, lowered, observed);
}

int32_t forecast(bridgecast *handle, int32_t bridge, double arrival, double rho, void *delay) {
    note("forecast(%d, %.17g, %.17g)", bridge, arrival, rho);
    return bridgecast_forecast(handle, bridge, arrival, rho, delay);
}

int32_t plan(bridgecast *handle, const char *from, const char *to, int32_t mode, double departure,
             double deadline, void *routes, size_t capacity, size_t *count) {
    note("plan(%.60s, %.60s, %d, %.17g, %.17g, capacity %zu)", from ? from : "NULL", to ? to : "NULL", mode,
         departure, deadline, capacity);
    return bridgecast_plan(handle, from, to, mode, departure, deadline, routes, capacity, count);
}

int32_t plan_nothing(bridgecast *handle, const char *from, const char *to, int32_t mode) {
    size_t count = 0;
    return plan(handle, from, to, mode, NOW, 0, NULL, 0, &count);
}

int32_t plan_into(bridgecast *handle, const char *from, const char *to, int32_t mode, double now,
                  struct answer *answer) {
    answer->routes[0].size = sizeof answer->routes[0];
    return plan(handle, from, to, mode, now, 0, answer->routes, MOST_ROUTES, &answer->count);
}
