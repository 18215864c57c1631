/* Contracts of times, one parameter after another, and of the degree of saturation. */
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
    const double usual[] = {-1, -0.5, -1e-300, -1e300, -INFINITY};
    const double good[] = {0, -0.0, 1e-300, 0.5, 0.999, 0.9999999};
    bridgecast *handle = opened_now();
    bridgecast_delay delay = {.size = sizeof delay}, reference = delay_at(handle, BALLARD, NOW + 600, -1);
    char what[80];
    for (size_t index = 0; index < COUNT(bad); index++) {
        snprintf(what, sizeof what, "rho %.17g", bad[index]);
        expect_usage(handle, forecast(handle, BALLARD, NOW + 600, bad[index], &delay), what);
    }
    for (size_t index = 0; index < COUNT(usual); index++) {
        delay = delay_at(handle, BALLARD, NOW + 600, usual[index]);
        expect(same_delay(&delay, &reference), "rho %g is not the usual one", usual[index]);
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
