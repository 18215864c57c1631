/* Calls the library with random arguments for a while: nothing crashes, and what is answered is right. */
#include "check.h"

static int32_t random_forecast(bridgecast *handle) {
    bridgecast_delay delay;
    _Alignas(16) unsigned char memory[sizeof delay + MOST_EXTRA + BYTES_AFTER];
    size_t size = random_size(sizeof delay);
    memset(memory, UNTOUCHED, sizeof memory);
    memcpy(memory, &size, sizeof size);
    int32_t bridge = random_bridge();
    double arrival = random_time(), rho = random_rho();
    int32_t code = forecast(handle, bridge, arrival, rho, memory);
    memcpy(&delay, memory, sizeof delay);
    const char *fault = code == BRIDGECAST_OK ? fault_of_delay(&delay) : NULL;
    expect(!fault, "%s: %s", tally->last_call, fault);
    bool is_kept = all_are(memory + sizeof delay + MOST_EXTRA, BYTES_AFTER, UNTOUCHED);
    expect(is_kept, "%s: bytes after the delay were written", tally->last_call);
    return code;
}

static void expect_routes(const unsigned char *places, size_t size, size_t count, double departure,
                          double deadline) {
    for (size_t index = 0; index < count; index++) {
        bridgecast_route route;
        memcpy(&route, places + index * size, sizeof route);
        const char *fault = fault_of_route(&route, departure, deadline);
        expect(!fault, "%s: route %zu: %s", tally->last_call, index, fault);
    }
}

static int32_t random_plan(bridgecast *handle) {
    _Alignas(16) static unsigned char
        places[MOST_ROUTES * (sizeof(bridgecast_route) + MOST_EXTRA) + BYTES_AFTER];
    size_t size = random_size(sizeof(bridgecast_route)), capacity = random_number(MOST_ROUTES + 1);
    size_t count = 0, most = size * capacity;
    memset(places, UNTOUCHED, sizeof places);
    memcpy(places, &size, sizeof size);
    double departure = random_time(), deadline = random_number(2) ? 0 : random_time();
    const char *from = random_place(), *to = random_place();
    int32_t mode = random_kind();
    unsigned char *routes = random_number(64) ? places : NULL;
    size_t *told = random_number(64) ? &count : NULL;
    int32_t code = plan(handle, from, to, mode, departure, deadline, routes, capacity, told);
    size_t written = count < capacity ? count : capacity;
    if (code == BRIDGECAST_OK) expect_routes(places, size, written, departure, deadline);
    size_t kept = most > sizeof size ? most : sizeof size;
    bool is_kept = all_are(places + kept, sizeof places - kept, UNTOUCHED);
    expect(is_kept, "%s: bytes after the routes were written", tally->last_call);
    return code;
}

static int32_t random_opening(bridgecast *handle) {
    int32_t bridge = random_bridge();
    double raised = random_past(), lowered = random_past(), observed = random_past_or_none();
    return add_opening(handle, bridge, raised, lowered, observed);
}

static int32_t random_state_of_bridge(bridgecast *handle) {
    int32_t bridge = random_bridge(), state = random_kind();
    return set_state(handle, bridge, state, random_past_or_none());
}

static int32_t random_call(bridgecast *handle, uint64_t kind) {
    if (kind == 0) return set_time(handle, random_number(4) ? NOW : random_time());
    if (kind <= 2) return random_state_of_bridge(handle);
    if (kind <= 4) return random_opening(handle);
    return kind <= 12 ? random_forecast(handle) : random_plan(handle);
}

static void random_calls(void) {
    bridgecast *handle = opened_now();
    long forecasts = 0, plans = 0;
    double end = monotonic_seconds() + seconds;
    random_state = seed;
    while (monotonic_seconds() < end) {
        uint64_t kind = random_number(16);
        int32_t code = random_call(random_number(256) ? handle : NULL, kind);
        bool is_failure = code >= BRIDGECAST_USAGE && code <= BRIDGECAST_MISSING;
        expect(code == BRIDGECAST_OK || is_failure, "%s: code %d", tally->last_call, code);
        atomic_fetch_add(&tally->random_calls, 1);
        if (code != BRIDGECAST_OK) continue;
        if (kind > 12) plans++;
        else if (kind > 4) forecasts++;
    }
    expect(forecasts > 0 && plans > 0, "%ld forecasts and %ld plans were answered", forecasts, plans);
    bridgecast_close(handle);
}

void check_random_calls(void) { run_apart("random calls", random_calls); }
