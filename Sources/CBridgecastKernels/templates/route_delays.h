// Part of the template routes.h: delays at crossings, which depend on the cell of arrival, and the tables that hold them.
#ifndef BCK_TEMPLATE_ROUTE_DELAYS_H
#define BCK_TEMPLATE_ROUTE_DELAYS_H

#include "route_travel.h"

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
    begin(out, f->first, f->end + BCK_MAX_DELAY);
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

/// The figures of a crossing that is reached so.
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

#endif
