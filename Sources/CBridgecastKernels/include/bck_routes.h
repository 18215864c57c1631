// Travel times of routes over bridges: the contract of f32_routes, f32_route_cells and f32_delay_table, which
// BridgecastRouting calls through RouteKernels.swift. They are implemented in templates/routes.h. Included by
// CBridgecastKernels.h.
//
// Time is counted in cells of a fixed length from the departure; a distribution is the probability of
// each cell. A cell stands for the moment in its middle: sums over cells are sums of samples of a smooth
// density, which is far more accurate than the cell is wide as long as the density is wider than a cell.
#ifndef BCK_ROUTES_H
#define BCK_ROUTES_H

#include <stddef.h>
#include <stdint.h>

/// Places where a delay is taken to fall, in cells: 0...10, 12, 13, 15, 20, 25, 30, 45 and 60. Weights
/// may be negative: they are those of a rule of integration.
#define BCK_DELAY_ATOMS 19
/// The longest delay, in cells.
#define BCK_MAX_DELAY 60
/// Rows of a bridge's delay table: probability of no delay, expected delay in cells, then the atoms.
#define BCK_DELAY_ROWS (2 + BCK_DELAY_ATOMS)
/// Floats that must be readable before and after what a buffer or a row holds.
#define BCK_ROUTE_MARGIN 128

/// A part of a route: travel if `table` is negative, else a crossing with that delay table. After a travel comes no
/// other.
typedef struct bck_route_step {
    /// Mean and standard deviation of travel, cells; 0 < mean, 0 <= spread <= mean.
    float mean, spread;
    int32_t table;
} bck_route_step;

/// Delays by arrival: for each table BCK_DELAY_ROWS rows of `stride` floats, arrival cell 0 at index
/// BCK_ROUTE_MARGIN of each row; stride >= cells + BCK_ROUTE_MARGIN, and as many floats more after the
/// last row. What would be later than the last cell counts as the last cell.
typedef struct bck_route_delays {
    const float *tables;
    size_t stride, cells;
} bck_route_delays;

/// The result of a route, in cells but for probabilities.
typedef struct bck_route_figures {
    float mean, p50, p80, p90, p95;
    /// P(total <= deadline).
    float by_deadline;
    /// P(no delay at any crossing).
    float unstopped;
    /// Expected delay at all crossings.
    float delay;
} bck_route_figures;

/// A crossing of one route.
typedef struct bck_crossing_figures {
    /// Mean arrival, and expected delay, cells; probability of no delay.
    float arrival, delay, unstopped;
} bck_crossing_figures;

/// The whole travel time of a route: the probability of each cell from `first` on, and their sums, which lie in the
/// memory that the kernel was given, until its next call. No cells for a route that is certain or narrower than one.
typedef struct bck_route_cells {
    const float *density, *sums;
    int32_t first, count;
} bck_route_cells;

/// Delays on a route that there is room for in all, in cells: a day.
#define BCK_MAX_ROUTE_DELAY 1440

/// A stretch of travel as sampled: its probability by cell from `first` on, which follows in memory.
typedef struct bck_stretch {
    float mean, spread;
    /// The sum of what was sampled, which is 1 but for rounding.
    float mass;
    int32_t first, count;
    /// Up to 64 bytes.
    int32_t unused[11];
} bck_stretch;

/// Cells that a kept stretch has room for, and floats that it takes.
#define BCK_STRETCH_CELLS 64
#define BCK_STRETCH_FLOATS (BCK_STRETCH_CELLS + sizeof(bck_stretch) / sizeof(float))

/// Memory of one caller of the kernels, best at multiples of 64 bytes.
typedef struct bck_route_memory {
    /// Stretches that were sampled before, for this call and the next ones: BCK_STRETCH_FLOATS floats
    /// each. How many there are is a power of two, at least 2.
    float *kept;
    size_t stretches;
    /// Room for routes whose distributions have at most `width` cells before what is too late is cut off.
    float *scratch;
    size_t width;
} bck_route_memory;

/// Floats that the memory takes, in whole lines of 64 bytes; zeros before the first call.
static inline size_t bck_route_memory_floats(size_t stretches, size_t width) {
    return (stretches * BCK_STRETCH_FLOATS + 7 * (width + 2 * BCK_ROUTE_MARGIN) + 15) / 16 * 16;
}

/// The memory that begins there.
static inline bck_route_memory bck_route_memory_at(float *floats, size_t stretches, size_t width) {
    bck_route_memory memory = {floats, stretches, floats + stretches * BCK_STRETCH_FLOATS, width};
    return memory;
}

#endif
