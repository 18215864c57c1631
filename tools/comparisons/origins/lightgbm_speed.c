// Times LightGBM and its compiled trees call by call, as `bridgecast bench` times our networks: rows and results in
// place, one reading of the clock in each time. lightgbm_speed.py compiles and calls it.
#include <math.h>
#include <stdint.h>
#include <time.h>

// The function that lleaves compiles: margins of rows begin up to, not including, end.
typedef void (*compiled_trees)(const void *rows, void *margins, int32_t begin, int32_t end);
// LightGBM's C API: LGBM_BoosterPredictForMatSingleRowFast and LGBM_BoosterPredictForMat.
typedef int (*lightgbm_row)(void *prepared, const void *row, int64_t *length, double *margin);
typedef int (*lightgbm_rows)(void *booster, const void *rows, int type, int32_t count, int32_t width, int row_major,
                             int predict_type, int first_tree, int trees, const char *options, int64_t *length,
                             double *margins);

enum { FLOAT64 = 1, ROW_MAJOR = 1, RAW_SCORE = 1, ALL_TREES = -1 };

typedef enum { COMPILED_FLOAT32, COMPILED_FLOAT64, LIGHTGBM } kind;

// What runs, and on which rows. Call k of a round takes the rows from (k * step) modulo `rows` on.
typedef struct {
    int32_t kind;
    int32_t width;       // inputs of a row
    int32_t rows;        // different rows
    int32_t batch;       // rows of a call
    int32_t step;        // 0: every call has the same rows
    void *function;      // compiled_trees, lightgbm_row or lightgbm_rows
    void *handle;        // LightGBM's: prepared for one row, or the booster
    const void *inputs;  // [rows + batch, width], of the kind's number type
    const double *prior; // [rows + batch], log-odds
    void *margins;       // [batch], of the kind's number type
    double *chances;     // [batch], the result
} contender;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int run_lightgbm(const contender *c, const double *rows) {
    int64_t length = 0;
    if (c->batch == 1) return ((lightgbm_row)c->function)(c->handle, rows, &length, c->margins);
    return ((lightgbm_rows)c->function)(c->handle, rows, FLOAT64, c->batch, c->width, ROW_MAJOR, RAW_SCORE, 0, ALL_TREES,
                                        "num_threads=1", &length, c->margins);
}

// One call for the rows from `first` on: margins of the trees, then the chance of a delay, as our network's probabilities
// include their prior. Not 0 if LightGBM failed.
int predict(const contender *c, int32_t first) {
    const double *prior = c->prior + first;
    int status = 0;
    if (c->kind == COMPILED_FLOAT32) {
        ((compiled_trees)c->function)((const float *)c->inputs + (int64_t)first * c->width, c->margins, 0, c->batch);
        const float *margins = c->margins;
        for (int32_t k = 0; k < c->batch; k++) c->chances[k] = 1 / (1 + exp(-margins[k] - prior[k]));
        return 0;
    }
    const double *rows = (const double *)c->inputs + (int64_t)first * c->width;
    if (c->kind == LIGHTGBM) {
        status = run_lightgbm(c, rows);
    } else {
        ((compiled_trees)c->function)(rows, c->margins, 0, c->batch);
    }
    const double *margins = c->margins;
    for (int32_t k = 0; k < c->batch; k++) c->chances[k] = 1 / (1 + exp(-margins[k] - prior[k]));
    return status;
}

// Nanoseconds of each of `calls` calls, after as many untimed ones, at most 100; not 0 if LightGBM failed.
int time_calls(const contender *c, int64_t calls, uint64_t *nanoseconds) {
    int status = 0;
    int32_t first = 0;
    for (int64_t k = 0; k < calls && k < 100; k++) status |= predict(c, 0);
    for (int64_t k = 0; k < calls; k++) {
        uint64_t start = now();
        status |= predict(c, first);
        nanoseconds[k] = now() - start;
        first = (first + c->step) % c->rows;
    }
    return status;
}
