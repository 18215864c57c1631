/* Random arguments, the same for the same seed: most make sense, some do not. */
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
    const size_t odd[] = {0, 1, today - 1, today - 8, today + 8, today + MOST_EXTRA};
    return random_number(8) ? today : odd[random_number(COUNT(odd))];
}
