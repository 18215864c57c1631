// Travel times of routes: a template. Each <instruction set>/routes.c includes it after its own target attribute, so that
// all of it is compiled for that instruction set, and names the kernels by BCK_ROUTES_KERNEL. It is written with the
// compiler's vectors of 16 floats, which are split into what the instruction set has. What the kernels take and give is
// in include/bck_routes.h.
//
// Chapters: route_travel.h (stretches and convolution), route_delays.h (delays at crossings); here the quantiles, and the
// way through a route.
#ifndef BCK_TEMPLATE_ROUTES_H
#define BCK_TEMPLATE_ROUTES_H

#include "route_delays.h"

/// Makes the lanes sums of those up to them.
BCK_INLINE v16 running(v16 x, v16 zero) {
    x += JOIN(zero, x, 1);
    x += JOIN(zero, x, 2);
    x += JOIN(zero, x, 4);
    x += JOIN(zero, x, 8);
    return x;
}

/// A density and its sums by cell, from a cell on; nothing before, and all of it up to `count`.
typedef struct summed {
    const float *p, *sums;
    int32_t low, count;
} summed;

/// P(duration <= cell), by the sum up to it with the end correction of Euler and Maclaurin.
BCK_INLINE float cumulative_at(const summed *f, int i) {
    if (i < 0) return 0;
    if (i >= f->count) return 1;
    return f->sums[i] - f->p[i] * 0.5f - (f->p[i + 1] - f->p[i - 1]) * (1.0f / 24);
}

/// A cubic through two values with two slopes, in 0...1: the distribution function from cell i to the next. Its
/// slopes are the density. `TravelTimeDistribution.Piece` (BridgecastRouting/Ranking/TravelTimes.swift) is the same in
/// Swift, and so are its quantiles: a change here is one there.
typedef struct cubic {
    float value, slope, square, cube;
} cubic;

BCK_INLINE cubic between(const summed *f, int i) {
    float a = cumulative_at(f, i), d = cumulative_at(f, i + 1) - a;
    float from = i < 0 ? 0 : f->p[i], to = i + 1 < f->count ? f->p[i + 1] : 0;
    return (cubic){a, from, 3 * d - 2 * from - to, from + to - 2 * d};
}

/// P(duration <= x), x in cells.
BCK_INLINE float cumulative(const summed *f, float x) {
    float within = x - f->low;
    if (!(within > -1)) return 0;
    if (within >= f->count) return 1;
    int i = (int)(within + 1) - 1;
    cubic c = between(f, i);
    float t = within - i, y = c.value + t * (c.slope + t * (c.square + t * c.cube));
    return y < 0 ? 0 : y > 1 ? 1 : y;
}

#define LEVELS 4
static const v4 levels = {0.5f, 0.8f, 0.9f, 0.95f};

/// P(duration <= cell) for four cells, as `cumulative_at`, from what lies at them, before and after.
BCK_INLINE v4 four_cumulative(v4i cell, int32_t count, v4 sums, v4 before, v4 here, v4 after) {
    const v4 zero = {0};
    v4 value = sums - here * 0.5f - (after - before) * (1.0f / 24);
    return choose(cell < 0, zero, choose(cell < count, value, zero + 1.0f));
}

/// The durations in cells that are not exceeded with these probabilities; `below` counts the sums below each.
BCK_INLINE v4 quantiles(const summed *f, v4i below) {
    // By cell from two before `below` on: densities and sums.
    v4 p[5], sums[5];
    for (int q = 0; q < LEVELS; q++) {
        for (int i = 0; i < 5; i++) p[i][q] = f->p[below[q] - 2 + i];
        for (int i = 1; i < 4; i++) sums[i][q] = f->sums[below[q] - 2 + i];
    }
    v4 a = four_cumulative(below - 1, f->count, sums[1], p[0], p[1], p[2]);
    v4 b = four_cumulative(below, f->count, sums[2], p[1], p[2], p[3]);
    v4 c = four_cumulative(below + 1, f->count, sums[3], p[2], p[3], p[4]);
    // Sums reach p at `below`; the distribution function there is less by half a cell's share.
    const v4i earlier = b >= levels;
    const v4 zero = {0}, one = zero + 1.0f;
    for (int i = 1; i < 4; i++) p[i] = choose(below + (i - 2) < f->count, p[i], zero);
    const v4 value = choose(earlier, a, b), rise = choose(earlier, b, c) - value;
    const v4 from = choose(earlier, p[1], p[2]), to = choose(earlier, p[2], p[3]);
    const v4 square = 3 * rise - 2 * from - to, cube = from + to - 2 * rise;
    v4i rises = rise > zero;
    v4 t = choose(rises, (levels - value) / choose(rises, rise, one), one * 0.5f);
    for (int step = 0; step < 2; step++) {
        v4 slope = from + t * (2 * square + t * 3 * cube);
        v4 miss = value + t * (from + t * (square + t * cube)) - levels;
        v4i steep = slope > 1e-9f;
        t -= choose(steep, miss / choose(steep, slope, one), zero);
        t = choose(t < zero, zero, choose(t > one, one, t));
    }
    return __builtin_convertvector(below + earlier + f->low, v4) + t;
}

/// A single stretch that is narrower than a cell: as if it were normal.
static void conclude_narrow(float mean, float spread, float deadline, bck_route_figures *figures) {
    *figures = (bck_route_figures){
        .mean = mean,
        .p50 = mean,
        .p80 = mean + 0.8416f * spread,
        .p90 = mean + 1.2816f * spread,
        .p95 = mean + 1.6449f * spread,
        .by_deadline = spread > 0 ? 0.5f * erfcf((mean - deadline) / (spread * 1.41421356f))
                                  : deadline >= mean,
        .unstopped = 1,
    };
}

/// Vectors that are computed at a time at the end of a route.
#define BLOCK 3

/// The end of a route: the delay at its last crossing, if `table` is not NULL, and the stretch after that. Only as
/// many cells are computed as the quantiles and the deadline need; all of them if `all` is not NULL.
BCK_INLINE void conclude(const window *f, const float *table, size_t stride, const bck_stretch *k,
                         float whole, int32_t cells, float deadline, float *delayed, float *density,
                         float *sums, bck_route_figures *figures, bck_route_cells *all) {
    const float scale = 1 / (whole * k->mass);
    const int n = vectors(f);
    delaying d = {{{0}}, 0};
    window g = *f, out;
    if (table) {
        g.p = delayed;
        g.end += BCK_MAX_DELAY;
    }
    begin(&out, g.first + k->first, g.end + k->first + k->count - 1);
    if (out.end > cells) out.end = cells;
    const int32_t count = out.end - out.low;
    // Cells that must be known: two more than the last that is looked at.
    const float last = deadline < out.end ? deadline + 4 : 0;
    float before = 0;
    v16i low = {0}, high = {0};
    const v16 zero = load(f->p - LANES);
    for (int32_t i = 0; i < count; i += BLOCK * LANES) {
        const int32_t o = out.low + i;
        if (table) {
            while (d.done < n + 4 && g.low + d.done * LANES < o + BLOCK * LANES - k->first) {
                delay_next(f, n, table, stride, &g, &d);
            }
            if (d.done == n + 4) {
                clear_after(&g);
                d.done++;
            }
        }
        v16 shares[BLOCK];
        convolve_blocks(&g, k, o, BLOCK, shares);
        for (int b = 0; b < BLOCK; b++) {
            v16 share = shares[b] * scale, up_to = running(share, zero) + before;
            before = up_to[15];
            store(density + i + b * LANES, share);
            store(sums + i + b * LANES, up_to);
            // Two numbers of lanes below a level in each lane.
            low -= (v16i)(up_to < levels[0]) + ((v16i)(up_to < levels[1]) << 16);
            high -= (v16i)(up_to < levels[2]) + ((v16i)(up_to < levels[3]) << 16);
        }
        if (!all && sums[i + BLOCK * LANES - 3] >= 0.95f && (float)(o + BLOCK * LANES) > last) break;
    }
    // The last cell is looked at with the one after it, which is an earlier route's where the blocks end with `count`.
    density[count] = 0;
    const int32_t two = total(low), four = total(high);
    const v4i below = {two & 0xffff, two >> 16, four & 0xffff, four >> 16};
    const summed s = {density, sums, out.low, count};
    v4 times = quantiles(&s, below);
    figures->p50 = times[0];
    figures->p80 = times[1];
    figures->p90 = times[2];
    figures->p95 = times[3];
    figures->by_deadline = deadline < out.end ? cumulative(&s, deadline) : 1;
    if (all) *all = (bck_route_cells){density, sums, out.low, count};
}

BCK_INLINE void swap(window *a, window *b) {
    window c = *a;
    *a = *b;
    *b = c;
}

/// Where the distribution of a route ends at the latest, in cells: with all its stretches long, and a day of delays.
typedef struct extent {
    double latest;
    int32_t crossings;
} extent;

BCK_INLINE int32_t last_cell(const extent *e, const bck_route_delays *delays) {
    int32_t delay = e->crossings < BCK_MAX_ROUTE_DELAY / BCK_MAX_DELAY
                        ? e->crossings * BCK_MAX_DELAY : BCK_MAX_ROUTE_DELAY;
    int32_t cells = (int32_t)e->latest + delay + 4;
    return cells < (int32_t)delays->cells ? cells : (int32_t)delays->cells;
}

BCK_INLINE void add_stretch(extent *e, const bck_route_step *step) {
    e->latest += (double)step->mean + 6 * (double)step->spread + 3;
}

/// A route as far as it has been followed: what is under way, all of it (`f`) and what has not been stopped (`u`, which
/// at first is the same), with rooms for the next of each (`g`, `v`).
typedef struct {
    window f, g, u, v;
    float *u_room;
    extent extent;
    /// Of the travel so far: its mean, and the sum of what was sampled.
    float travel, whole;
    /// The mean delay so far, and the share that has not been stopped.
    float delay, left;
    /// The delays of the last crossing; NULL before the first.
    const float *table;
} journey;

/// Adds the time of a stretch.
BCK_INLINE void travel(journey *j, const bck_route_step *step, const bck_route_delays *delays,
                       const bck_route_memory *memory) {
    const bck_stretch *k = travel_kernel(step, memory);
    add_stretch(&j->extent, step);
    const int32_t cells = last_cell(&j->extent, delays);
    j->travel += step->mean;
    j->whole *= k->mass;
    add_travel(&j->f, k, cells, &j->g);
    swap(&j->f, &j->g);
    add_travel(&j->u, k, cells, &j->v);
    swap(&j->u, &j->v);
}

/// Crosses a bridge; after the last one only figures are wanted.
BCK_INLINE void cross(journey *j, const bck_route_step *step, const bck_route_delays *delays, int is_last,
                      bck_crossing_figures **crossings) {
    const float *table = delays->tables + (size_t)step->table * BCK_DELAY_ROWS * delays->stride;
    j->table = table;
    const float here = expected(&j->f, table, 1, delays->stride) / j->whole;
    if (*crossings) *(*crossings)++ = look_up(&j->f, table, delays->stride, j->whole, here);
    j->delay += here;
    j->extent.crossings++;
    if (is_last) {
        j->left = expected(&j->u, table, 0, delays->stride) / j->whole;
        return;
    }
    pass(&j->u, table, &j->v);
    if (j->u.p == j->f.p) j->u.p = j->u_room;
    swap(&j->u, &j->v);
    add_delay(&j->f, table, delays, last_cell(&j->extent, delays), &j->g);
    swap(&j->f, &j->g);
}

/// Begins a journey with a stretch, which may be one of no time.
BCK_INLINE void begin_with(journey *j, const bck_stretch *k) {
    begin(&j->f, k->first, k->first + k->count);
    for (int i = 0; i < vectors(&j->f) * LANES; i += LANES) store(j->f.p + i, load(cells_of(k) + i));
    clear_after(&j->f);
    j->u = j->f;
}

BCK_INLINE void route(const bck_route_step *step, const bck_route_step *end, const bck_stretch *at_once,
                      const bck_route_delays *delays, float deadline, const bck_route_memory *memory,
                      float *rooms, size_t room, bck_route_figures *figures,
                      bck_crossing_figures **crossings, bck_route_cells *all) {
    // After the last crossing there is at most one stretch.
    const bck_route_step *crossed = end - (end[-1].table < 0);
    journey j = {.f = {.p = rooms}, .g = {.p = rooms + room}, .u_room = rooms + 2 * room,
                 .v = {.p = rooms + 3 * room}, .whole = 1, .left = 1};
    const bck_stretch *k = at_once;
    if (step->table < 0) {
        k = travel_kernel(step, memory);
        add_stretch(&j.extent, step);
        j.travel = step->mean;
        j.whole = k->mass;
        step++;
    }
    begin_with(&j, k);
    for (; step < crossed; step++) {
        if (step->table < 0) {
            travel(&j, step, delays, memory);
        } else {
            cross(&j, step, delays, step + 1 == crossed, crossings);
        }
    }
    k = at_once;
    if (j.table && crossed < end) {
        k = travel_kernel(crossed, memory);
        add_stretch(&j.extent, crossed);
        j.travel += crossed->mean;
    }
    conclude(&j.f, j.table, delays->stride, k, j.whole, last_cell(&j.extent, delays), deadline, j.g.p,
             rooms + 4 * room, rooms + 5 * room, figures, all);
    figures->unstopped = j.left;
    figures->mean = j.travel + j.delay;
    figures->delay = j.delay;
}

BCK_INLINE void routes(size_t R, const uint32_t *starts, const bck_route_step *steps,
                       const bck_route_delays *delays, float deadline, const bck_route_memory *memory,
                       bck_route_figures *figures, bck_crossing_figures *crossings,
                       bck_route_cells *all) {
    const size_t room = memory->width + 2 * MARGIN;
    float *scratch = memory->scratch;
    for (size_t i = 0; i < 6 * room; i += room) memset(scratch + i, 0, MARGIN * sizeof(float));
    // A stretch of no time, and a departure that is certain.
    const struct {
        bck_stretch head;
        float cells[BCK_STRETCH_CELLS];
    } moment = {{.mass = 1, .count = 1}, {1}};
    for (size_t r = 0; r < R; r++) {
        const bck_route_step *step = &steps[starts[r]], *end = &steps[starts[r + 1]];
        if (step == end) {
            conclude_narrow(0, 0, deadline, &figures[r]);
        } else if (end - step == 1 && step->table < 0 && step->spread < 0.8f) {
            conclude_narrow(step->mean, step->spread, deadline, &figures[r]);
        } else {
            route(step, end, &moment.head, delays, deadline, memory, scratch + MARGIN, room, &figures[r],
                  &crossings, all);
        }
    }
}

#define BCK_ROUTES_KERNEL(ISA)                                                                    \
    void bck_f32_routes__##ISA(                                                                   \
        size_t R, const uint32_t *starts, const bck_route_step *steps,                            \
        const bck_route_delays *delays, float deadline, const bck_route_memory *memory,           \
        bck_route_figures *figures, bck_crossing_figures *crossings) {                            \
        routes(R, starts, steps, delays, deadline, memory, figures, crossings, NULL);             \
    }                                                                                             \
    void bck_f32_route_cells__##ISA(size_t S, const bck_route_step *steps,                        \
                                    const bck_route_delays *delays,                               \
                                    const bck_route_memory *memory, bck_route_cells *cells) {     \
        const uint32_t starts[2] = {0, (uint32_t)S};                                              \
        bck_route_figures figures;                                                                \
        *cells = (bck_route_cells){0};                                                            \
        routes(1, starts, steps, delays, 0, memory, &figures, NULL, cells);                       \
    }                                                                                             \
    void bck_f32_delay_table__##ISA(size_t L, const float *leads, const float *rows,              \
                                    const bck_route_delays *delays, size_t table) {               \
        delay_table(L, leads, rows, delays, table);                                               \
    }

#endif
