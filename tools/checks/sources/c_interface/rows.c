/* Contracts of tables of rows: the numbers of single calls, a status for rows that cannot be answered, and random columns, for
 * which nothing crashes and nothing is written beyond the rows. */
#include "check.h"
#include "values.h"

enum { ROWS = 300, CANDIDATES = 2 * ROWS, STEPS = 3 * CANDIDATES, MICROSECONDS = 1000000 };

struct table {
    int32_t bridge[ROWS], mode[ROWS], first_candidate[ROWS + 1], first_step[CANDIDATES + 1], at[STEPS];
    int64_t issued[ROWS], arrival[ROWS];
    double rho[ROWS], minutes[STEPS], spread[STEPS];
    uint8_t validity[STEPS / 8 + 1];
    int32_t status[ROWS + 1], rank[CANDIDATES + 1];
    double numbers[6][CANDIDATES + 1];
};

static struct table table;

static bridgecast_column column(const void *values, const uint8_t *validity) {
    return (bridgecast_column){.values = values, .validity = validity};
}

static bridgecast_arrivals arrivals(const uint8_t *validity) {
    return (bridgecast_arrivals){
        .size = sizeof(bridgecast_arrivals), .count = ROWS, .bridge = column(table.bridge, validity),
        .issue_time = column(table.issued, validity), .arrival = column(table.arrival, validity),
        .rho = column(table.rho, validity), .status = table.status, .probability_delayed = table.numbers[0],
        .expected_s = table.numbers[1], .p50_s = table.numbers[2], .p80_s = table.numbers[3], .p95_s = table.numbers[4]};
}

static bridgecast_trips trips(const uint8_t *validity) {
    return (bridgecast_trips){
        .size = sizeof(bridgecast_trips), .count = ROWS, .candidate_count = CANDIDATES, .step_count = STEPS,
        .issue_time = column(table.issued, validity), .departure = column(table.arrival, validity),
        .mode = column(table.mode, validity), .first_candidate = column(table.first_candidate, validity),
        .first_step = column(table.first_step, validity), .minutes = column(table.minutes, validity),
        .spread = column(table.spread, validity), .bridge = column(table.at, validity), .status = table.status,
        .rank = table.rank, .expected_s = table.numbers[0], .p50_s = table.numbers[1], .p80_s = table.numbers[2],
        .p90_s = table.numbers[3], .probability_stopped = table.numbers[4], .expected_delay_s = table.numbers[5]};
}

static void fill(void) {
    memset(&table, UNTOUCHED, sizeof table);
    for (size_t row = 0; row < ROWS; row++) {
        table.bridge[row] = bridges[row % COUNT(bridges)];
        table.mode[row] = (int32_t)(row % 3);
        table.issued[row] = (int64_t)(NOW + (double)(row % 5) * 60) * MICROSECONDS;
        table.arrival[row] = table.issued[row] + (int64_t)(row % 97) * 37 * MICROSECONDS;
        table.rho[row] = (double)(row % 10) / 10;
    }
    for (size_t row = 0; row <= ROWS; row++) table.first_candidate[row] = (int32_t)(2 * row);
    for (size_t candidate = 0; candidate <= CANDIDATES; candidate++) table.first_step[candidate] = (int32_t)(3 * candidate);
    for (size_t step = 0; step < STEPS; step++) {
        table.minutes[step] = 1 + (double)(step % 11);
        table.spread[step] = 0.5;
        table.at[step] = step % 3 ? 0 : bridges[step % COUNT(bridges)];
    }
}

static void numbers_of_single_calls(void) {
    bridgecast *handle = opened();
    fill();
    bridgecast_arrivals rows = arrivals(NULL);
    note("forecast_rows");
    expect_code(bridgecast_forecast_rows(handle, &rows), BRIDGECAST_OK, "rows");
    for (size_t row = 0; row < ROWS; row++) {
        set_time(handle, (double)(table.issued[row] / MICROSECONDS));
        bridgecast_delay one = delay_at(handle, table.bridge[row], (double)(table.arrival[row] / MICROSECONDS), table.rho[row]);
        bridgecast_delay same = {.size = one.size, .probability_delayed = table.numbers[0][row],
                                 .expected_s = table.numbers[1][row], .p50_s = table.numbers[2][row],
                                 .p80_s = table.numbers[3][row], .p95_s = table.numbers[4][row]};
        expect(table.status[row] == BRIDGECAST_ROW_OK, "row %zu has status %d", row, table.status[row]);
        expect(same_delay(&one, &same), "row %zu differs from a single call", row);
    }
    bridgecast_close(handle);
}

static void ranks_of_candidates(void) {
    bridgecast *handle = opened();
    fill();
    table.at[3] = 5; /* a step of the first trip's second candidate */
    bridgecast_trips rows = trips(NULL);
    rows.p50_s = NULL;
    note("rank_rows");
    expect_code(bridgecast_rank_rows(handle, &rows), BRIDGECAST_OK, "trips");
    expect(table.status[0] == BRIDGECAST_ROW_BRIDGE, "an unknown bridge has status %d", table.status[0]);
    expect(isnan(table.numbers[0][0]) && table.rank[0] == 0, "a trip that is not ranked has numbers");
    for (size_t row = 1; row < ROWS; row++) {
        int32_t one = table.rank[2 * row], other = table.rank[2 * row + 1];
        expect(one + other == 3 && one * other == 2, "trip %zu: ranks %d and %d", row, one, other);
        double best = table.numbers[0][2 * row + (one != 1)];
        expect(best > 0 && best < 86400, "trip %zu takes %g seconds", row, best);
    }
    expect(all_are((unsigned char *)table.numbers[1], sizeof table.numbers[1], UNTOUCHED), "what is not wanted was written");
    bridgecast_close(handle);
}

static void tables_that_are_refused(void) {
    bridgecast *handle = opened();
    fill();
    bridgecast_arrivals rows = arrivals(NULL);
    rows.size = sizeof rows - 1;
    expect_usage(handle, bridgecast_forecast_rows(handle, &rows), "rows of another size");
    expect_usage(handle, bridgecast_forecast_rows(handle, NULL), "no rows");
    rows = arrivals(NULL);
    rows.bridge.values = NULL;
    expect_usage(handle, bridgecast_forecast_rows(handle, &rows), "rows without bridges");
    bridgecast_trips others = trips(NULL);
    table.first_step[7] = 0;
    expect_usage(handle, bridgecast_rank_rows(handle, &others), "offsets that decrease");
    fill();
    table.first_candidate[ROWS] = CANDIDATES + 1;
    expect_usage(handle, bridgecast_rank_rows(handle, &others), "offsets beyond the candidates");
    expect(table.status[0] != BRIDGECAST_ROW_OK, "a table that was refused was answered");
    expect_code(bridgecast_rank_rows(NULL, &others), BRIDGECAST_USAGE, "trips without a handle");
    expect_usage(handle, bridgecast_read_records(handle, NULL, 0, NULL), "no files of records");
    expect_usage(handle, bridgecast_set_records(handle, 1, NULL, NULL, NULL, 0, NULL, NULL, NULL), "openings without arrays");
    bridgecast_close(handle);
}

static void spoil(void *memory, size_t bytes) {
    unsigned char *byte = memory;
    for (size_t index = random_number(64); index < bytes; index += 1 + random_number(200)) byte[index] = (unsigned char)random_number(256);
}

static void random_columns(void) {
    bridgecast *handle = opened();
    random_state = seed;
    for (int turn = 0; turn < 200; turn++) {
        fill();
        memset(table.validity, 0xFF, sizeof table.validity);
        spoil(table.validity, sizeof table.validity);
        spoil(table.bridge, sizeof table.bridge + sizeof table.mode);
        spoil(table.at, (size_t)((char *)table.validity - (char *)table.at));
        if (random_number(2)) spoil(table.first_step, sizeof table.first_step);
        bridgecast_arrivals rows = arrivals(table.validity);
        bridgecast_trips others = trips(random_number(2) ? table.validity : NULL);
        note("random rows %d", turn);
        expect_code(bridgecast_forecast_rows(handle, &rows), BRIDGECAST_OK, "random rows");
        int32_t code = bridgecast_rank_rows(handle, &others);
        expect(code == BRIDGECAST_OK || code == BRIDGECAST_USAGE, "random trips: code %d", code);
        expect(all_are((unsigned char *)&table.status[ROWS], sizeof(int32_t), UNTOUCHED), "a status beyond the rows was written");
        expect(all_are((unsigned char *)&table.rank[CANDIDATES], sizeof(int32_t), UNTOUCHED), "a rank beyond the rows was written");
    }
    bridgecast_close(handle);
}

void check_rows(void) {
    run_apart("rows have the numbers of single calls", numbers_of_single_calls);
    run_apart("candidates of trips are ranked", ranks_of_candidates);
    run_apart("tables that are none are refused", tables_that_are_refused);
    run_apart("random columns", random_columns);
}
