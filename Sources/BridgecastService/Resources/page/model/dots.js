// Cases of twenty from quantiles: how many need not wait, how many wait how long.

/**
 * @typedef {object} Dots
 * @property {number} total cases, 20 where the service said all quantiles
 * @property {number} noWait cases without a wait
 * @property {number[]} columns cases by whole minutes of wait: under 1, under 2 ...
 * @property {number} beyond cases that wait longer than all columns
 */

// A wait below a second is none.
const minWaitSeconds = 1;

/** @param {unknown} quantiles @returns {number[]} what can be drawn, smallest first */
export function cleanQuantiles(quantiles) {
    return (Array.isArray(quantiles) ? quantiles : []).filter((value) => Number.isFinite(value)).sort((a, b) => a - b);
}

/**
 * @param {readonly number[]} quantilesSeconds one for each case
 * @param {number} maxMinutes columns
 * @param {boolean} isWaitCertain whether each case is one of waiting, so that none goes to the column "no wait"
 * @returns {Dots}
 */
export function dotsOf(quantilesSeconds, maxMinutes, isWaitCertain = false) {
    const columns = new Array(maxMinutes).fill(0);
    let noWait = 0;
    let beyond = 0;
    for (const seconds of quantilesSeconds) {
        if (!isWaitCertain && seconds < minWaitSeconds) noWait += 1;
        else if (seconds >= maxMinutes * 60) beyond += 1;
        else columns[Math.max(0, Math.floor(seconds / 60))] += 1;
    }
    return { total: quantilesSeconds.length, noWait, columns, beyond };
}

/**
 * The whole minutes that a number of the cases do not exceed.
 * @param {readonly number[]} quantilesSeconds smallest first
 * @param {number} cases
 */
export function atMostMinutes(quantilesSeconds, cases) {
    const seconds = quantilesSeconds[Math.min(cases, quantilesSeconds.length) - 1] ?? 0;
    return Math.max(1, Math.ceil(seconds / 60));
}

/**
 * A wait as "at most" says it: never less than it is, in tens of seconds, from a minute on in minutes.
 * @param {number} seconds
 */
export function roundUpWait(seconds) {
    const step = seconds > 60 ? 60 : 10;
    return Math.ceil(seconds / step) * step;
}

/**
 * 14 of 20 times no wait; 18 of 20 at most 4 min.
 * @param {import("../core/words.js").Words} words
 * @param {readonly number[]} quantilesSeconds smallest first
 * @param {boolean} isWaitCertain
 */
export function sayDots(words, quantilesSeconds, isWaitCertain) {
    const total = quantilesSeconds.length;
    const half = Math.round(total * 0.5);
    const { noWait } = dotsOf(quantilesSeconds, 1, isWaitCertain);
    // Nine in ten, or the first that waits where fewer do.
    const most = Math.min(total, Math.max(Math.round(total * 0.9), noWait + 1));
    const values = {
        total, noWait, most, half,
        maxMinutes: atMostMinutes(quantilesSeconds, most), halfMinutes: atMostMinutes(quantilesSeconds, half),
    };
    if (noWait === total) return words.t("dots.all_none", values);
    if (noWait > 0) return words.t("dots.some_none", values);
    return words.t("dots.all_wait", values);
}
