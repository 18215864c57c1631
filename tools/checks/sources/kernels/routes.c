// The kernels of routes: tables of delays, and how long routes take.
#include "check.h"

// Means are sums over up to `cells` cells: they differ by a few roundings of the longest time. Percentiles differ by
// more where the distribution is thin.
static void compare_figures(bck_isa isa, const bck_route_figures *a, const bck_route_figures *b, size_t cells) {
    const double tolerance = 5e-6 * (double)cells;
    compare("f32_routes, mean", names[isa], &a->mean, &b->mean, 1, tolerance);
    compare("f32_routes, percentiles", names[isa], &a->p50, &b->p50, 4, 2e-2);
    compare("f32_routes, probabilities and delay", names[isa], &a->by_deadline, &b->by_deadline, 3, tolerance);
}

enum { R = 40, TABLES = 3, LEADS = 5, STRETCHES = 16 };

// Random routes, and the room that BridgecastEngine makes for them.
typedef struct {
    bck_route_step steps[R * 9];
    uint32_t starts[R + 1];
    float broadest;
    size_t cells, crossings;
} random_routes;

static random_routes make_routes(float longest, float widest) {
    random_routes made = {.broadest = 3};
    for (size_t r = 0, n = 0; r < R; r++) {
        size_t crossings = next() % 5;
        float end = 0;
        for (size_t c = 0; c <= crossings; c++) {
            float mean = longest * uniform() + 0.01f, spread = mean * widest * uniform();
            made.steps[n++] = (bck_route_step){mean, spread, -1};
            end += mean + 6 * spread + 3;
            float own = (mean < 4 * spread ? mean : 4 * spread) + 6 * spread + 4;
            if (own > made.broadest) made.broadest = own;
            if (c < crossings) made.steps[n++] = (bck_route_step){0, 0, (int32_t)(next() % TABLES)};
        }
        made.crossings += crossings;
        size_t delay = crossings * BCK_MAX_DELAY;
        size_t arrivals = (size_t)end + (delay < BCK_MAX_ROUTE_DELAY ? delay : BCK_MAX_ROUTE_DELAY) + 4;
        if (arrivals > made.cells) made.cells = arrivals;
        made.starts[r + 1] = (uint32_t)n;
    }
    return made;
}

// Buffers of exactly the size that BridgecastEngine gives a kernel.
typedef struct {
    float *table, *floats;
    bck_route_delays delays;
    bck_route_memory memory;
    bck_route_figures *figures;
    bck_crossing_figures *crossings;
} route_buffers;

static route_buffers make_buffers(const random_routes *routes) {
    size_t width = routes->cells + (routes->broadest > BCK_MAX_DELAY ? (size_t)routes->broadest : BCK_MAX_DELAY) + 64;
    size_t stride = (routes->cells + BCK_ROUTE_MARGIN + 15) / 16 * 16;
    float *table = part(((TABLES * BCK_DELAY_ROWS + 1) * stride + 2 * BCK_ROUTE_MARGIN) * 4);
    float *floats = part(bck_route_memory_floats(STRETCHES, width) * 4);
    return (route_buffers){.table = table,
                           .floats = floats,
                           .delays = {table, stride, routes->cells},
                           .memory = bck_route_memory_at(floats, STRETCHES, width),
                           .figures = part(R * sizeof(bck_route_figures)),
                           .crossings = part(routes->crossings * sizeof(bck_crossing_figures))};
}

static void free_buffers(route_buffers *buffers) {
    free(buffers->table);
    free(buffers->floats);
    free(buffers->figures);
    free(buffers->crossings);
}

// The same random delays in the tables of both.
static void fill_tables(bck_isa isa, size_t cells, route_buffers *plain, route_buffers *fast) {
    float leads[LEADS] = {-3, 4.5f, 20, 77, cells * 0.9f}, rows[LEADS * BCK_DELAY_ROWS];
    for (size_t t = 0; t < TABLES; t++) {
        for (size_t l = 0; l < LEADS; l++) {
            float *row = rows + l * BCK_DELAY_ROWS, chance = uniform();
            row[0] = row[2] = 1 - chance;
            row[1] = chance * 5;
            for (int j = 1; j < BCK_DELAY_ATOMS; j++) row[2 + j] = chance / (BCK_DELAY_ATOMS - 1);
        }
        bck_kernels_of(BCK_SCALAR)->f32_delay_table(LEADS, leads, rows, &plain->delays, t);
        bck_kernels_of(isa)->f32_delay_table(LEADS, leads, rows, &fast->delays, t);
    }
}

static void check_some(bck_isa isa, float longest, float widest) {
    const random_routes routes = make_routes(longest, widest);
    route_buffers plain = make_buffers(&routes), fast = make_buffers(&routes);
    fill_tables(isa, routes.cells, &plain, &fast);
    bck_kernels_of(BCK_SCALAR)
        ->f32_routes(R, routes.starts, routes.steps, &plain.delays, longest, &plain.memory, plain.figures, plain.crossings);
    // The second time finds some of what the first one kept.
    for (int turn = 0; turn < 2; turn++) {
        bck_kernels_of(isa)->f32_routes(R, routes.starts, routes.steps, &fast.delays, longest, &fast.memory, fast.figures,
                                        turn ? fast.crossings : NULL);
        for (size_t r = 0; r < R; r++) compare_figures(isa, &fast.figures[r], &plain.figures[r], routes.cells);
    }
    compare("f32_routes, crossings", names[isa], (float *)fast.crossings, (float *)plain.crossings,
            routes.crossings * sizeof(bck_crossing_figures) / sizeof(float), 5e-6 * (double)routes.cells);
    free_buffers(&plain);
    free_buffers(&fast);
}

// A route's figures do not depend on a longer one scored before, whatever its length and wherever the deadline: on
// routes of one stretch, some of which fill the blocks of 48 cells that are computed at a time.
static void check_company(bck_isa isa) {
    enum { CELLS = 240, WIDTH = CELLS + 200 };
    const bck_route_delays delays = {NULL, CELLS + BCK_ROUTE_MARGIN, CELLS};
    const size_t bytes = bck_route_memory_floats(2, WIDTH) * sizeof(float);
    float *floats = part(bytes);
    const bck_route_memory memory = bck_route_memory_at(floats, 2, WIDTH);
    for (int i = 0; i < 200; i++) {
        const bck_route_step steps[2] = {{60, 20, -1}, {10 + 0.25f * (float)i, 6, -1}};
        for (float deadline = 30.5f; deadline < 100; deadline++) {
            bck_route_figures alone, both[2];
            const uint32_t one[] = {1, 2}, two[] = {0, 1, 2};
            memset(floats, 0, bytes);
            bck_kernels_of(isa)->f32_routes(1, one, steps, &delays, deadline, &memory, &alone, NULL);
            bck_kernels_of(isa)->f32_routes(2, two, steps, &delays, deadline, &memory, both, NULL);
            compare_bytes("f32_routes, in company", names[isa], &both[1], &alone, sizeof alone);
        }
    }
    free(floats);
}

void check_routes(bck_isa isa) {
    check_company(isa);
    for (int turn = 0; turn < 60; turn++) {
        const float longest[] = {0.6f, 12, 300}, widest[] = {0.01f, 0.3f, 1};
        check_some(isa, longest[turn % 3], widest[turn / 3 % 3]);
    }
}
