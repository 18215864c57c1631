/* Contracts of opening a model, of error texts, of names, and of arguments that are missing or unknown. */
#include "check.h"
#include "values.h"

static void expect_not_opened(const char *path, int32_t expected, const char *what) {
    char error[512];
    int32_t code = -1;
    memset(error, UNTOUCHED, sizeof error);
    expect(!open_model(path, &code, error, sizeof error), "%s: a handle came", what);
    expect_code(code, expected, what);
    bool has_end = memchr(error, 0, sizeof error) != NULL;
    expect(has_end && error[0] && is_utf8(error), "%s: the error's text is missing or no UTF-8", what);
    expect(!open_model(path, NULL, NULL, 100), "%s: a handle came where nothing but the path is given", what);
}

static void opening_a_model(void) {
    expect(strcmp(bridgecast_version(), BRIDGECAST_VERSION) == 0, "version %s, not %s", bridgecast_version(),
           BRIDGECAST_VERSION);
    expect(bridgecast_abi() == BRIDGECAST_ABI, "ABI %d, not %d", bridgecast_abi(), BRIDGECAST_ABI);
    expect_not_opened("/nowhere/at/all.bcm", BRIDGECAST_MISSING, "a model that is not there");
    expect_not_opened(NULL, BRIDGECAST_USAGE, "no model");
    expect_not_opened(text_path, BRIDGECAST_DATA, "a text file as model");
    expect_not_opened("/dev/null", BRIDGECAST_DATA, "an empty file as model");
    expect_not_opened("/", BRIDGECAST_DATA, "a folder as model");
    expect(!open_model("", NULL, NULL, 0), "an empty path: a handle came");
    bridgecast *handle = open_model(model_path, NULL, NULL, 0);
    expect(handle, "a model opened with nothing but its path: no handle");
    bridgecast_close(handle);
    bridgecast_close(NULL);
}

static void expect_cut(const char *path, const char *whole, size_t capacity) {
    char text[512];
    int32_t code = -1;
    memset(text, UNTOUCHED, sizeof text);
    expect(!open_model(path, &code, text, capacity), "a handle came");
    bool is_kept = all_are((unsigned char *)text + capacity, sizeof text - capacity, UNTOUCHED);
    expect(is_kept, "capacity %zu: bytes after it were written", capacity);
    if (capacity == 0) return;
    if (!expect(memchr(text, 0, capacity), "capacity %zu: no zero at the end", capacity)) return;
    expect(is_utf8(text), "capacity %zu: the text is no UTF-8", capacity);
    expect(!strncmp(text, whole, strlen(text)), "capacity %zu: not the text's beginning", capacity);
    expect(capacity < 5 || text[0], "capacity %zu: no text", capacity);
}

static void error_text_cut_to_capacity(void) {
    char path[200] = "/nowhere/", whole[4096] = "";
    while (strlen(path) < 150) strcat(path, "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    expect(!open_model(path, NULL, whole, sizeof whole), "a handle came");
    for (size_t capacity = 0; capacity < 300; capacity++) expect_cut(path, whole, capacity);
}

static void calls_without_a_handle(void) {
    bridgecast_delay delay = {.size = sizeof delay};
    expect_code(set_time(NULL, NOW), BRIDGECAST_USAGE, "set_time without a handle");
    int32_t code = set_state(NULL, BALLARD, BRIDGECAST_LOWERED, 0);
    expect_code(code, BRIDGECAST_USAGE, "set_state without a handle");
    expect_code(add_opening(NULL, BALLARD, 1, 2, 0), BRIDGECAST_USAGE, "add_opening without a handle");
    expect_code(forecast(NULL, BALLARD, NOW, -1, &delay), BRIDGECAST_USAGE, "forecast without a handle");
    expect_code(plan_nothing(NULL, "Ballard", "Downtown", 0), BRIDGECAST_USAGE, "plan without a handle");
    const char *text = bridgecast_error(NULL);
    expect(!text || is_utf8(text), "the error's text without a handle is no UTF-8");
}

static void nothing_in_place_of_pointers(void) {
    bridgecast_route route = {.size = sizeof route};
    size_t count = 0;
    calls_without_a_handle();
    bridgecast *handle = opened_now();
    expect_usage(handle, forecast(handle, BALLARD, NOW, -1, NULL), "forecast without a delay");
    expect_usage(handle, plan_nothing(handle, NULL, "Downtown", 0), "plan without from");
    expect_usage(handle, plan_nothing(handle, "Ballard", NULL, 0), "plan without to");
    int32_t code = plan(handle, "Ballard", "Downtown", BRIDGECAST_CAR, NOW, 0, &route, 1, NULL);
    expect_usage(handle, code, "plan without count");
    code = plan(handle, "Ballard", "Downtown", BRIDGECAST_CAR, NOW, 0, NULL, 1, &count);
    expect_usage(handle, code, "plan without routes");
    bridgecast_close(handle);
}

static void expect_no_bridge(bridgecast *handle, int32_t bridge) {
    bridgecast_delay delay = {.size = sizeof delay};
    char what[80];
    snprintf(what, sizeof what, "bridge %d", bridge);
    expect_usage(handle, set_state(handle, bridge, BRIDGECAST_LOWERED, 0), what);
    expect_usage(handle, add_opening(handle, bridge, NOW - 600, NOW - 300, 0), what);
    expect_usage(handle, forecast(handle, bridge, NOW + 60, -1, &delay), what);
}

static void expect_no_kind(bridgecast *handle, int32_t kind) {
    char what[80];
    snprintf(what, sizeof what, "state or mode %d", kind);
    expect_usage(handle, set_state(handle, BALLARD, kind, 0), what);
    expect_usage(handle, plan_nothing(handle, "Ballard", "Downtown", kind), what);
}

static void unknown_numbers(void) {
    const int32_t no_kinds[] = {-1, 3, INT32_MAX, INT32_MIN};
    bridgecast *handle = opened_now();
    for (size_t index = 0; index < COUNT(no_bridges); index++) expect_no_bridge(handle, no_bridges[index]);
    for (size_t index = 0; index < COUNT(no_kinds); index++) expect_no_kind(handle, no_kinds[index]);
    bridgecast_close(handle);
}

static void forecast_before_set_time(void) {
    bridgecast *handle = opened();
    bridgecast_delay delay = {.size = sizeof delay};
    expect_usage(handle, forecast(handle, BALLARD, NOW, -1, &delay), "forecast before set_time");
    expect_usage(handle, plan_nothing(handle, "Ballard", "Downtown", 0), "plan before set_time");
    bridgecast_close(handle);
}

void check_arguments(void) {
    run_apart("opening a model", opening_a_model);
    run_apart("an error's text cut to capacity", error_text_cut_to_capacity);
    run_apart("NULL for a pointer", nothing_in_place_of_pointers);
    run_apart("unknown numbers", unknown_numbers);
    run_apart("forecast before set_time", forecast_before_set_time);
}

static const char *const places[] = {"Ballard", "ballard", "47.66,-122.38", " 47.66 , -122.38 "};

/* The library may see what is meant, or not. */
static const char *const perhaps_places[] = {
    "\"Ballard\"", "\"Ball\"ard\"\"", "Ballard\xFF", "Ballard\xE2\x82",
};

static void names_of_places(void) {
    bridgecast *handle = opened_now();
    char what[80];
    for (size_t index = 0; index < COUNT(no_places); index++) {
        snprintf(what, sizeof what, "place %zu as origin", index);
        expect_usage(handle, plan_nothing(handle, no_places[index], "Downtown", 0), what);
        snprintf(what, sizeof what, "place %zu as destination", index);
        expect_usage(handle, plan_nothing(handle, "Downtown", no_places[index], 0), what);
    }
    for (size_t index = 0; index < COUNT(perhaps_places); index++) {
        int32_t code = plan_nothing(handle, perhaps_places[index], "Downtown", 0);
        snprintf(what, sizeof what, "place %zu that may be one", index);
        if (code != BRIDGECAST_OK) expect_usage(handle, code, what);
    }
    for (size_t index = 0; index < COUNT(places); index++)
        expect_code(plan_nothing(handle, places[index], "Downtown", 0), BRIDGECAST_OK, places[index]);
    bridgecast_close(handle);
}

void check_names(void) { run_apart("names of places", names_of_places); }
