// The kernels of routes: tables of delays, and how long routes take.
#include "check.h"

// Random routes in buffers of exactly the size that BridgecastEngine gives them.
static void check_some(bck_isa isa, float longest, float widest) {
    const bck_kernels *plain = bck_kernels_of(BCK_SCALAR), *fast = bck_kernels_of(isa);
    enum { R = 40, TABLES = 3, LEADS = 5 };
    bck_route_step steps[R * 9];
    uint32_t starts[R + 1] = {0};
    float latest = 0, broadest = 3;
    size_t crossing_count = 0;
    for (size_t r = 0, n = 0; r < R; r++) {
        size_t crossings = next() % 5;
        float end = 0;
        for (size_t c = 0; c <= crossings; c++) {
            float mean = longest * uniform() + 0.01f, spread = mean * widest * uniform();
            steps[n++] = (bck_route_step){mean, spread, -1};
            end += mean + 6 * spread + 3;
            float cells = (mean < 4 * spread ? mean : 4 * spread) + 6 * spread + 4;
            if (cells > broadest) broadest = cells;
            if (c < crossings) steps[n++] = (bck_route_step){0, 0, (int32_t)(next() % TABLES)};
        }
        crossing_count += crossings;
        if (end > latest) latest = end;
        starts[r + 1] = (uint32_t)n;
    }
    size_t cells = (size_t)latest + 94;
    size_t width = cells + (broadest > BCK_LONGEST_DELAY ? (size_t)broadest : BCK_LONGEST_DELAY) + 64;
    size_t stride = cells + BCK_ROUTE_MARGIN;
    size_t floats = (TABLES * BCK_DELAY_ROWS + 1) * stride + 2 * BCK_ROUTE_MARGIN;
    float *tables[2], *scratch = part(bck_route_scratch_floats(width) * 4);
    bck_route_figures *figures[2];
    bck_crossing_figures *found = part(crossing_count * sizeof *found + 1);
    float leads[LEADS] = {-3, 4.5f, 20, 77, cells * 0.9f}, rows[LEADS * BCK_DELAY_ROWS];
    for (int side = 0; side < 2; side++) {
        tables[side] = part(floats * 4);
        memset(tables[side], 0, floats * 4);
        figures[side] = part(R * sizeof(bck_route_figures));
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
    plain->f32_routes(R, starts, steps, &delays[0], longest, width, figures[0], NULL, scratch);
    fast->f32_routes(R, starts, steps, &delays[1], longest, width, figures[1], found, scratch);
    compare("f32_routes", names[isa], (float *)figures[1], (float *)figures[0],
            R * sizeof(bck_route_figures) / 4, 2e-3);
    void *all[] = {tables[0], tables[1], figures[0], figures[1], scratch, found};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

void check_routes(bck_isa isa) {
    for (int turn = 0; turn < 60; turn++) {
        const float longest[] = {0.6f, 12, 300}, widest[] = {0.01f, 0.3f, 1};
        check_some(isa, longest[turn % 3], widest[turn / 3 % 3]);
    }
}
