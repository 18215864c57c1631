// The kernels of routes: tables of delays, and how long routes take.
#include "check.h"

// Means are sums over up to so many cells: they differ by a few roundings of the longest time. Percentiles differ by
// more where hardly anything arrives.
static void compare_figures(bck_isa isa, const bck_route_figures *a, const bck_route_figures *b, size_t cells) {
    const double tolerance = 5e-6 * (double)cells;
    compare("f32_routes, mean", names[isa], &a->mean, &b->mean, 1, tolerance);
    compare("f32_routes, percentiles", names[isa], &a->p50, &b->p50, 4, 2e-2);
    compare("f32_routes, probabilities and delay", names[isa], &a->by_deadline, &b->by_deadline, 3, tolerance);
}

// Random routes in buffers of exactly the size that BridgecastEngine gives them.
static void check_some(bck_isa isa, float longest, float widest) {
    const bck_kernels *plain = bck_kernels_of(BCK_SCALAR), *fast = bck_kernels_of(isa);
    enum { R = 40, TABLES = 3, LEADS = 5, STRETCHES = 16 };
    bck_route_step steps[R * 9];
    uint32_t starts[R + 1] = {0};
    // What BridgecastEngine/RouteScoring's RouteSet.Extent makes room for.
    float broadest = 3;
    size_t cells = 0, crossing_count = 0;
    for (size_t r = 0, n = 0; r < R; r++) {
        size_t crossings = next() % 5;
        float end = 0;
        for (size_t c = 0; c <= crossings; c++) {
            float mean = longest * uniform() + 0.01f, spread = mean * widest * uniform();
            steps[n++] = (bck_route_step){mean, spread, -1};
            end += mean + 6 * spread + 3;
            float own = (mean < 4 * spread ? mean : 4 * spread) + 6 * spread + 4;
            if (own > broadest) broadest = own;
            if (c < crossings) steps[n++] = (bck_route_step){0, 0, (int32_t)(next() % TABLES)};
        }
        crossing_count += crossings;
        size_t delay = crossings * BCK_LONGEST_DELAY;
        size_t arrivals = (size_t)end + (delay < BCK_MOST_DELAY ? delay : BCK_MOST_DELAY) + 4;
        if (arrivals > cells) cells = arrivals;
        starts[r + 1] = (uint32_t)n;
    }
    size_t width = cells + (broadest > BCK_LONGEST_DELAY ? (size_t)broadest : BCK_LONGEST_DELAY) + 64;
    size_t stride = (cells + BCK_ROUTE_MARGIN + 15) / 16 * 16;
    size_t table_floats = (TABLES * BCK_DELAY_ROWS + 1) * stride + 2 * BCK_ROUTE_MARGIN;
    float *tables[2], *floats[2];
    bck_route_memory memory[2];
    bck_route_figures *figures[2];
    bck_crossing_figures *crossings[2];
    float leads[LEADS] = {-3, 4.5f, 20, 77, cells * 0.9f}, rows[LEADS * BCK_DELAY_ROWS];
    for (int side = 0; side < 2; side++) {
        tables[side] = part(table_floats * 4);
        floats[side] = part(bck_route_memory_floats(STRETCHES, width) * 4);
        memory[side] = bck_route_memory_at(floats[side], STRETCHES, width);
        figures[side] = part(R * sizeof(bck_route_figures));
        crossings[side] = part(crossing_count * sizeof(bck_crossing_figures));
    }
    bck_route_delays delays[2] = {{tables[0], stride, cells}, {tables[1], stride, cells}};
    for (size_t t = 0; t < TABLES; t++) {
        for (size_t l = 0; l < LEADS; l++) {
            float *row = rows + l * BCK_DELAY_ROWS, chance = uniform();
            row[0] = row[2] = 1 - chance;
            row[1] = chance * 5;
            for (int j = 1; j < BCK_DELAY_ATOMS; j++) row[2 + j] = chance / (BCK_DELAY_ATOMS - 1);
        }
        plain->f32_delay_table(LEADS, leads, rows, &delays[0], t);
        fast->f32_delay_table(LEADS, leads, rows, &delays[1], t);
    }
    plain->f32_routes(R, starts, steps, &delays[0], longest, &memory[0], figures[0], crossings[0]);
    // The second time finds some of what the first one kept.
    for (int turn = 0; turn < 2; turn++) {
        fast->f32_routes(R, starts, steps, &delays[1], longest, &memory[1], figures[1],
                         turn ? crossings[1] : NULL);
        for (size_t r = 0; r < R; r++) compare_figures(isa, &figures[1][r], &figures[0][r], cells);
    }
    compare("f32_routes, crossings", names[isa], (float *)crossings[1], (float *)crossings[0],
            crossing_count * sizeof(bck_crossing_figures) / sizeof(float), 5e-6 * (double)cells);
    void *all[] = {tables[0],  tables[1],  floats[0],    floats[1],
                   figures[0], figures[1], crossings[0], crossings[1]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
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
