/* The bridges there are, and values that are no bridge, no time and no place. */
#ifndef VALUES_H
#define VALUES_H

#include <float.h>
#include <math.h>
#include <stdint.h>

#define TEN_TIMES(text) text text text text text text text text text text
#define TEN_THOUSAND_TIMES(text) TEN_TIMES(TEN_TIMES(TEN_TIMES(TEN_TIMES(text))))

static const int32_t bridges[] = {2, 3, 21, 4, 6, 1, 29};
static const int32_t no_bridges[] = {-1, 0, 5, 22, 1000, INT32_MAX, INT32_MIN};

static const double no_times[] = {
    NAN, -NAN, INFINITY, -INFINITY, 1e300, -1e300, DBL_MAX, 9.3e18, 1e19, -1, -1e-9, -1e10,
};

/* The long ones are at the end. */
enum { LONG_PLACES = 3 };
static const char *const no_places[] = {
    "", " ", "\t\n", ",", "\"", "'; DROP TABLE bridges; --", "\"Atlan\"tis\"\"", "%s%n%s%n", "../../etc",
    "\xFF\xFE\x80", "Atlantis\xFF", "Atlantis\xE2\x82", "\xC0\x80", "\xED\xA0\x80", "\xF0\x9F\x98\x80",
    "\x1B[2J", "nan,nan", "inf,-inf", "1e308,1e308", "0,0", "90,180", "-122.38,47.66", "47.66,-122.38,0",
    "47.66", TEN_THOUSAND_TIMES("x"), TEN_THOUSAND_TIMES("\xC3\xA9"), "a" TEN_THOUSAND_TIMES("\xCC\x81"),
};

#endif
