/* Calls the library with random arguments, the same for the same seed: nothing crashes, and answers are right. */
#include "check.h"
#include "values.h"

uint64_t random_state;

/* SplitMix64. One number a statement: C leaves open in which order it evaluates arguments. */
uint64_t random_number(uint64_t below) {
    uint64_t mixed = random_state += 0x9E3779B97F4A7C15;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return (mixed ^ (mixed >> 31)) % below;
}

/* Mostly within three hours of NOW. */
double random_time(void) {
    const double odd[] = {
        0, -0.0, 1, 0.5, DBL_MIN, 4.1e9, 4102444799.5, 4102444800, NOW + 366 * 86400.0, 1e15,
    };
    uint64_t kind = random_number(16);
    if (kind == 0) return no_times[random_number(COUNT(no_times))];
    if (kind == 1) return odd[random_number(COUNT(odd))];
    double ahead = (double)random_number(21600) - 10800 + (kind == 2 ? 0.999 : 0);
    return NOW + (kind < 8 ? ahead : fabs(ahead));
}

double random_past(void) {
    return random_number(2) ? random_time() : NOW - 1 - (double)random_number(20000);
}

double random_past_or_none(void) { return random_number(2) ? 0 : random_past(); }

double random_rho(void) {
    const double odd[] = {
        NAN, INFINITY, -INFINITY, 1, 1.5, 0.99999999999, 0.9999999, -0.0, 1e-300, 1e300, -1e300,
    };
    uint64_t kind = random_number(4);
    if (kind == 0) return odd[random_number(COUNT(odd))];
    return kind == 1 ? -1 : (double)random_number(1000) / 1000;
}

int32_t random_bridge(void) {
    if (random_number(16) == 0) return no_bridges[random_number(COUNT(no_bridges))];
    return bridges[random_number(COUNT(bridges))];
}

/* A state or a mode. */
int32_t random_kind(void) {
    return random_number(16) ? (int32_t)random_number(3) : (int32_t)random_number(UINT32_MAX);
}

const char *random_place(void) {
    static const char *const good[] = {
        "Ballard", "Downtown", "Fremont", "Capitol Hill", "University District", "Montlake", "West Seattle",
        "Georgetown", "47.66,-122.38", "47.6,-122.33", "47.55,-122.32", "\"Fremont\"",
    };
    static char scratch[24];
    uint64_t kind = random_number(64);
    if (kind == 0) return NULL;
    /* The long ones cost as much as fifty plans. */
    if (kind < 8) return no_places[random_number(COUNT(no_places) - (random_number(32) ? LONG_PLACES : 0))];
    if (kind < 60) return good[random_number(COUNT(good))];
    for (size_t index = 0; index + 1 < sizeof scratch; index++) scratch[index] = (char)random_number(256);
    return scratch;
}

/* Of a struct that has room for more than today's. */
size_t random_size(size_t today) {
    const size_t odd[] = {0, 1, today - 1, today - 8, today + 8, today + MAX_EXTRA};
    return random_number(8) ? today : odd[random_number(COUNT(odd))];
}

static int32_t random_forecast(bridgecast *handle) {
    bridgecast_delay delay;
    _Alignas(16) unsigned char memory[sizeof delay + MAX_EXTRA + BYTES_AFTER];
    size_t size = random_size(sizeof delay);
    memset(memory, UNTOUCHED, sizeof memory);
    memcpy(memory, &size, sizeof size);
    int32_t bridge = random_bridge();
    double arrival = random_time(), rho = random_rho();
    int32_t code = forecast(handle, bridge, arrival, rho, memory);
    memcpy(&delay, memory, sizeof delay);
    const char *fault = code == BRIDGECAST_OK ? fault_of_delay(&delay) : NULL;
    expect(!fault, "%s: %s", tally->last_call, fault);
    bool is_kept = all_are(memory + sizeof delay + MAX_EXTRA, BYTES_AFTER, UNTOUCHED);
    expect(is_kept, "%s: bytes after the delay were written", tally->last_call);
    return code;
}

/* A few rows, each as random as a single forecast. */
static int32_t random_batch(bridgecast *handle) {
    enum { MAX_ROWS = 8, COLUMNS = 5 };
    int32_t at[MAX_ROWS];
    double arrivals[MAX_ROWS], rhos[MAX_ROWS], results[COLUMNS][MAX_ROWS + 1];
    size_t count = random_number(MAX_ROWS + 1);
    memset(results, UNTOUCHED, sizeof results);
    for (size_t row = 0; row < count; row++) {
        at[row] = random_bridge();
        arrivals[row] = random_time();
        rhos[row] = random_rho();
    }
    note("forecast_many(%zu random rows)", count);
    int32_t code = bridgecast_forecast_many(handle, count, at, arrivals, random_number(2) ? rhos : NULL, results[0],
                                            results[1], results[2], results[3], results[4]);
    size_t written = code == BRIDGECAST_OK ? count : 0;
    for (size_t row = 0; row < written; row++) {
        bridgecast_delay delay = {sizeof delay, results[0][row], results[1][row], results[2][row], results[3][row],
                                  results[4][row]};
        const char *fault = fault_of_delay(&delay);
        expect(!fault, "%s: row %zu: %s", tally->last_call, row, fault);
    }
    for (size_t column = 0; column < COLUMNS; column++) {
        size_t rest = (MAX_ROWS + 1 - written) * sizeof(double);
        bool is_kept = all_are((unsigned char *)&results[column][written], rest, UNTOUCHED);
        expect(is_kept, "%s: column %zu: more was written", tally->last_call, column);
    }
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
        places[MAX_ROUTES * (sizeof(bridgecast_route) + MAX_EXTRA) + BYTES_AFTER];
    size_t size = random_size(sizeof(bridgecast_route)), capacity = random_number(MAX_ROUTES + 1);
    size_t count = 0, max = size * capacity;
    memset(places, UNTOUCHED, sizeof places);
    memcpy(places, &size, sizeof size);
    double departure = random_time(), deadline = random_number(2) ? 0 : random_time();
    const char *from = random_place(), *to = random_place();
    int32_t mode = random_kind();
    unsigned char *routes = random_number(64) ? places : NULL;
    size_t *reported = random_number(64) ? &count : NULL;
    int32_t code = plan(handle, from, to, mode, departure, deadline, routes, capacity, reported);
    size_t written = count < capacity ? count : capacity;
    if (code == BRIDGECAST_OK) expect_routes(places, size, written, departure, deadline);
    size_t kept = max > sizeof size ? max : sizeof size;
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
    if (kind <= 9) return random_forecast(handle);
    return kind <= 12 ? random_batch(handle) : random_plan(handle);
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
