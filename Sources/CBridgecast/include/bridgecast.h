/* Bridgecast for programs that are not written in Swift: forecasts and routes, in process.
 *
 * Stable: functions and structs do not change within one BRIDGECAST_ABI; structs grow only at their end, and
 * each begins with its size, which the caller sets: programs built with an older header keep working, and those built
 * with a later one get 0 in members this library does not know. All text is UTF-8 and ends with a zero. Times are seconds
 * since 1970-01-01 UTC. A handle may be used from any thread; concurrent calls wait for each other. Nothing
 * here writes files or talks to a network.
 */
#ifndef BRIDGECAST_H
#define BRIDGECAST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header, by semantic versioning; that of the library is bridgecast_version(). */
#define BRIDGECAST_VERSION "0.9.0"
#define BRIDGECAST_ABI 1
#define BRIDGECAST_NAME 128
#define BRIDGECAST_MAX_CROSSINGS 8

typedef struct bridgecast bridgecast;

/* Return values; bridgecast_error has the details. */
enum {
    BRIDGECAST_OK = 0,
    BRIDGECAST_USAGE = 64,   /* an argument makes no sense: unknown bridge or place, departure before now */
    BRIDGECAST_DATA = 65,    /* the model file is invalid */
    BRIDGECAST_MISSING = 66  /* the file does not exist */
};

enum { BRIDGECAST_UNKNOWN = 0, BRIDGECAST_LOWERED = 1, BRIDGECAST_RAISED = 2 };
enum { BRIDGECAST_CAR = 0, BRIDGECAST_BIKE = 1, BRIDGECAST_WALK = 2 };

/* The delay of a vehicle that arrives at a bridge. */
typedef struct bridgecast_delay {
    size_t size;                 /* set to sizeof(bridgecast_delay) */
    double probability_delayed;  /* 0...1 */
    double expected_s;
    double p50_s, p80_s, p95_s;
} bridgecast_delay;

/* A crossing of a route. */
typedef struct bridgecast_crossing {
    int32_t bridge;              /* the city's id: 2 Ballard, 3 Fremont, 21 University, 4 Montlake, 6 Lower
                                    Spokane St, 1 1st Ave South, 29 South Park */
    double arrival;              /* expected */
    double probability_delayed;
    double expected_delay_s;
} bridgecast_crossing;

/* A route with its figures. */
typedef struct bridgecast_route {
    size_t size;                 /* set to sizeof(bridgecast_route) in the first of an array */
    char name[BRIDGECAST_NAME];
    double expected_s, p50_s, p80_s, p90_s, p95_s;
    double probability_stopped;
    double probability_on_time;  /* 1 without a deadline */
    double expected_delay_s;
    double score;                /* weighted minutes, less is better */
    int32_t crossing_count;
    bridgecast_crossing crossings[BRIDGECAST_MAX_CROSSINGS];
} bridgecast_route;

/* BRIDGECAST_ABI of the library, to compare with that of this header. */
int32_t bridgecast_abi(void);

/* The version of the library, such as "0.9.0"; valid for ever. */
const char *bridgecast_version(void);

/* Loads a model file. NULL if that fails; then *code is the reason and, if error is not NULL, its first
 * capacity bytes hold the message. */
bridgecast *bridgecast_open(const char *model, int32_t *code, char *error, size_t capacity);

/* Frees a handle; NULL is allowed. */
void bridgecast_close(bridgecast *handle);

/* The message of the last call on this handle that failed; valid until the next call. */
const char *bridgecast_error(const bridgecast *handle);

/* Sets the issue time of forecasts and clears the states and openings; set them again with the two functions below. */
int32_t bridgecast_set_time(bridgecast *handle, double now);

/* Sets the state of a bridge; since: when it was raised, or 0 if unknown. */
int32_t bridgecast_set_state(bridgecast *handle, int32_t bridge, int32_t state, double since);

/* Adds a recent opening that is over. observed_since: since when every opening is known, 0 if unknown. Openings also
 * count for a bridge without a state; observed for an hour, it is then taken to be lowered. */
int32_t bridgecast_add_opening(bridgecast *handle, int32_t bridge, double raised, double lowered,
                               double observed_since);

/* The delay at a bridge for an arrival at a time not before now; rho: degree of saturation of the approach,
 * 0 ..< 1, or negative for the default of the hour. */
int32_t bridgecast_forecast(bridgecast *handle, int32_t bridge, double arrival, double rho,
                            bridgecast_delay *delay);

/* The delays for many arrivals in one call: the numbers of bridgecast_forecast, bit for bit, in less time. Each
 * array has count elements. rhos may be NULL: the default of the hour everywhere. Of the five arrays of results those
 * that are not wanted may be NULL, and with a count of 0 all may be. If a request is refused, none is answered and
 * nothing is written; the message has its index, from 0. */
int32_t bridgecast_forecast_many(bridgecast *handle, size_t count, const int32_t *bridges,
                                 const double *arrivals, const double *rhos, double *probability_delayed,
                                 double *expected_s, double *p50_s, double *p80_s, double *p95_s);

/* Reads the roads for bridgecast_plan. By default they are roads/seattle.roads next to the model file, read at the first
 * plan. */
int32_t bridgecast_set_roads(bridgecast *handle, const char *path);

/* The routes between two places (names, or "latitude,longitude") for a departure not before now, the best
 * first. deadline: when to arrive, 0 for none. *count is set to their number; at most capacity are written. */
int32_t bridgecast_plan(bridgecast *handle, const char *from, const char *to, int32_t mode,
                        double departure, double deadline, bridgecast_route *routes, size_t capacity,
                        size_t *count);

#ifdef __cplusplus
}
#endif
#endif
