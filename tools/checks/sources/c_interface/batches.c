/* Contracts of forecasts for many arrivals in one call: the numbers of single calls, all or nothing, what may be NULL. */
#include "check.h"
#include "values.h"

enum { MANY = 9000 }; /* more than the library computes at a time */

struct batch {
    int32_t bridges[MANY];
    double arrivals[MANY], rhos[MANY], chance[MANY], expected[MANY], p50[MANY], p80[MANY], p95[MANY];
};

static struct batch batch;

static int32_t ask(bridgecast *handle, size_t count, const double *rhos) {
    note("forecast_many(%zu)", count);
    return bridgecast_forecast_many(handle, count, batch.bridges, batch.arrivals, rhos, batch.chance, batch.expected,
                                    batch.p50, batch.p80, batch.p95);
}

static void fill(void) {
    memset(&batch, UNTOUCHED, sizeof batch);
    for (size_t row = 0; row < MANY; row++) {
        batch.bridges[row] = bridges[row % COUNT(bridges)];
        batch.arrivals[row] = NOW + (double)(row % 97) * 37;
        batch.rhos[row] = row % 3 ? (double)(row % 10) / 10 : -1;
    }
}

static void expect_single(bridgecast *handle, size_t row, double rho) {
    bridgecast_delay one = delay_at(handle, batch.bridges[row], batch.arrivals[row], rho);
    bridgecast_delay same = {.size = one.size, .probability_delayed = batch.chance[row],
                             .expected_s = batch.expected[row], .p50_s = batch.p50[row], .p80_s = batch.p80[row],
                             .p95_s = batch.p95[row]};
    expect(same_delay(&one, &same), "row %zu of a batch differs from a single call", row);
}

static void numbers_of_single_calls(void) {
    bridgecast *handle = opened_now();
    set_state(handle, BALLARD, BRIDGECAST_RAISED, NOW - 60);
    fill();
    expect_code(ask(handle, MANY, batch.rhos), BRIDGECAST_OK, "a batch");
    for (size_t row = 0; row < MANY; row += 13) expect_single(handle, row, batch.rhos[row]);
    /* Around the number of rows that are computed at a time. */
    const size_t counts[] = {1, 255, 256, 4095, 4096, 4097};
    for (size_t index = 0; index < COUNT(counts); index++) {
        fill();
        expect_code(ask(handle, counts[index], batch.rhos), BRIDGECAST_OK, "a shorter batch");
        expect_single(handle, counts[index] - 1, batch.rhos[counts[index] - 1]);
        bool is_kept = all_are((unsigned char *)(batch.p95 + counts[index]), sizeof(double), UNTOUCHED);
        expect(is_kept, "%zu rows: more were written", counts[index]);
    }
    expect_code(ask(handle, MANY, NULL), BRIDGECAST_OK, "a batch with the saturation of the hour");
    for (size_t row = 0; row < MANY; row += 101) expect_single(handle, row, -1);
    bridgecast_close(handle);
}

static bool is_untouched(void) {
    return all_are((unsigned char *)batch.chance, sizeof batch.chance, UNTOUCHED) &&
           all_are((unsigned char *)batch.p95, sizeof batch.p95, UNTOUCHED);
}

static void expect_refused_row(bridgecast *handle, size_t row, const char *what) {
    char index[40];
    snprintf(index, sizeof index, "%zu", row);
    expect_usage(handle, ask(handle, MANY, batch.rhos), what);
    expect(strstr(bridgecast_error(handle), index) != NULL, "%s: the text does not name row %zu: %s", what, row,
           bridgecast_error(handle));
    expect(is_untouched(), "%s: something was written", what);
}

static void all_or_nothing(void) {
    bridgecast *handle = opened_now();
    fill();
    batch.bridges[8999] = 5;
    expect_refused_row(handle, 8999, "an unknown bridge in the last row");
    fill();
    batch.arrivals[4321] = NOW - 1;
    expect_refused_row(handle, 4321, "an arrival before now");
    fill();
    batch.rhos[17] = 1;
    expect_refused_row(handle, 17, "a saturation of 1");
    for (size_t index = 0; index < COUNT(no_times); index++) {
        fill();
        batch.arrivals[5000] = no_times[index];
        expect_refused_row(handle, 5000, "an arrival that is no time");
    }
    bridgecast_close(handle);
}

static void what_may_be_null(void) {
    bridgecast *handle = opened_now();
    fill();
    expect_code(bridgecast_forecast_many(handle, 3, batch.bridges, batch.arrivals, NULL, NULL, batch.expected, NULL, NULL,
                                         NULL), BRIDGECAST_OK, "means alone");
    expect(!all_are((unsigned char *)batch.expected, 3 * sizeof(double), UNTOUCHED), "the means were not written");
    expect(all_are((unsigned char *)(batch.expected + 3), sizeof(double), UNTOUCHED), "more than the count was written");
    expect_code(ask(handle, 0, NULL), BRIDGECAST_OK, "no rows");
    int32_t code = bridgecast_forecast_many(handle, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    expect_code(code, BRIDGECAST_OK, "no rows, and NULL for all");
    code = bridgecast_forecast_many(handle, 3, NULL, batch.arrivals, NULL, NULL, NULL, NULL, NULL, NULL);
    expect_usage(handle, code, "no bridges");
    expect_usage(handle, ask(handle, (size_t)-1, NULL), "a count that no memory has");
    expect_code(ask(NULL, 3, NULL), BRIDGECAST_USAGE, "a batch without a handle");
    bridgecast_close(handle);
    handle = opened();
    expect_usage(handle, ask(handle, 3, NULL), "a batch before set_time");
    bridgecast_close(handle);
}

void check_batches(void) {
    run_apart("a batch has the numbers of single calls", numbers_of_single_calls);
    run_apart("a batch is answered whole or not at all", all_or_nothing);
    run_apart("results of a batch that are not wanted may be NULL", what_may_be_null);
}
