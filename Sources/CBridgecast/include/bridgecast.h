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

/* ---- Tables of rows ----
 *
 * For batch jobs: columns as Apache Arrow lays them out, read where they are. A handle is given the records of openings
 * once; each row is then answered with what was known at its own issue time, and nothing later: an opening that is under
 * way has no end. Rows with the same issue time share the work, so rows in order of the issue time take less time.
 *
 * A row that cannot be answered gets a status and NaN, and the others are answered. Results do not depend on which rows
 * come together in a call, bit for bit. A call fails only for what concerns all rows: a column that is missing, offsets
 * that decrease; then nothing is written. */

/* A column of rows; rows without a value are null. */
typedef struct bridgecast_column {
    const void *values;          /* NULL: there is no such column, which some may be */
    const uint8_t *validity;     /* a bit each, from the lowest: 1 where there is a value; NULL: there are values everywhere */
    int64_t offset;              /* of the first row, in values and in bits */
} bridgecast_column;

/* The status of a row; further ones may be added. */
enum {
    BRIDGECAST_ROW_OK = 0,
    BRIDGECAST_ROW_MISSING = 1,        /* a value that is needed is null, or there are no candidates or no steps */
    BRIDGECAST_ROW_TIME = 2,           /* a time that is not in 1970 to 2099 */
    BRIDGECAST_ROW_BRIDGE = 3,         /* no bridge has this id */
    BRIDGECAST_ROW_PAST = 4,           /* the arrival or departure is before the issue time */
    BRIDGECAST_ROW_FAR = 5,            /* the arrival is more than 370 days after the issue time, the departure 366 */
    BRIDGECAST_ROW_SATURATION = 6,     /* rho is not in 0 ..< 1 */
    BRIDGECAST_ROW_MODE = 7,           /* no mode of travel has this number */
    BRIDGECAST_ROW_CANDIDATES = 8,     /* more than BRIDGECAST_MAX_CANDIDATES */
    BRIDGECAST_ROW_STEPS = 9,          /* a candidate of more than BRIDGECAST_MAX_STEPS stretches and crossings */
    BRIDGECAST_ROW_STRETCH = 10,       /* minutes or spread not in 0...1440, or a candidate of more than 1440 minutes */
    BRIDGECAST_ROW_NOT_RECORDED = 11,  /* the records do not cover the bridge at this time */
    BRIDGECAST_ROW_FAILED = 12         /* the model gave no number */
};

#define BRIDGECAST_MAX_CANDIDATES 1000
#define BRIDGECAST_MAX_STEPS 100

/* Sets the records of openings for the calls below; what was set before is replaced. Openings in any order: bridges,
 * raised and lowered, NaN where the end was not recorded; the bridge is then unknown for up to two hours. Periods in which
 * the records of a bridge (0: of all) are complete: without them a missing record means nothing, and nothing is known. They
 * must not be derived from openings that were recorded later. */
int32_t bridgecast_set_records(bridgecast *handle, size_t count, const int32_t *bridges, const double *raised,
                               const double *lowered, size_t period_count, const int32_t *period_bridges,
                               const double *period_starts, const double *period_ends);

/* The same from the city's files, CSV or JSON, as `bridgecast ingest` reads them, and a file of periods such as
 * training-data/coverage.json. Rows of the files that cannot be used are left out. */
int32_t bridgecast_read_records(bridgecast *handle, const char *const *files, size_t file_count,
                                const char *coverage);

/* Arrivals at bridges, and the delays that were forecast for them: the numbers of bridgecast_forecast. */
typedef struct bridgecast_arrivals {
    size_t size;                  /* set to sizeof(bridgecast_arrivals) */
    size_t count;
    bridgecast_column bridge;     /* int32_t */
    bridgecast_column issue_time; /* int64_t, microseconds since 1970; so are all times of rows */
    bridgecast_column arrival;
    bridgecast_column rho;        /* double; may be missing, null: the default of the hour */
    int32_t *status;              /* results of count elements; all but this one may be NULL */
    double *probability_delayed, *expected_s, *p50_s, *p80_s, *p95_s;
} bridgecast_arrivals;

int32_t bridgecast_forecast_rows(bridgecast *handle, const bridgecast_arrivals *rows);

/* Trips with their candidate routes, and the ranking of each trip's candidates, without a deadline.
 *
 * Trip t has the candidates first_candidate[t] ..< first_candidate[t + 1], candidate c has the steps first_step[c] ..<
 * first_step[c + 1]. A step is so many minutes of travel, and then the crossing of a bridge, if there is one. */
typedef struct bridgecast_trips {
    size_t size;                  /* set to sizeof(bridgecast_trips) */
    size_t count, candidate_count, step_count;
    bridgecast_column issue_time, departure; /* int64_t */
    bridgecast_column mode;       /* int32_t; may be missing: cars */
    bridgecast_column first_candidate; /* int32_t, count + 1 elements; null for a trip without candidates */
    bridgecast_column first_step; /* int32_t, candidate_count + 1 elements; null for a candidate without steps */
    bridgecast_column minutes;    /* double; null: none, if there is a bridge */
    bridgecast_column spread;     /* double, standard deviation in minutes; may be missing, null: sqrt(0.45 minutes) */
    bridgecast_column bridge;     /* int32_t; null or 0: none */
    int32_t *status;              /* count elements */
    int32_t *rank;                /* candidate_count elements, 1 for the best of a trip, 0 without a result; so are the
                                     others, of which all may be NULL */
    double *expected_s, *p50_s, *p80_s, *p90_s, *probability_stopped, *expected_delay_s;
} bridgecast_trips;

int32_t bridgecast_rank_rows(bridgecast *handle, const bridgecast_trips *rows);

/* Arrivals at bridges, and how long openings delayed them by the records: 0 where they did not. */
typedef struct bridgecast_recorded_arrivals {
    size_t size;                  /* set to sizeof(bridgecast_recorded_arrivals) */
    size_t count;
    bridgecast_column bridge;     /* int32_t */
    bridgecast_column arrival;    /* int64_t */
    bridgecast_column rho;        /* double; may be missing, null: the default of the hour */
    int32_t *status;              /* count elements, as delay_s */
    double *delay_s;
} bridgecast_recorded_arrivals;

int32_t bridgecast_delay_rows(bridgecast *handle, const bridgecast_recorded_arrivals *rows);

#ifdef __cplusplus
}
#endif
#endif
