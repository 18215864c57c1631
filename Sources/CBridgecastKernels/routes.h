// Travel-time distributions of routes: the body of <instruction set>/routes.c, written with the
// compiler's vectors of 16 floats, which it splits into what the instruction set has.
#ifndef BCK_ROUTES_BODY_H
#define BCK_ROUTES_BODY_H

// Everything here is inlined: no vector is ever passed by a calling convention.
#pragma clang diagnostic ignored "-Wpsabi"

typedef float v16 __attribute__((vector_size(64), aligned(4)));
typedef int32_t v16i __attribute__((vector_size(64), aligned(4)));

typedef float v4 __attribute__((vector_size(16), aligned(4)));
typedef int32_t v4i __attribute__((vector_size(16), aligned(4)));

#define LANES 16
#define MARGIN BCK_ROUTE_MARGIN

BCK_INLINE v16 splat(float x) { return (v16){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x}; }
BCK_INLINE v16 load(const float *p) { return *(const v16 *)p; }
BCK_INLINE void store(float *p, v16 x) { *(v16 *)p = x; }

BCK_INLINE float sum(v16 x) {
    x += __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    x += __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
    x += __builtin_shufflevector(x, x, 2, 3, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1);
    return x[0] + x[1];
}

BCK_INLINE int32_t total(v16i x) {
    x += __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    x += __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
    x += __builtin_shufflevector(x, x, 2, 3, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1);
    return x[0] + x[1];
}

/// Lanes of a where the mask is set, else of b.
BCK_INLINE v4 choose(v4i mask, v4 a, v4 b) { return (v4)(((v4i)a & mask) | ((v4i)b & ~mask)); }

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

/// A distribution on the cells [first, end): cell c is p[c - low], `low` the multiple of LANES at or below `first`.
/// What else lies in its vectors is zero, and so are MARGIN cells before p and four vectors after.
typedef struct window {
    float *p;
    int32_t low, first, end;
} window;

/// How many vectors hold it.
BCK_INLINE int32_t vectors(const window *w) { return (w->end - w->low + LANES - 1) / LANES; }

BCK_INLINE void begin(window *w, int32_t first, int32_t end) {
    w->first = first;
    w->low = first & ~(LANES - 1);
    w->end = end;
}

/// Convolutions take up to four vectors at a time and so read at most 63 cells beyond the last.
BCK_INLINE void clear_after(window *w) {
    float *end = w->p + vectors(w) * LANES;
    for (int i = 0; i < 4 * LANES; i += LANES) store(end + i, splat(0));
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
BCK_INLINE void narrow_kernel(float mean, float spread, float *p, int count) {
    float d = mean - (float)(int32_t)(mean + 0.5f), distance = d < 0 ? -d : d;
    float variance = spread * spread, least = distance * (1 - distance);
    float both = (variance > least ? variance : least) + d * d;
    if (count == 2) {  // below half a cell
        p[0] = 1 - mean;
        p[1] = mean;
        return;
    }
    p[0] = (both - d) * 0.5f;
    p[1] = 1 - both;
    p[2] = (both + d) * 0.5f;
}

/// A wide and skewed stretch: the density reaches zero with a step or a kink there, so it is spread over
/// neighbouring cells by hats, at eight points a cell.
static void wide_kernel(float mean, float spread, float *p, int count) {
    float shape = mean * mean / (spread * spread), total = 0;
    for (int i = 0; i < count; i++) p[i] = 0;
    for (int i = 0; i < 8 * (count - 1); i++) {
        float x = (i + 0.5f) / 8, share = (i % 8 + 0.5f) / 8;
        float density = expf((shape - 1) * logf(x / mean) - (x / mean - 1) * shape);
        p[i / 8] += density * (1 - share);
        p[i / 8 + 1] += density * share;
    }
    float moment = 0;
    for (int i = 0; i < count; i++) total += p[i];
    for (int i = 0; i < count; i++) moment += (p[i] /= total) * i;
    // What is cut off at the far end and the sampling leave the mean a little off; the first and last
    // cells make up for it.
    float error = (mean - moment) / (count - 1);
    p[0] -= error;
    p[count - 1] += error;
    if (p[0] < 0) p[0] = 0;
}

/// The gamma density in the middle of each cell, from `first` on; returns how many cells are worth keeping.
static int density_kernel(float mean, float spread, float *p, int first, int count) {
    // ln density = (shape - 1) ln(1 + e) - shape e, e = x / mean - 1.
    float shape = mean * mean / (spread * spread);
    v16 total = splat(0);
    for (int i = 0; i < count; i += LANES) {
        v16 offset = iota() + ((float)(first + i) - mean);
        v16 e = offset / splat(mean);
        v16 y;
        if (shape > 750) {
            y = log1p_less_linear(e);
            y = y * (shape - 1) - e;
        } else {
            y = logarithm(e + 1.0f) * (shape - 1) - e * shape;
        }
        v16 density = exponential(y);
        int left = count - i;
        if (left < LANES) {
            v16i inside = iota() < (float)left;
            density = (v16)((v16i)density & inside);
        }
        total += density;
        store(p + i, density);
    }
    v16 scale = splat(1 / sum(total));
    for (int i = 0; i < count; i += LANES) store(p + i, load(p + i) * scale);
    while (count > 1 && p[count - 1] < 1e-6f) p[--count] = 0;
    return count;
}

/// The cells of a sampled stretch as a window: they follow it in memory.
BCK_INLINE float *cells_of(const bck_stretch *k) { return (float *)(k + 1); }

BCK_INLINE float *first_cell(const bck_stretch *k) {
    return cells_of(k) + (k->first & (LANES - 1));
}

/// A stretch of travel: gamma distributed with this mean and spread, in cells.
static void sample(float mean, float spread, bck_stretch *k) {
    int32_t first, count;
    travel_cells(mean, spread, &first, &count);
    float *p = cells_of(k) + (first & (LANES - 1));
    store(cells_of(k), splat(0));
    if (spread < 0.8f) {
        narrow_kernel(mean, spread, p, count);
    } else if (spread * 2 > mean) {
        wide_kernel(mean, spread, p, count);
    } else {
        count = density_kernel(mean, spread, p, first, count);
    }
    float mass = 0, moment = 0;
    for (int i = 0; i < count; i++) {
        mass += p[i];
        moment += p[i] * i;
    }
    store(p + count, splat(0));
    *k = (bck_stretch){mean, spread, first + moment / mass, mass, first, count, {0}};
}

/// A stretch from the memory of earlier ones, or sampled: into that memory unless it is too long for it.
BCK_INLINE const bck_stretch *travel_kernel(const bck_route_step *step, const bck_route_memory *memory) {
    uint32_t bits[2];
    memcpy(bits, step, sizeof bits);
    uint32_t hash = (bits[0] ^ bits[1] * 0x85ebca6bu) * 0x9e3779b1u;
    size_t slot = (hash >> 8 ^ hash >> 20) & (memory->stretches - 1);
    const size_t floats = BCK_STRETCH_FLOATS;
    bck_stretch *k = (bck_stretch *)(memory->kept + slot * floats);
    if (k->mean == step->mean && k->spread == step->spread) return k;
    bck_stretch *other = (bck_stretch *)(memory->kept + (slot ^ 1) * floats);
    if (other->mean == step->mean && other->spread == step->spread) return other;
    int32_t first, count;
    travel_cells(step->mean, step->spread, &first, &count);
    if ((first & (LANES - 1)) + count > BCK_STRETCH_CELLS - LANES) {
        k = (bck_stretch *)(memory->scratch + 6 * (memory->width + 2 * MARGIN));
    } else if (k->mean != 0 && other->mean == 0) {
        k = other;
    }
    sample(step->mean, step->spread, k);
    return k;
}

/// `out` = f * k from cell o on, `blocks` vectors at a time.
BCK_INLINE void convolve_blocks(const window *f, const bck_stretch *k, int32_t o, int blocks, v16 *sums) {
    for (int b = 0; b < blocks; b++) sums[b] = splat(0);
    const float *source = f->p + (o - k->first - f->low), *share = first_cell(k);
    int from = o - k->first - f->end + 1, to = o + blocks * LANES - k->first - f->first;
    if (from < 0) from = 0;
    if (to > k->count) to = k->count;
    v16 others[4];
    for (int b = 0; b < blocks; b++) others[b] = splat(0);
    int t = from;
    for (; t + 1 < to; t += 2) {
        v16 weight = splat(share[t]), next = splat(share[t + 1]);
        for (int b = 0; b < blocks; b++) sums[b] += load(source + b * LANES - t) * weight;
        for (int b = 0; b < blocks; b++) others[b] += load(source + b * LANES - t - 1) * next;
    }
    if (t < to) {
        v16 weight = splat(share[t]);
        for (int b = 0; b < blocks; b++) sums[b] += load(source + b * LANES - t) * weight;
    }
    for (int b = 0; b < blocks; b++) sums[b] += others[b];
}

/// What is later than the last cell there is counts as that.
BCK_INLINE void cut(window *w, int32_t cells) {
    if (w->end > cells) {
        int32_t last = cells - 1 - w->low, end = w->end - w->low;
        for (int32_t i = last + 1; i < end; i++) {
            w->p[last] += w->p[i];
            w->p[i] = 0;
        }
        w->end = cells;
    }
    clear_after(w);
}

/// Whole vectors at the far end that together hold less than a ten-thousandth count as the last cell before them.
BCK_INLINE void trim(window *w) {
    int32_t end = vectors(w) * LANES, least = w->first - w->low + LANES;
    float far = 0;
    while (end - LANES >= least) {
        float more = far + sum(load(w->p + end - LANES));
        if (more > 1e-4f) break;
        far = more;
        end -= LANES;
    }
    if (w->low + end < w->end) {
        w->p[end - 1] += far;
        w->end = w->low + end;
    }
}

/// The sum of a distribution and an independent stretch.
BCK_INLINE void add_travel(const window *f, const bck_stretch *k, int32_t cells, window *out) {
    begin(out, f->first + k->first, f->end + k->first + k->count - 1);
    // The stretch is broadcast; four vectors at a time hide what an addition waits for.
    int n = vectors(out), v = 0;
    v16 sums[4];
    for (; v + 2 < n; v += 4) {
        convolve_blocks(f, k, out->low + v * LANES, 4, sums);
        for (int b = 0; b < 4; b++) store(out->p + (v + b) * LANES, sums[b]);
    }
    if (v < n) {
        convolve_blocks(f, k, out->low + v * LANES, 2, sums);
        for (int b = 0; b < 2; b++) store(out->p + (v + b) * LANES, sums[b]);
    }
    cut(out, cells);
}

/// The last `s` lanes of a, then the first of b; as integers, which are only moved.
#define JOIN(a, b, s)                                                                               \
    (v16)__builtin_shufflevector((v16i)(a), (v16i)(b), 16 - (s), 17 - (s), 18 - (s), 19 - (s),      \
                                 20 - (s), 21 - (s), 22 - (s), 23 - (s), 24 - (s), 25 - (s),        \
                                 26 - (s), 27 - (s), 28 - (s), 29 - (s), 30 - (s), 31 - (s))
/// The share of a vector of arrivals that is delayed by the atom `row` at `cells`; into one of two sums for each
/// vector, so that additions need not wait for each other.
#define ATOM(row, cells, side)                                          \
    {                                                                   \
        v16 y = x * load(share + (row) * stride);                       \
        side[(cells) / LANES] += JOIN(zero, y, (cells) % LANES);        \
        side[(cells) / LANES + 1] += JOIN(y, zero, (cells) % LANES);    \
    }

/// A distribution being delayed, vector after vector.
typedef struct delaying {
    v16 ahead[4];  // of the next vectors, what the arrivals so far make of them
    int32_t done;
} delaying;

/// The next vector of f and the delay that goes with each of its cells.
BCK_INLINE void delay_next(const window *f, int n, const float *table, size_t stride, window *out,
                           delaying *d) {
    v16 even[5], odd[5];
    for (int i = 0; i < 4; i++) even[i] = d->ahead[i];
    even[4] = splat(0);
    for (int i = 0; i < 5; i++) odd[i] = splat(0);
    if (d->done < n) {
        // Zeros that the compiler does not know: it would do something clever with them.
        v16 x = load(f->p + d->done * LANES), zero = load(f->p - LANES);
        const float *share = table + 2 * stride + MARGIN + f->low + d->done * LANES;
        even[0] += x * load(share);
        ATOM(1, 1, odd) ATOM(2, 2, even) ATOM(3, 3, odd) ATOM(4, 4, even) ATOM(5, 5, odd)
        ATOM(6, 6, even) ATOM(7, 7, odd) ATOM(8, 8, even) ATOM(9, 9, odd) ATOM(10, 10, even)
        ATOM(11, 12, odd) ATOM(12, 13, even) ATOM(13, 15, odd) ATOM(14, 20, even) ATOM(15, 25, odd)
        ATOM(16, 30, even) ATOM(17, 45, odd) ATOM(18, 60, even)
    }
    store(out->p + d->done * LANES, even[0] + odd[0]);
    for (int i = 0; i < 4; i++) d->ahead[i] = even[i + 1] + odd[i + 1];
    d->done++;
}

/// The sum of a distribution and the delay that goes with each of its cells.
BCK_INLINE void add_delay(const window *f, const float *table, const bck_route_delays *delays,
                          int32_t cells, window *out) {
    begin(out, f->first, f->end + BCK_LONGEST_DELAY);
    delaying d = {{{0}}, 0};
    int n = vectors(f);
    while (d.done < n + 4) delay_next(f, n, table, delays->stride, out, &d);
    trim(out);
    cut(out, cells);
}

/// The expected value of a row of a delay table, times the distribution's sum.
BCK_INLINE float expected(const window *f, const float *table, size_t row, size_t stride) {
    const float *values = table + row * stride + MARGIN + f->low;
    v16 sums = splat(0);
    int n = vectors(f) * LANES;
    for (int i = 0; i < n; i += LANES) sums += load(f->p + i) * load(values + i);
    return sum(sums);
}

/// What is known of a crossing that is reached so.
static bck_crossing_figures look_up(const window *f, const float *table, size_t stride, float whole,
                                    float delay) {
    v16 arrival = splat(0);
    int n = vectors(f) * LANES;
    for (int i = 0; i < n; i += LANES) arrival += load(f->p + i) * (iota() + (float)i);
    return (bck_crossing_figures){
        .arrival = f->low + sum(arrival) / whole,
        .delay = delay,
        .unstopped = expected(f, table, 0, stride) / whole,
    };
}

/// What is not delayed: into `out`.
BCK_INLINE void pass(const window *u, const float *table, window *out) {
    int n = vectors(u) * LANES;
    const float *none = table + MARGIN + u->low;
    for (int i = 0; i < n; i += LANES) store(out->p + i, load(u->p + i) * load(none + i));
    begin(out, u->first, u->end);
    clear_after(out);
}

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
/// slopes are the density.
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

/// The durations in cells that are not exceeded with these probabilities, where so many sums are below each.
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
        g.end += BCK_LONGEST_DELAY;
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
    int32_t delay = e->crossings < BCK_MOST_DELAY / BCK_LONGEST_DELAY
                        ? e->crossings * BCK_LONGEST_DELAY : BCK_MOST_DELAY;
    int32_t cells = (int32_t)e->latest + delay + 4;
    return cells < (int32_t)delays->cells ? cells : (int32_t)delays->cells;
}

BCK_INLINE void add_stretch(extent *e, const bck_route_step *step) {
    e->latest += (double)step->mean + 6 * (double)step->spread + 3;
}

BCK_INLINE void routes(size_t R, const uint32_t *starts, const bck_route_step *steps,
                       const bck_route_delays *delays, float deadline, const bck_route_memory *memory,
                       bck_route_figures *figures, bck_crossing_figures *crossings,
                       bck_route_cells *all) {
    const size_t room = memory->width + 2 * MARGIN;
    float *scratch = memory->scratch;
    for (size_t i = 0; i < 6 * room; i += room) memset(scratch + i, 0, MARGIN * sizeof(float));
    float *f_room = scratch + MARGIN, *g_room = f_room + room, *u_room = g_room + room,
          *v_room = u_room + room, *density = v_room + room, *sums = density + room;
    // A stretch of no time, and a departure that is certain.
    const struct {
        bck_stretch head;
        float cells[BCK_STRETCH_CELLS];
    } moment = {{.mass = 1, .count = 1}, {1}};
    const bck_stretch *at_once = &moment.head;
    for (size_t r = 0; r < R; r++) {
        const bck_route_step *step = &steps[starts[r]], *end = &steps[starts[r + 1]];
        if (step == end) {
            conclude_narrow(0, 0, deadline, &figures[r]);
            continue;
        }
        if (end - step == 1 && step->table < 0 && step->spread < 0.8f) {
            conclude_narrow(step->mean, step->spread, deadline, &figures[r]);
            continue;
        }
        // After the last crossing there is at most one stretch.
        const bck_route_step *crossed = end - (end[-1].table < 0);
        const bck_stretch *k = at_once;
        extent e = {0, 0};
        // Of the travel so far: its mean as stated and as sampled, and the sum of what was sampled.
        float travel = 0, mean = 0, whole = 1;
        float delay = 0, left = 1;
        if (step->table < 0) {
            k = travel_kernel(step, memory);
            add_stretch(&e, step);
            travel = step->mean;
            whole = k->mass;
            mean = k->sampled_mean;
            step++;
        }
        // What is under way: all of it, and what has not been stopped, which at first is the same.
        window f = {.p = f_room}, g = {.p = g_room}, u, v = {.p = v_room};
        begin(&f, k->first, k->first + k->count);
        for (int i = 0; i < vectors(&f) * LANES; i += LANES) store(f.p + i, load(cells_of(k) + i));
        clear_after(&f);
        u = f;
        const float *table = NULL;
        for (; step < crossed; step++) {
            if (step->table < 0) {
                k = travel_kernel(step, memory);
                add_stretch(&e, step);
                const int32_t cells = last_cell(&e, delays);
                travel += step->mean;
                mean += k->sampled_mean;
                whole *= k->mass;
                add_travel(&f, k, cells, &g);
                swap(&f, &g);
                add_travel(&u, k, cells, &v);
                swap(&u, &v);
            } else {
                table = delays->tables + (size_t)step->table * BCK_DELAY_ROWS * delays->stride;
                const float here = expected(&f, table, 1, delays->stride) / whole;
                if (crossings) *crossings++ = look_up(&f, table, delays->stride, whole, here);
                delay += here;
                e.crossings++;
                if (step + 1 == crossed) {
                    left = expected(&u, table, 0, delays->stride) / whole;
                    break;
                }
                pass(&u, table, &v);
                if (u.p == f.p) u.p = u_room;
                swap(&u, &v);
                add_delay(&f, table, delays, last_cell(&e, delays), &g);
                swap(&f, &g);
            }
        }
        k = at_once;
        if (table && crossed < end) {
            k = travel_kernel(crossed, memory);
            add_stretch(&e, crossed);
            travel += crossed->mean;
            mean += k->sampled_mean;
        }
        conclude(&f, table, delays->stride, k, whole, last_cell(&e, delays), deadline, g.p, density, sums,
                 &figures[r], all);
        figures[r].unstopped = left;
        figures[r].mean = mean + delay;
        figures[r].delay = mean + delay > travel ? mean + delay - travel : 0;
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
