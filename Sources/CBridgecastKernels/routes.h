// Travel-time distributions of routes: the body of <instruction set>/routes.c, written with the
// compiler's vectors of 16 floats, which it splits into what the instruction set has.
#ifndef BCK_ROUTES_BODY_H
#define BCK_ROUTES_BODY_H

// Everything here is inlined: no vector is ever passed by a calling convention.
#pragma clang diagnostic ignored "-Wpsabi"

typedef float v16 __attribute__((vector_size(64), aligned(4)));
typedef int32_t v16i __attribute__((vector_size(64), aligned(4)));

#define LANES 16
#define MARGIN BCK_ROUTE_MARGIN

BCK_INLINE v16 splat(float x) { return (v16){0} + x; }
BCK_INLINE v16 load(const float *p) { return *(const v16 *)p; }
BCK_INLINE void store(float *p, v16 x) { *(v16 *)p = x; }

BCK_INLINE float sum(v16 x) {
    x += __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    x += __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
    x += __builtin_shufflevector(x, x, 2, 3, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1);
    return x[0] + x[1];
}

BCK_INLINE v16 iota(void) {
    return (v16){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
}

/// The larger of each lane; without a comparison that the compiler would make a branch of.
BCK_INLINE v16 larger(v16 a, v16 b) {
    v16i mask = a > b;
    return (v16)(((v16i)a & mask) | ((v16i)b & ~mask));
}

/// e^x for -80 <= x <= 0, which is what it is clamped to below; a few units in the last place.
BCK_INLINE v16 exponential(v16 x) {
    x = larger(x, splat(-80.0f));
    // Adding and subtracting 1.5 x 2^23 rounds to a whole number.
    v16 n = (x * 1.44269504f + 12582912.0f) - 12582912.0f;
    v16 r = x - n * 0.693359375f;
    r = r + n * 2.12194440e-4f;
    v16 y = splat(1.0f / 720);
    y = y * r + 1.0f / 120;
    y = y * r + 1.0f / 24;
    y = y * r + 1.0f / 6;
    y = y * r + 0.5f;
    y = y * r + 1.0f;
    y = y * r + 1.0f;
    v16i exponent = (__builtin_convertvector(n, v16i) + 127) << 23;
    return y * (v16)exponent;
}

/// ln(x) for x > 0, not subnormal. Polynomial of Cephes' logf (Moshier), about 1e-7 relative.
BCK_INLINE v16 logarithm(v16 x) {
    v16i bits = (v16i)x;
    // The mantissa in [sqrt(1/2), sqrt(2)).
    v16i shifted = bits - 0x3f3504f3;
    v16 e = __builtin_convertvector(shifted >> 23, v16);
    v16 m = (v16)((shifted & 0x007fffff) + 0x3f3504f3) - 1.0f;
    v16 y = splat(7.0376836292e-2f);
    y = y * m - 1.1514610310e-1f;
    y = y * m + 1.1676998740e-1f;
    y = y * m - 1.2420140846e-1f;
    y = y * m + 1.4249322787e-1f;
    y = y * m - 1.6668057665e-1f;
    y = y * m + 2.0000714765e-1f;
    y = y * m - 2.4999993993e-1f;
    y = y * m + 3.3333331174e-1f;
    v16 square = m * m;
    return (y * m * square + e * -2.12194440e-4f) - square * 0.5f + m + e * 0.693359375f;
}

/// ln(1 + e) - e for |e| <= 0.3, to a relative 1e-6: its Taylor series.
BCK_INLINE v16 log1p_less_linear(v16 e) {
    v16 y = splat(1.0f / 13);
    for (int power = 12; power >= 2; power--) y = (power % 2 ? 1.0f : -1.0f) / power + e * y;
    return y * e * e;
}

/// A distribution on the cells [first, first + count), in a buffer with MARGIN zeros on both sides.
typedef struct window {
    float *p;
    int32_t first;
    int32_t count;
} window;

/// Convolutions take up to four vectors at a time and so read at most 63 cells beyond the last.
BCK_INLINE void clear_after(window *w) {
    for (int i = 0; i < 4 * LANES; i += LANES) store(w->p + w->count + i, splat(0));
}

/// Cells that a stretch of travel takes: mean - 3.5 to mean + 5.5 spreads, within what RouteSet makes room for.
BCK_INLINE void travel_cells(float mean, float spread, int32_t *first, int32_t *count) {
    if (spread < 0.8f) {
        int32_t middle = (int32_t)(mean + 0.5f);
        *first = middle > 0 ? middle - 1 : 0;
        *count = middle > 0 ? 3 : 2;
        return;
    }
    float low = mean - 3.5f * spread;
    *first = low > 1 ? (int32_t)low : spread * 2 > mean ? 0 : 1;
    *count = (int32_t)(mean + 5.5f * spread) + 2 - *first;
}

/// Fewer cells than a density needs: two or three with the right mean, and the right spread if possible.
BCK_INLINE void narrow_kernel(float mean, float spread, window *k) {
    float d = mean - (float)(int32_t)(mean + 0.5f), distance = d < 0 ? -d : d;
    float variance = spread * spread, least = distance * (1 - distance);
    float both = (variance > least ? variance : least) + d * d;
    if (k->count == 2) {  // below half a cell
        k->p[0] = 1 - mean;
        k->p[1] = mean;
        return;
    }
    k->p[0] = (both - d) * 0.5f;
    k->p[1] = 1 - both;
    k->p[2] = (both + d) * 0.5f;
}

/// A wide and skewed stretch: the density reaches zero with a step or a kink there, so it is spread over
/// neighbouring cells by hats, at eight points a cell.
static void wide_kernel(float mean, float spread, window *k) {
    float shape = mean * mean / (spread * spread), total = 0;
    for (int i = 0; i < k->count; i++) k->p[i] = 0;
    for (int i = 0; i < 8 * (k->count - 1); i++) {
        float x = (i + 0.5f) / 8, share = (i % 8 + 0.5f) / 8;
        float density = expf((shape - 1) * logf(x / mean) - (x / mean - 1) * shape);
        k->p[i / 8] += density * (1 - share);
        k->p[i / 8 + 1] += density * share;
    }
    float moment = 0;
    for (int i = 0; i < k->count; i++) total += k->p[i];
    for (int i = 0; i < k->count; i++) moment += (k->p[i] /= total) * i;
    // What is cut off at the far end and the sampling leave the mean a little off; the first and last
    // cells make up for it.
    float error = (mean - moment) / (k->count - 1);
    k->p[0] -= error;
    k->p[k->count - 1] += error;
    if (k->p[0] < 0) k->p[0] = 0;
}

/// A stretch of travel: gamma distributed with this mean and spread, in cells.
BCK_INLINE void travel_kernel(float mean, float spread, window *k) {
    travel_cells(mean, spread, &k->first, &k->count);
    if (spread < 0.8f) {
        narrow_kernel(mean, spread, k);
    } else if (spread * 2 > mean) {
        wide_kernel(mean, spread, k);
    } else {
        // ln density = (shape - 1) ln(1 + e) - shape e, e = x / mean - 1.
        float shape = mean * mean / (spread * spread);
        v16 total = splat(0);
        for (int i = 0; i < k->count; i += LANES) {
            v16 offset = iota() + ((float)(k->first + i) - mean);
            v16 e = offset / splat(mean);
            v16 y;
            if (shape > 750) {
                y = log1p_less_linear(e);
                y = y * (shape - 1) - e;
            } else {
                y = logarithm(e + 1.0f) * (shape - 1) - e * shape;
            }
            v16 density = exponential(y);
            int left = k->count - i;
            if (left < LANES) {
                v16i inside = iota() < (float)left;
                density = (v16)((v16i)density & inside);
            }
            total += density;
            store(k->p + i, density);
        }
        v16 scale = splat(1 / sum(total));
        for (int i = 0; i < k->count; i += LANES) store(k->p + i, load(k->p + i) * scale);
        while (k->count > 1 && k->p[k->count - 1] < 1e-6f) k->count--;
    }
    clear_after(k);
}

/// `out` = f * k, blocks of `blocks` vectors at a time.
BCK_INLINE void convolve_blocks(const window *f, const window *k, float *out, int o, int blocks) {
    v16 sums[4];
    for (int b = 0; b < blocks; b++) sums[b] = splat(0);
    int from = o - f->count + 1, to = o + blocks * LANES;
    if (from < 0) from = 0;
    if (to > k->count) to = k->count;
    for (int t = from; t < to; t++) {
        v16 weight = splat(k->p[t]);
        for (int b = 0; b < blocks; b++) sums[b] += load(f->p + o + b * LANES - t) * weight;
    }
    for (int b = 0; b < blocks; b++) store(out + o + b * LANES, sums[b]);
}

/// What is later than any cell there is counts as the last one.
BCK_INLINE void cut(window *w, int32_t cells) {
    if (w->first + w->count > cells) {
        int last = cells - 1 - w->first;
        for (int i = last + 1; i < w->count; i++) w->p[last] += w->p[i];
        w->count = last + 1;
    }
    clear_after(w);
}

/// The far end that together holds less than a ten-thousandth counts as the last cell before it; by how
/// much that makes the mean too small is returned.
BCK_INLINE float trim(window *w, int32_t cells) {
    int end = w->count;
    float far = 0, moment = 0;
    while (end > LANES) {
        v16 last = load(w->p + end - LANES);
        float more = far + sum(last);
        if (more > 1e-4f) break;
        moment += sum(last * (iota() + (float)(end - LANES)));
        far = more;
        end -= LANES;
    }
    w->p[end - 1] += far;
    w->count = end;
    cut(w, cells);
    return moment - far * (end - 1);
}

/// The sum of a distribution and an independent stretch; f's margins are zero, out's will be.
BCK_INLINE void add_travel(const window *f, const window *k, int32_t cells, window *out) {
    out->first = f->first + k->first;
    out->count = f->count + k->count - 1;
    // The stretch is broadcast; four vectors at a time hide what an addition waits for.
    int o = 0;
    for (; o + 2 * LANES < out->count; o += 4 * LANES) convolve_blocks(f, k, out->p, o, 4);
    if (o < out->count) convolve_blocks(f, k, out->p, o, 2);
    cut(out, cells);
}

/// Delays that fall on every cell up to this one; then come the sparse ones.
#define DENSE 11
static const int32_t sparse[BCK_DELAY_ATOMS - DENSE] = {12, 13, 15, 20, 25, 30, 45, 60};

BCK_INLINE void delay_blocks(const window *f, const float *table, size_t stride, float *out, int o,
                             int blocks) {
    v16 sums[3];
    for (int b = 0; b < blocks; b++) sums[b] = splat(0);
    const float *source = f->p + o, *share = table + 2 * stride + MARGIN + f->first + o;
    // Loops of a fixed length: a mispredicted exit costs more than products with zeros.
    if (o - f->count + 1 < DENSE) {
        for (int s = 0; s < DENSE; s++) {
            const float *x = source - s, *y = share + s * (stride - 1);
            for (int b = 0; b < blocks; b++) sums[b] += load(x + b * LANES) * load(y + b * LANES);
        }
    }
    BCK_UNROLL for (int j = 0; j < BCK_DELAY_ATOMS - DENSE; j++) {
        const float *x = source - sparse[j], *y = share + (DENSE + j) * stride - sparse[j];
        for (int b = 0; b < blocks; b++) sums[b] += load(x + b * LANES) * load(y + b * LANES);
    }
    for (int b = 0; b < blocks; b++) store(out + o + b * LANES, sums[b]);
}

/// The sum of a distribution and the delay that goes with each of its cells; returns what trimming took
/// from its mean.
BCK_INLINE float add_delay(const window *f, const float *table, const bck_route_delays *delays,
                           window *out) {
    const size_t stride = delays->stride;
    out->first = f->first;
    out->count = f->count + BCK_LONGEST_DELAY;
    for (int o = 0; o < out->count; o += 3 * LANES) delay_blocks(f, table, stride, out->p, o, 3);
    return trim(out, delays->cells);
}

/// What is known of a crossing that is reached so.
BCK_INLINE bck_crossing_figures look_up(const window *f, const float *table, size_t stride) {
    const float *none = table + MARGIN;
    v16 free = splat(0), delay = splat(0), arrival = splat(0), total = splat(0);
    for (int i = 0; i < f->count; i += LANES) {
        v16 share = load(f->p + i);
        free += share * load(none + f->first + i);
        delay += share * load(none + stride + f->first + i);
        arrival += share * (iota() + (float)i);
        total += share;
    }
    float whole = sum(total);
    return (bck_crossing_figures){
        .arrival = f->first + sum(arrival) / whole,
        .delay = sum(delay) / whole,
        .unstopped = sum(free) / whole,
    };
}

/// Leaves what is not delayed.
BCK_INLINE void pass(window *u, const float *table) {
    for (int i = 0; i < u->count; i += LANES) {
        store(u->p + i, load(u->p + i) * load(table + MARGIN + u->first + i));
    }
}

/// Makes the lanes sums of those up to them.
BCK_INLINE v16 running(v16 x) {
    const v16 zero = {0};
    x += __builtin_shufflevector(zero, x, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
    x += __builtin_shufflevector(zero, x, 0, 1, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
    x += __builtin_shufflevector(zero, x, 0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27);
    x += __builtin_shufflevector(zero, x, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
    return x;
}

/// P(duration <= cell), by the sum up to it with the end correction of Euler and Maclaurin.
BCK_INLINE float cumulative_at(const window *f, const float *sums, int i) {
    if (i < 0) return 0;
    if (i >= f->count) return 1;
    return sums[i] - f->p[i] * 0.5f - (f->p[i + 1] - f->p[i - 1]) * (1.0f / 24);
}

/// A cubic through two values with two slopes, in 0...1.
typedef struct cubic {
    float value, slope, square, cube;
} cubic;

/// The distribution function from cell i to the next: its slopes are the density.
BCK_INLINE cubic between(const window *f, const float *sums, int i) {
    float a = cumulative_at(f, sums, i), d = cumulative_at(f, sums, i + 1) - a;
    float from = i < 0 ? 0 : f->p[i], to = i + 1 < f->count ? f->p[i + 1] : 0;
    return (cubic){a, from, 3 * d - 2 * from - to, from + to - 2 * d};
}

BCK_INLINE float at(cubic c, float t) {
    return c.value + t * (c.slope + t * (c.square + t * c.cube));
}

/// P(duration <= x), x in cells.
BCK_INLINE float cumulative(const window *f, const float *sums, float x) {
    float within = x - f->first;
    if (!(within > -1)) return 0;
    if (within >= f->count) return 1;
    int i = (int)(within + 1) - 1;
    float y = at(between(f, sums, i), within - i);
    return y < 0 ? 0 : y > 1 ? 1 : y;
}

/// The duration in cells that is not exceeded with probability p, where so many sums are below p.
BCK_INLINE float quantile(const window *f, const float *sums, float p, int below) {
    // Sums reach p at that cell; the distribution function there is less by half a cell's share.
    int i = below - (cumulative_at(f, sums, below) >= p);
    cubic c = between(f, sums, i);
    float end = c.value + c.slope + c.square + c.cube;
    float t = end > c.value ? (p - c.value) / (end - c.value) : 0.5f;
    for (int step = 0; step < 2; step++) {
        float slope = c.slope + t * (2 * c.square + t * 3 * c.cube);
        if (slope > 1e-9f) t -= (at(c, t) - p) / slope;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
    }
    return f->first + i + t;
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

BCK_INLINE void conclude(const window *f, const window *u, float deadline, float *sums,
                         bck_route_figures *figures) {
    v16 moment = splat(0), total = splat(0), left = splat(0);
    for (int i = 0; i < f->count; i += LANES) {
        v16 share = load(f->p + i);
        moment += share * (iota() + (float)i);
        total += share;
    }
    for (int i = 0; i < u->count; i += LANES) left += load(u->p + i);
    float whole = sum(total), scale = 1 / whole, before = 0;
    figures->mean = f->first + sum(moment) * scale;
    figures->unstopped = sum(left) * scale;
    const float levels[4] = {0.5f, 0.8f, 0.9f, 0.95f};
    v16 below[4];
    for (int q = 0; q < 4; q++) below[q] = splat(0);
    for (int i = 0; i < f->count; i += LANES) {
        v16 share = load(f->p + i) * scale;
        store(f->p + i, share);
        v16 up_to = running(share) + before;
        before = up_to[15];
        store(sums + i, up_to);
        // Beyond the last cell the sum is 1, which is below nothing.
        for (int q = 0; q < 4; q++) {
            below[q] += (v16)((v16i)(up_to < levels[q]) & (v16i)splat(1));
        }
    }
    figures->p50 = quantile(f, sums, levels[0], (int)sum(below[0]));
    figures->p80 = quantile(f, sums, levels[1], (int)sum(below[1]));
    figures->p90 = quantile(f, sums, levels[2], (int)sum(below[2]));
    figures->p95 = quantile(f, sums, levels[3], (int)sum(below[3]));
    figures->by_deadline = cumulative(f, sums, deadline);
}

BCK_INLINE void swap(window *a, window *b) {
    window c = *a;
    *a = *b;
    *b = c;
}

BCK_INLINE void routes(size_t R, const uint32_t *starts, const bck_route_step *steps,
                       const bck_route_delays *delays, float deadline, size_t width,
                       bck_route_figures *figures, bck_crossing_figures *crossings,
                       float *scratch) {
    const size_t room = width + 2 * MARGIN;
    for (size_t i = 0; i < 6 * room; i++) scratch[i] = 0;
    window f = {scratch + MARGIN, 0, 0}, g = {f.p + room, 0, 0}, u = {g.p + room, 0, 0},
           v = {u.p + room, 0, 0}, k = {v.p + room, 0, 0};
    float *sums = k.p + room;
    for (size_t r = 0; r < R; r++) {
        if (starts[r + 1] == starts[r]) {
            conclude_narrow(0, 0, deadline, &figures[r]);
            continue;
        }
        const bck_route_step *only = &steps[starts[r]];
        if (starts[r + 1] - starts[r] == 1 && only->table < 0 && only->spread < 0.8f) {
            conclude_narrow(only->mean, only->spread, deadline, &figures[r]);
            continue;
        }
        int certain = 1;  // nothing but the departure so far
        float travel = 0, lost = 0;
        f.first = u.first = 0;
        f.count = u.count = 1;
        f.p[0] = u.p[0] = 1;
        clear_after(&f);
        clear_after(&u);
        f.p[1] = u.p[1] = 0;
        for (uint32_t s = starts[r]; s < starts[r + 1]; s++) {
            if (steps[s].table < 0) {
                travel += steps[s].mean;
                if (certain) {
                    travel_kernel(steps[s].mean, steps[s].spread, &f);
                    u.first = f.first;
                    u.count = f.count;
                    for (int i = 0; i < f.count; i += LANES) store(u.p + i, load(f.p + i));
                    clear_after(&u);
                    certain = 0;
                    continue;
                }
                travel_kernel(steps[s].mean, steps[s].spread, &k);
                add_travel(&f, &k, delays->cells, &g);
                swap(&f, &g);
                add_travel(&u, &k, delays->cells, &v);
                swap(&u, &v);
            } else {
                const float *table = delays->tables
                                     + (size_t)steps[s].table * BCK_DELAY_ROWS * delays->stride;
                if (crossings) *crossings++ = look_up(&f, table, delays->stride);
                pass(&u, table);
                lost += add_delay(&f, table, delays, &g);
                swap(&f, &g);
                certain = 0;
            }
        }
        conclude(&f, &u, deadline, sums, &figures[r]);
        figures[r].mean += lost;
        figures[r].delay = figures[r].mean > travel ? figures[r].mean - travel : 0;
    }
}

/// Fills a table from its rows at some leads: [L, BCK_DELAY_ROWS], leads in cells, increasing, the first
/// at or before the departure; linear between leads, constant beyond the last.
BCK_INLINE void delay_table(size_t L, const float *leads, const float *rows,
                            const bck_route_delays *delays, size_t table) {
    float *out = (float *)delays->tables + table * BCK_DELAY_ROWS * delays->stride + MARGIN;
    for (size_t row = 0; row < BCK_DELAY_ROWS; row++, out += delays->stride) {
        size_t from = 0;
        for (size_t l = 0; l < L && from < delays->cells; l++) {
            float a = rows[l * BCK_DELAY_ROWS + row], slope = 0;
            size_t to = delays->cells;
            if (l + 1 < L) {
                slope = (rows[(l + 1) * BCK_DELAY_ROWS + row] - a) / (leads[l + 1] - leads[l]);
                if (leads[l + 1] <= (float)from) continue;
                size_t end = (size_t)leads[l + 1] + 1;
                if (end < to) to = end;
            }
            // A whole vector may write beyond `to`, into cells that come next or into the margin.
            v16 value = (iota() + ((float)from - leads[l])) * slope + a;
            for (size_t i = from; i < to; i += LANES, value += LANES * slope) store(out + i, value);
            from = to;
        }
    }
}

#define BCK_ROUTES_KERNEL(ISA)                                                                    \
    void bck_f32_routes__##ISA(                                                                   \
        size_t R, const uint32_t *starts, const bck_route_step *steps,                            \
        const bck_route_delays *delays, float deadline, size_t width, bck_route_figures *figures, \
        bck_crossing_figures *crossings, float *scratch) {                                        \
        routes(R, starts, steps, delays, deadline, width, figures, crossings, scratch);           \
    }                                                                                             \
    void bck_f32_delay_table__##ISA(size_t L, const float *leads, const float *rows,              \
                                    const bck_route_delays *delays, size_t table) {               \
        delay_table(L, leads, rows, delays, table);                                               \
    }

#endif
