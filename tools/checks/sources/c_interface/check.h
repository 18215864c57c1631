/* What the checks of bridgecast.h share: the command line, calls of the library, expectations. */
#ifndef CHECK_H
#define CHECK_H

#define _GNU_SOURCE
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bridgecast.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define NOW 1752354000.0 /* a Saturday in July 2025, 14:00 in Seattle: bridges open for any boat */

enum { BALLARD = 2, MAX_ROUTES = 16, SHARING_THREADS = 8, LONE_THREADS = 4 };

/* Memory is filled before a call; structs of later headers have more bytes, and more after them. */
enum { UNTOUCHED = 0xAA, MAX_EXTRA = 64, BYTES_AFTER = 64 };

/* The command line. */
extern const char *model_path, *text_path;
extern double seconds;
extern uint64_t seed;

/* Counts of all processes. */
struct tally {
    atomic_long calls, failures, random_calls, hammer_rate, contracts;
    char last_call[400];
};

extern struct tally *tally;
extern _Thread_local bool is_one_of_many; /* its calls are counted, not remembered */

/* The contracts, by theme; each runs in a process of its own. */
void check_arguments(void);
void check_times(void);
void check_what_is_known(void);
void check_structs(void);
void check_names(void);
void check_batches(void);
void check_rows(void);
void check_random_calls(void);
void check_many_threads(void);

/* main.c: failures are counted, and reported with the contract's name. */
bool share_tally(void);
void run_apart(const char *name, void (*check)(void));
__attribute__((format(printf, 2, 3))) bool expect(bool holds, const char *format, ...);
__attribute__((format(printf, 1, 2))) void note(const char *format, ...);

/* main.c: calls of the library are counted, and the last is remembered. */
bridgecast *open_model(const char *path, int32_t *code, char *error, size_t capacity);
int32_t set_time(bridgecast *handle, double now);
int32_t set_state(bridgecast *handle, int32_t bridge, int32_t state, double since);
int32_t add_opening(bridgecast *handle, int32_t bridge, double raised, double lowered, double observed);
int32_t forecast(bridgecast *handle, int32_t bridge, double arrival, double rho, void *delay);
int32_t plan(bridgecast *handle, const char *from, const char *to, int32_t mode, double departure,
             double deadline, void *routes, size_t capacity, size_t *count);
int32_t plan_nothing(bridgecast *handle, const char *from, const char *to, int32_t mode);

/* Of one time: a forecast, and a plan with all its routes. */
struct answer {
    bridgecast_delay delay;
    bridgecast_route routes[MAX_ROUTES];
    size_t count;
};

int32_t plan_into(bridgecast *handle, const char *from, const char *to, int32_t mode, double now,
                  struct answer *answer);

/* answers.c: calls that have to succeed, or to be refused. */
bridgecast *opened(void);
bridgecast *opened_now(void);
bridgecast_delay delay_at(bridgecast *handle, int32_t bridge, double arrival, double rho);
void expect_code(int32_t code, int32_t expected, const char *what);
void expect_usage(bridgecast *handle, int32_t code, const char *what);

/* answers.c: what is wrong with an answer, or NULL; whether two are the same, bit by bit, sizes aside. */
const char *fault_of_delay(const bridgecast_delay *delay);
const char *fault_of_route(const bridgecast_route *route, double departure, double deadline);
bool same_delay(const bridgecast_delay *one, const bridgecast_delay *other);
bool same_route(const bridgecast_route *one, const bridgecast_route *other);

bool is_utf8(const char *text);
bool all_are(const unsigned char *bytes, size_t count, unsigned char value);

/* fuzz.c: random arguments, valid ones more often than not. */
extern uint64_t random_state;
uint64_t random_number(uint64_t below);
double random_time(void);
double random_past(void);
double random_past_or_none(void);
double random_rho(void);
int32_t random_bridge(void);
int32_t random_kind(void);
const char *random_place(void);
size_t random_size(size_t today);

static inline double monotonic_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#endif
