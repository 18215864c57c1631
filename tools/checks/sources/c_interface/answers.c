/* Calls that have to succeed or fail, what every forecast and route has to be, and when two are the same. */
#include "check.h"
#include "values.h"

/* How many bytes the character at a place has, 0 if it is none. */
static int character_length(const unsigned char *place) {
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (place[0] < 0x80) return 1;
    if (place[0] < 0xC0 || place[0] >= 0xF8) return 0;
    int length = place[0] < 0xE0 ? 2 : place[0] < 0xF0 ? 3 : 4;
    uint32_t character = place[0] & (0x7F >> length);
    for (int index = 1; index < length; index++) {
        if ((place[index] & 0xC0) != 0x80) return 0;
        character = character << 6 | (place[index] & 0x3F);
    }
    bool is_surrogate = character >= 0xD800 && character < 0xE000;
    return character < smallest[length] || character > 0x10FFFF || is_surrogate ? 0 : length;
}

/* Of a text that ends with a zero; no character reaches past that. */
bool is_utf8(const char *text) {
    const unsigned char *place = (const unsigned char *)text;
    while (*place) {
        int length = character_length(place);
        if (length == 0) return false;
        place += length;
    }
    return true;
}

bool all_are(const unsigned char *bytes, size_t count, unsigned char value) {
    for (size_t index = 0; index < count; index++)
        if (bytes[index] != value) return false;
    return true;
}

void expect_code(int32_t code, int32_t expected, const char *what) {
    expect(code == expected, "%s: code %d, not %d", what, code, expected);
}

/* That a call has failed, and left a text of why. */
void expect_usage(bridgecast *handle, int32_t code, const char *what) {
    expect_code(code, BRIDGECAST_USAGE, what);
    const char *text = code == BRIDGECAST_OK ? "-" : bridgecast_error(handle);
    expect(text && text[0] && is_utf8(text), "%s: the error's text is missing or no UTF-8", what);
}

bridgecast *opened(void) {
    char error[512] = "";
    int32_t code = -1;
    bridgecast *handle = open_model(model_path, &code, error, sizeof error);
    if (expect(handle && code == BRIDGECAST_OK, "%s: code %d, %s", model_path, code, error)) return handle;
    exit(1);
}

bridgecast *opened_now(void) {
    bridgecast *handle = opened();
    expect_code(set_time(handle, NOW), BRIDGECAST_OK, "set_time");
    return handle;
}

bridgecast_delay delay_at(bridgecast *handle, int32_t bridge, double arrival, double rho) {
    bridgecast_delay delay = {.size = sizeof delay};
    int32_t code = forecast(handle, bridge, arrival, rho, &delay);
    expect(code == BRIDGECAST_OK, "forecast at %d, rho %g: code %d", bridge, rho, code);
    const char *fault = code == BRIDGECAST_OK ? fault_of_delay(&delay) : NULL;
    expect(!fault, "forecast at %d, rho %g: %s", bridge, rho, fault);
    return delay;
}

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
    if (crossing->arrival < departure - 1) return "a crossing is before the departure";
    if (!is_share(crossing->probability_delayed)) return "a crossing's probability is not 0...1";
    if (!is_amount(crossing->expected_delay_s)) return "a crossing's delay is no amount";
    return NULL;
}

static const char *fault_of_crossings(const bridgecast_route *route, double departure) {
    if (route->crossing_count < 0 || route->crossing_count > BRIDGECAST_MAX_CROSSINGS)
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

/* Compares the bytes of two structs from one offset to another. */
static bool same_bytes(const void *one, const void *other, size_t start, size_t end) {
    return !memcmp((const char *)one + start, (const char *)other + start, end - start);
}

bool same_delay(const bridgecast_delay *one, const bridgecast_delay *other) {
    return same_bytes(one, other, offsetof(bridgecast_delay, probability_delayed), sizeof *one);
}

/* Leaves out the padding between fields, here and below. */
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
