/* The contract of names: which texts are places, which are none, and which may be either. */
#include "check.h"
#include "values.h"

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
