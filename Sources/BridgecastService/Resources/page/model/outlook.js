// What the next two hours say in short: the chance now and its highest. Used by draw/chance-bars.js and cards.

/** @typedef {import("../core/types").OutlookPoint} Point */

export const barCount = 24;
// Forecasts beat the usual clearly up to here; beyond they are mostly the usual.
const solidSeconds = 30 * 60;

/**
 * The bars of a bridge: a chance each five minutes, what is usual then, and whether it says more than the usual.
 * @param {readonly Point[]} outlook
 * @param {boolean} isUsualOnly where nothing live is known any more
 */
export function barsOf(outlook, isUsualOnly) {
    return outlook.slice(0, barCount).map((point) => ({
        at: Date.parse(point.valid_time),
        chance: isUsualOnly ? point.usual_probability_stopped : point.probability_stopped,
        usual: point.usual_probability_stopped,
        isSolid: !isUsualOnly && point.basis === "live" && point.lead_time_s < solidSeconds,
    })).filter((bar) => Number.isFinite(bar.at) && Number.isFinite(bar.chance) && Number.isFinite(bar.usual));
}

/**
 * 6 in 100 now, highest 31 in 100 at 18:15.
 * @param {import("../core/words.js").Words} words
 * @param {ReturnType<typeof barsOf>} bars
 */
export function sayOutlook(words, bars) {
    const highest = bars.reduce((best, bar) => (bar.chance > best.chance ? bar : best), bars[0]);
    const now = words.chance(bars[0].chance);
    const most = words.chance(highest.chance);
    if (now === most) {
        const isSteady = bars.every((bar) => words.chance(bar.chance) === now);
        return words.t(isSteady ? "bars.steady" : "bars.less_later", { now });
    }
    return words.t("bars.now_and_highest", { now, most, time: words.time(highest.at) });
}
