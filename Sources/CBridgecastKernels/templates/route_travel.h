// Part of the template routes.h: vectors of 16 floats, distributions on cells, and stretches of travel: sampled, kept and
// convolved.
#ifndef BCK_TEMPLATE_ROUTE_TRAVEL_H
#define BCK_TEMPLATE_ROUTE_TRAVEL_H

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
    float mass = 0;
    for (int i = 0; i < count; i++) mass += p[i];
    store(p + count, splat(0));
    *k = (bck_stretch){mean, spread, mass, first, count, {0}};
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

#endif
