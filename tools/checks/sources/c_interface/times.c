/* Contracts of times, of the degree of saturation, and of states and openings, which set_time forgets. */
#include "check.h"
#include "values.h"

static int32_t with_since(bridgecast *handle, double value) {
    return set_state(handle, BALLARD, BRIDGECAST_RAISED, value);
}

static int32_t with_raised(bridgecast *handle, double value) {
    return add_opening(handle, BALLARD, value, NOW - 300, NOW - 7200);
}

static int32_t with_lowered(bridgecast *handle, double value) {
    return add_opening(handle, BALLARD, NOW - 600, value, NOW - 7200);
}

static int32_t with_observed_since(bridgecast *handle, double value) {
    return add_opening(handle, BALLARD, NOW - 600, NOW - 300, value);
}

static int32_t with_arrival(bridgecast *handle, double value) {
    bridgecast_delay delay = {.size = sizeof delay};
    return forecast(handle, BALLARD, value, -1, &delay);
}

static int32_t with_departure(bridgecast *handle, double value) {
    size_t count = 0;
    return plan(handle, "Ballard", "Downtown", BRIDGECAST_CAR, value, 0, NULL, 0, &count);
}

static int32_t with_deadline(bridgecast *handle, double value) {
    size_t count = 0;
    return plan(handle, "Ballard", "Downtown", BRIDGECAST_CAR, NOW + 60, value, NULL, 0, &count);
}

static const struct time_parameter {
    const char *name;
    int32_t (*call)(bridgecast *handle, double value);
    double good;
} time_parameters[] = {
    {"now", set_time, NOW},
    {"since", with_since, NOW - 60},
    {"raised", with_raised, NOW - 900},
    {"lowered", with_lowered, NOW - 60},
    {"observed_since", with_observed_since, NOW - 10800},
    {"arrival", with_arrival, NOW + 60},
    {"departure", with_departure, NOW + 60},
    {"deadline", with_deadline, NOW + 3600},
};

/* A call that failed is refused as a whole: what is known stays as it was. */
static void expect_refused(const struct time_parameter *parameter, double value) {
    bridgecast *handle = opened_now();
    char what[80];
    snprintf(what, sizeof what, "%s %g", parameter->name, value);
    set_state(handle, BALLARD, BRIDGECAST_LOWERED, 0);
    bridgecast_delay before = delay_at(handle, BALLARD, NOW + 600, -1);
    int32_t code = parameter->call(handle, value);
    expect_usage(handle, code, what);
    if (code != BRIDGECAST_OK) {
        bridgecast_delay after = delay_at(handle, BALLARD, NOW + 600, -1);
        expect(same_delay(&before, &after), "%s: refused, but forecasts have changed", what);
    }
    bridgecast_close(handle);
}

static void times_that_are_none(void) {
    for (size_t which = 0; which < COUNT(time_parameters); which++)
        for (size_t index = 0; index < COUNT(no_times); index++)
            expect_refused(&time_parameters[which], no_times[index]);
}

static void times_that_are_good(void) {
    bridgecast *handle = opened_now();
    for (size_t which = 0; which < COUNT(time_parameters); which++) {
        const struct time_parameter *parameter = &time_parameters[which];
        expect_code(parameter->call(handle, parameter->good), BRIDGECAST_OK, parameter->name);
    }
    expect_code(with_since(handle, 0), BRIDGECAST_OK, "since 0");
    expect_code(with_observed_since(handle, 0), BRIDGECAST_OK, "observed_since 0");
    expect_code(with_deadline(handle, 0), BRIDGECAST_OK, "deadline 0");
    bridgecast_close(handle);
}

static void times_out_of_order(void) {
    bridgecast *handle = opened_now();
    expect_usage(handle, with_departure(handle, NOW - 1), "a departure before now");
    expect_usage(handle, with_departure(handle, 0), "a departure in 1970");
    expect_usage(handle, with_arrival(handle, NOW - 1), "an arrival before now");
    expect_usage(handle, with_arrival(handle, 0), "an arrival in 1970");
    expect_usage(handle, with_deadline(handle, NOW + 59), "a deadline a second before the departure");
    expect_usage(handle, with_deadline(handle, NOW - 3600), "a deadline an hour before the departure");
    expect_usage(handle, with_deadline(handle, 1), "a deadline in 1970");
    expect_usage(handle, with_lowered(handle, NOW - 601), "lowered a second before raised");
    expect_usage(handle, with_lowered(handle, 0), "lowered in 1970");
    expect_usage(handle, with_raised(handle, NOW - 299), "raised a second after lowered");
    bridgecast_close(handle);
}

static void degrees_of_saturation(void) {
    const double bad[] = {NAN, -NAN, INFINITY, 1, 1.5, 1e300, 0.99999999999, nextafter(1, 0)};
    const double ignored[] = {-1, -0.5, -1e-300, -1e300, -INFINITY};
    const double good[] = {0, -0.0, 1e-300, 0.5, 0.999, 0.9999999};
    bridgecast *handle = opened_now();
    bridgecast_delay delay = {.size = sizeof delay}, reference = delay_at(handle, BALLARD, NOW + 600, -1);
    char what[80];
    for (size_t index = 0; index < COUNT(bad); index++) {
        snprintf(what, sizeof what, "rho %.17g", bad[index]);
        expect_usage(handle, forecast(handle, BALLARD, NOW + 600, bad[index], &delay), what);
    }
    for (size_t index = 0; index < COUNT(ignored); index++) {
        delay = delay_at(handle, BALLARD, NOW + 600, ignored[index]);
        expect(same_delay(&delay, &reference), "rho %g is not replaced by the default", ignored[index]);
    }
    for (size_t index = 0; index < COUNT(good); index++) delay_at(handle, BALLARD, NOW + 600, good[index]);
    bridgecast_close(handle);
}

void check_times(void) {
    run_apart("times that are none", times_that_are_none);
    run_apart("times that are good", times_that_are_good);
    run_apart("times out of order", times_out_of_order);
    run_apart("degrees of saturation", degrees_of_saturation);
}

enum { MONTLAKE = 4, UNIVERSITY = 21 };

static void set_time_forgets(void) {
    bridgecast *handle = opened_now();
    bridgecast_delay fresh = delay_at(handle, BALLARD, NOW + 120, -1);
    expect_code(set_state(handle, BALLARD, BRIDGECAST_RAISED, NOW - 60), BRIDGECAST_OK, "set_state");
    bridgecast_delay raised = delay_at(handle, BALLARD, NOW + 120, -1);
    expect(raised.probability_delayed > fresh.probability_delayed, "a raised bridge delays no more than any");
    expect_code(set_time(handle, NOW), BRIDGECAST_OK, "set_time");
    bridgecast_delay again = delay_at(handle, BALLARD, NOW + 120, -1);
    expect(same_delay(&fresh, &again), "set_time has not forgotten a state");
    bridgecast_close(handle);
}

static bool are_apart(bridgecast *one, bridgecast *other, int32_t bridge, double arrival) {
    bridgecast_delay of_one = delay_at(one, bridge, arrival, -1);
    bridgecast_delay of_other = delay_at(other, bridge, arrival, -1);
    return !same_delay(&of_one, &of_other);
}

/* Openings are known even of a bridge whose state is unknown. */
static void opening_without_a_state(void) {
    bridgecast *informed = opened_now(), *plain = opened_now();
    int32_t code = add_opening(informed, UNIVERSITY, NOW - 900, NOW - 600, NOW - 3 * 3600);
    expect_code(code, BRIDGECAST_OK, "add_opening");
    bool is_changed = false;
    for (int minutes = 5; minutes <= 15; minutes += 5) {
        is_changed |= are_apart(informed, plain, UNIVERSITY, NOW + 60 * minutes);
        is_changed |= are_apart(informed, plain, MONTLAKE, NOW + 60 * minutes);
    }
    expect(is_changed, "an opening of University, 15 minutes ago, changes no forecast there nor at Montlake");
    bridgecast_close(informed);
    bridgecast_close(plain);
}

void check_what_is_known(void) {
    run_apart("set_time forgets", set_time_forgets);
    run_apart("an opening without a state", opening_without_a_state);
}
