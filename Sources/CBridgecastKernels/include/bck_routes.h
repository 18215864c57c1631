// Travel times of routes over bridges: what BridgecastEngine/RouteScoring calls. Included by
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
#define BCK_LONGEST_DELAY 60
/// Rows of a bridge's delay table: probability of no delay, expected delay in cells, then the atoms.
#define BCK_DELAY_ROWS (2 + BCK_DELAY_ATOMS)
/// Floats that must be readable before and after what a buffer or a row holds.
#define BCK_ROUTE_MARGIN 128

/// A part of a route: travel if `table` is negative, else a crossing with that delay table.
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

/// What is known of a route, in cells but for probabilities.
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

/// Scratch for routes whose distributions have at most `width` cells before what is too late is cut off.
static inline size_t bck_route_scratch_floats(size_t width) {
    return 6 * (width + 2 * BCK_ROUTE_MARGIN);
}

#endif
