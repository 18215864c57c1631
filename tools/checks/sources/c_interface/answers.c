/* What every forecast and every route has to be, and when two are the same. */
#include "check.h"
#include "values.h"

static bool is_share(double value) { return value >= 0 && value <= 1; }
static bool is_amount(double value) { return isfinite(value) && value >= 0; }

static bool is_bridge(int32_t number) {
    for (size_t index = 0; index < COUNT(bridges); index++)
        if (bridges[index] == number) return true;
    return false;
}

const char *fault_of_delay(const bridgecast_delay *delay) {
    if (!is_share(delay->probability_delayed)) return "probability_delayed is not 0...1";
    if (!is_amount(delay->expected_s)) return "expected_s is no amount";
    if (!is_amount(delay->p50_s) || !is_amount(delay->p95_s)) return "a quantile is no amount";
    if (!(delay->p50_s <= delay->p80_s && delay->p80_s <= delay->p95_s)) return "quantiles do not rise";
    return NULL;
}

static const char *fault_of_crossing(const bridgecast_crossing *crossing, double departure) {
    if (!is_bridge(crossing->bridge)) return "a crossing has an unknown bridge";
    if (!isfinite(crossing->arrival)) return "a crossing's arrival is not finite";
    /* The library may count in whole seconds. */
    if (crossing->arrival < departure - 1) return "a crossing lies before the departure";
    if (!is_share(crossing->probability_delayed)) return "a crossing's probability is not 0...1";
    if (!is_amount(crossing->expected_delay_s)) return "a crossing's delay is no amount";
    return NULL;
}

static const char *fault_of_crossings(const bridgecast_route *route, double departure) {
    if (route->crossing_count < 0 || route->crossing_count > BRIDGECAST_MOST_CROSSINGS)
        return "crossing_count is not 0...8";
    for (int32_t index = 0; index < route->crossing_count; index++) {
        const char *fault = fault_of_crossing(&route->crossings[index], departure);
        if (fault) return fault;
    }
    return NULL;
}

const char *fault_of_route(const bridgecast_route *route, double departure, double deadline) {
    if (!memchr(route->name, 0, sizeof route->name)) return "the name has no end";
    /* It may be empty: a trip of a few hundred metres uses no road that gives a route its name. */
    if (!is_utf8(route->name)) return "the name is no UTF-8";
    if (!is_amount(route->expected_s) || !is_amount(route->p50_s)) return "expected_s or p50_s is no amount";
    if (!(route->p50_s <= route->p80_s && route->p80_s <= route->p90_s && route->p90_s <= route->p95_s))
        return "quantiles do not rise";
    if (!is_amount(route->p95_s)) return "p95_s is no amount";
    if (!is_share(route->probability_stopped)) return "probability_stopped is not 0...1";
    if (!is_share(route->probability_on_time)) return "probability_on_time is not 0...1";
    if (deadline == 0 && route->probability_on_time != 1) return "no deadline, but not surely on time";
    if (!is_amount(route->expected_delay_s)) return "expected_delay_s is no amount";
    if (!isfinite(route->score)) return "the score is not finite";
    return fault_of_crossings(route, departure);
}

/* Compares what lies in two structs from one place to another. */
static bool same_bytes(const void *one, const void *other, size_t start, size_t end) {
    return !memcmp((const char *)one + start, (const char *)other + start, end - start);
}

bool same_delay(const bridgecast_delay *one, const bridgecast_delay *other) {
    return same_bytes(one, other, offsetof(bridgecast_delay, probability_delayed), sizeof *one);
}

/* Leaves out what lies between fields, here and below. */
static bool same_crossing(const bridgecast_crossing *one, const bridgecast_crossing *other) {
    return one->bridge == other->bridge
        && same_bytes(one, other, offsetof(bridgecast_crossing, arrival), sizeof *one);
}

bool same_route(const bridgecast_route *one, const bridgecast_route *other) {
    size_t start = offsetof(bridgecast_route, expected_s), end = offsetof(bridgecast_route, crossing_count);
    if (strncmp(one->name, other->name, sizeof one->name)) return false;
    if (!same_bytes(one, other, start, end) || one->crossing_count != other->crossing_count) return false;
    for (int32_t index = 0; index < one->crossing_count; index++)
        if (!same_crossing(&one->crossings[index], &other->crossings[index])) return false;
    return true;
}
