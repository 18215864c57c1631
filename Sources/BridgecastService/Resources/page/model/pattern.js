// The week of a bridge in numbers: how often and how long it opens by weekday and hour.

/**
 * @typedef {object} Cell
 * @property {number} weekday 1 is Monday
 * @property {number} hour
 * @property {number | null} perHour openings an hour; null without records
 * @property {number | null} minutes how long half of them last at most; null with too few openings
 * @property {number} openings
 */

// A cell with fewer hours of records says little about its hour.
const minHours = 10;
// The median of fewer openings is chance.
const minOpenings = 5;

/**
 * Seven rows of 24 cells.
 * @param {import("../core/types").PatternDocument} pattern
 * @returns {Cell[][]}
 */
export function gridOf(pattern) {
    const grid = Array.from({ length: 7 }, (_, day) => Array.from({ length: 24 }, (_, hour) =>
        /** @type {Cell} */ ({ weekday: day + 1, hour, perHour: null, minutes: null, openings: 0 })));
    for (const entry of pattern.hours ?? []) {
        const cell = grid[entry.weekday - 1]?.[entry.hour];
        if (!cell) continue;
        cell.openings = entry.openings;
        cell.perHour = entry.covered_h >= minHours ? entry.openings_per_h : null;
        const seconds = cell.openings < minOpenings ? null : entry.median_duration_s;
        cell.minutes = seconds === null ? null : seconds / 60;
    }
    return grid;
}

/**
 * The cell with the highest value.
 * @param {Cell[][]} grid @param {(cell: Cell) => number | null} read
 * @returns {Cell | null}
 */
export function highestCell(grid, read) {
    /** @type {Cell | null} */
    let best = null;
    for (const cell of grid.flat()) {
        const value = read(cell);
        if (value !== null && value > (best ? read(best) ?? 0 : 0)) best = cell;
    }
    return best;
}

/**
 * What nearly all cells stay below: one odd cell does not make the others pale.
 * @param {Cell[][]} grid @param {(cell: Cell) => number | null} read
 */
export function nearlyHighest(grid, read) {
    const values = grid.flat().map(read).filter((value) => value !== null).sort((a, b) => Number(a) - Number(b));
    return values[Math.floor((values.length - 1) * 0.98)] ?? 0;
}

/**
 * A round width of five steps that reach from 0 to a value.
 * @param {number} most
 */
export function fifth(most) {
    const rough = Math.max(most, 0.001) / 5;
    const power = 10 ** Math.floor(Math.log10(rough));
    const found = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8].find((n) => n * power >= rough - 1e-9) ?? 10;
    return found * power;
}

/**
 * Where the five steps begin, and where the last ends: at the highest value, if that is on it.
 * @param {number} step @param {number} highest
 */
export function stepEdges(step, highest) {
    const last = Number(highest.toPrecision(2));
    return [0, 1, 2, 3, 4].map((level) => level * step).concat(last > 4 * step + 1e-9 ? last : 5 * step);
}

/**
 * Which of five steps a value is on.
 * @param {number} value @param {number} step
 */
export const levelOf = (value, step) => Math.min(4, Math.max(0, Math.floor(value / step + 1e-9)));
