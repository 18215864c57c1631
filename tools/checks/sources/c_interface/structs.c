/* Contracts of structs that callers of older and later headers hand over, and of the places for routes. */
#include "check.h"

/* How many bytes later headers add. */
static const size_t extras[] = {0, 8, MAX_EXTRA};

static void expect_small_delay_refused(bridgecast *handle, size_t missing) {
    bridgecast_delay delay, untouched;
    memset(&delay, UNTOUCHED, sizeof delay);
    delay.size = sizeof delay - missing;
    memcpy(&untouched, &delay, sizeof delay);
    expect_usage(handle, forecast(handle, BALLARD, NOW + 60, -1, &delay), "a delay of smaller size");
    expect(!memcmp(&delay, &untouched, sizeof delay), "a delay of smaller size was written");
}

static void expect_small_route_refused(bridgecast *handle, size_t missing) {
    bridgecast_route route, untouched;
    size_t count = 0;
    memset(&route, UNTOUCHED, sizeof route);
    route.size = sizeof route - missing;
    memcpy(&untouched, &route, sizeof route);
    int32_t code = plan(handle, "Ballard", "Downtown", BRIDGECAST_CAR, NOW, 0, &route, 1, &count);
    expect_usage(handle, code, "a route of smaller size");
    expect(!memcmp(&route, &untouched, sizeof route), "a route of smaller size was written");
}

static void sizes_smaller_than_today(void) {
    const size_t missing[] = {1, 8, sizeof(bridgecast_delay)};
    bridgecast *handle = opened_now();
    for (size_t index = 0; index < COUNT(missing); index++) {
        expect_small_delay_refused(handle, missing[index]);
        expect_small_route_refused(handle, missing[index]);
    }
    bridgecast_close(handle);
}

static void expect_larger_delay(bridgecast *handle, const bridgecast_delay *reference, size_t extra) {
    bridgecast_delay delay;
    _Alignas(16) unsigned char memory[sizeof delay + MAX_EXTRA + BYTES_AFTER];
    size_t size = sizeof delay + extra;
    memset(memory, UNTOUCHED, sizeof memory);
    memcpy(memory, &size, sizeof size);
    int32_t code = forecast(handle, BALLARD, NOW + 600, -1, memory);
    if (!expect(code == BRIDGECAST_OK, "a delay of %zu more bytes: code %d", extra, code)) return;
    memcpy(&delay, memory, sizeof delay);
    expect(delay.size == size, "a delay of %zu more bytes: its size was changed", extra);
    expect(same_delay(&delay, reference), "a delay of %zu more bytes: other figures", extra);
    bool is_zero = all_are(memory + sizeof delay, extra, 0);
    expect(is_zero, "a delay of %zu more bytes: what is not known is not 0", extra);
    bool is_kept = all_are(memory + size, sizeof memory - size, UNTOUCHED);
    expect(is_kept, "a delay of %zu more bytes: bytes after it were written", extra);
}

static void delays_of_later_headers(void) {
    bridgecast *handle = opened_now();
    bridgecast_delay reference = delay_at(handle, BALLARD, NOW + 600, -1);
    for (size_t index = 0; index < COUNT(extras); index++)
        expect_larger_delay(handle, &reference, extras[index]);
    bridgecast_close(handle);
}

/* Checks a place that a plan has written, of a caller whose routes have extra bytes at their end. */
static void expect_place(const unsigned char *place, const bridgecast_route *expected, size_t extra,
                         const char *what) {
    bridgecast_route route;
    memcpy(&route, place, sizeof route);
    expect(same_route(&route, expected), "%s: another route", what);
    expect(all_are(place + sizeof route, extra, 0), "%s: what is not known is not 0", what);
}

static void expect_places(bridgecast *handle, const struct answer *whole, size_t extra, size_t capacity) {
    size_t size = sizeof(bridgecast_route) + extra, total = size * (capacity + 2), count = SIZE_MAX;
    char what[80];
    snprintf(what, sizeof what, "routes of %zu more bytes, capacity %zu", extra, capacity);
    unsigned char *places = malloc(total);
    memset(places, UNTOUCHED, total);
    memcpy(places, &size, sizeof size);
    int32_t code = plan(handle, "Ballard", "Downtown", BRIDGECAST_CAR, NOW, 0, places, capacity, &count);
    expect_code(code, BRIDGECAST_OK, what);
    expect(count == whole->count, "%s: count %zu, not %zu", what, count, whole->count);
    size_t written = capacity < whole->count ? capacity : whole->count;
    for (size_t index = 0; index < written && code == BRIDGECAST_OK; index++)
        expect_place(places + index * size, &whole->routes[index], extra, what);
    expect(!memcmp(places, &size, sizeof size), "%s: the first size was changed", what);
    size_t kept = written ? written * size : sizeof size;
    expect(all_are(places + kept, total - kept, UNTOUCHED), "%s: bytes after them were written", what);
    free(places);
}

static void expect_best_first(const struct answer *whole) {
    for (size_t index = 0; index < whole->count; index++) {
        const char *fault = fault_of_route(&whole->routes[index], NOW, 0);
        expect(!fault, "route %zu: %s", index, fault);
        bool is_behind = index == 0 || whole->routes[index - 1].score <= whole->routes[index].score;
        expect(is_behind, "route %zu is better than the one before it", index);
    }
}

static void places_for_routes(void) {
    bridgecast *handle = opened_now();
    struct answer whole = {0};
    size_t count = SIZE_MAX;
    int32_t code = plan_into(handle, "Ballard", "Downtown", BRIDGECAST_CAR, NOW, &whole);
    expect_code(code, BRIDGECAST_OK, "plan");
    bool are_some = whole.count >= 2 && whole.count <= MAX_ROUTES;
    if (!expect(are_some, "%zu routes from Ballard to Downtown", whole.count)) return;
    expect_best_first(&whole);
    code = plan(handle, "Ballard", "Downtown", BRIDGECAST_CAR, NOW, 0, NULL, 0, &count);
    expect_code(code, BRIDGECAST_OK, "capacity 0, no routes");
    expect(count == whole.count, "capacity 0, no routes: count %zu, not %zu", count, whole.count);
    for (size_t index = 0; index < COUNT(extras); index++)
        for (size_t capacity = 0; capacity <= whole.count + 1; capacity++)
            expect_places(handle, &whole, extras[index], capacity);
    bridgecast_close(handle);
}

void check_structs(void) {
    run_apart("sizes smaller than today's", sizes_smaller_than_today);
    run_apart("delays of later headers", delays_of_later_headers);
    run_apart("places for routes", places_for_routes);
}
