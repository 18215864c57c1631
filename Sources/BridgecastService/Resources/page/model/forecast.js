// What a bridge's forecast says: the chance at a time, the highest chance, the bars of two hours, and which bridges
// matter most.
import { shownState } from "./status.js";

/** @typedef {import("../core/types").Bridge} Bridge */
/** @typedef {import("../core/types").OutlookPoint} Point */
/** @typedef {import("./status.js").Status} Status */

/** From here on a chance is worth a card, and worth a word in the headline. */
export const notableChance = 0.1;

/** The outlook has a point each five minutes; a point holds for half of that around it. */
export const halfStepMilliseconds = 150_000;

/**
 * What may be said at a status: the forecast, or the usual for the hour once nothing live is known.
 * @param {Status} status
 */
const chosen = (status) => (/** @type {Point} */ point) =>
    status.kind === "dead" ? point.climatology_probability_stopped : point.probability_stopped;

/**
 * A value of the outlook at a time, between two points by proportion.
 * @param {Bridge} bridge @param {number} time
 * @param {(point: Point) => number} read
 * @returns {number | null} null where the outlook does not reach
 */
export function valueAt(bridge, time, read) {
    const value = between(bridge, time, read);
    return value !== null && Number.isFinite(value) ? value : null;
}

/** @param {Bridge} bridge @param {number} time @param {(point: Point) => number} read */
function between(bridge, time, read) {
    const points = bridge.outlook;
    const place = points.findIndex((point) => Date.parse(point.valid_time) >= time);
    if (place < 0) {
        const last = points[points.length - 1];
        return last && time - Date.parse(last.valid_time) < halfStepMilliseconds ? read(last) : null;
    }
    const after = points[place];
    const before = points[place - 1];
    if (!before) return read(after);
    const start = Date.parse(before.valid_time);
    const share = (time - start) / (Date.parse(after.valid_time) - start || 1);
    return read(before) + (read(after) - read(before)) * share;
}

/**
 * The chance of being stopped when arriving at a time.
 * @param {Bridge} bridge @param {number} time @param {Status} status
 */
export const chanceAt = (bridge, time, status) => valueAt(bridge, time, chosen(status));

/**
 * The highest chance from a time on.
 * @param {Bridge} bridge @param {number} from @param {number} minutes @param {Status} status
 * @returns {{ chance: number, at: number } | null}
 */
export function highestChance(bridge, from, minutes, status) {
    const read = chosen(status);
    const now = chanceAt(bridge, from, status);
    /** @type {{ chance: number, at: number } | null} */
    let best = now === null ? null : { chance: now, at: from };
    for (const point of bridge.outlook) {
        const at = Date.parse(point.valid_time);
        if (at < from || at > from + minutes * 60_000 || !Number.isFinite(read(point))) continue;
        if (best === null || read(point) > best.chance) best = { chance: read(point), at };
    }
    return best;
}

/**
 * The highest chance that the outlook rises to. One that only falls is the queue of an opening that is over.
 * @param {Bridge} bridge @param {number} from @param {number} minutes @param {Status} status
 * @returns {{ chance: number, at: number } | null}
 */
export function nextRise(bridge, from, minutes, status) {
    const read = chosen(status);
    const now = chanceAt(bridge, from, status);
    const ahead = bridge.outlook.map((point) => ({ chance: read(point), at: Date.parse(point.valid_time) }))
        .filter(({ chance, at }) => at > from && at <= from + minutes * 60_000 && Number.isFinite(chance));
    const points = now === null ? ahead : [{ chance: now, at: from }, ...ahead];
    const lowest = points.findIndex((point, n) => n + 1 < points.length && points[n + 1].chance > point.chance);
    if (lowest < 0) return null;
    return points.slice(lowest + 1).reduce((best, point) => (point.chance > best.chance ? point : best));
}

/**
 * When the chance is small again for the first time.
 * @param {Bridge} bridge @param {number} from @param {Status} status
 * @returns {number | null} milliseconds since 1970
 */
export function calmAgainAt(bridge, from, status) {
    const point = bridge.outlook.find((point) =>
        Date.parse(point.valid_time) > from && chosen(status)(point) < notableChance);
    return point ? Date.parse(point.valid_time) : null;
}

const roundMilliseconds = 300_000;

/**
 * A time for use with "around": to five minutes, and not over yet.
 * @param {number} time @param {number} now
 */
export const roundTime = (time, now) => Math.max(Math.round(time / roundMilliseconds),
    Math.ceil(now / roundMilliseconds)) * roundMilliseconds;

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
        chance: isUsualOnly ? point.climatology_probability_stopped : point.probability_stopped,
        usual: point.climatology_probability_stopped,
        isSolid: !isUsualOnly && point.basis === "live" && point.lead_time_s < solidSeconds,
    })).filter((bar) => Number.isFinite(bar.at) && Number.isFinite(bar.chance) && Number.isFinite(bar.usual));
}

/** @typedef {ReturnType<typeof barsOf>[number]} Bar */

/**
 * The bars that are not over: what a card says is read from these, as it is drawn.
 * @param {Bridge} bridge @param {number} now @param {Status} status
 */
export const barsAhead = (bridge, now, status) =>
    barsOf(bridge.outlook ?? [], status.kind === "dead").filter((bar) => bar.at > now - halfStepMilliseconds);

const soonMilliseconds = 30 * 60_000;
const maxOfAll = 0.2;
const minForWholeAxis = 0.35;

/**
 * The axis of bars: to 20 in 100 on every card, so that cards compare; to 100 where that would cut what matters soon.
 * @param {readonly Bar[]} bars
 * @param {boolean} isRaised
 */
export function axisOf(bars, isRaised) {
    const isWhole = isRaised || bars.some((bar) => bar.at - bars[0].at <= soonMilliseconds
        && bar.chance > minForWholeAxis);
    const max = isWhole ? 1 : maxOfAll;
    return { max, marks: [0, max / 2, max], isWhole };
}

/**
 * The highest bar; null where it is no more than the first, which is shown already.
 * @param {import("../core/words.js").Words} words
 * @param {readonly Bar[]} bars
 */
export function peakOf(words, bars) {
    if (bars.length === 0) return null;
    const highest = bars.reduce((best, bar) => (bar.chance > best.chance ? bar : best), bars[0]);
    return words.chance(highest.chance) === words.chance(bars[0].chance) ? null : highest;
}

/**
 * 6 in 100 stopped now, highest 31 in 100 at 18:15.
 * @param {import("../core/words.js").Words} words
 * @param {readonly Bar[]} bars one at least
 */
export function sayOutlook(words, bars) {
    const now = words.chance(bars[0].chance);
    const peak = peakOf(words, bars);
    if (peak) {
        return words.t("bars.now_and_highest", { now, most: words.chance(peak.chance), time: words.time(peak.at) });
    }
    const isSteady = bars.every((bar) => words.chance(bar.chance) === now);
    return words.t(isSteady ? "bars.steady" : "bars.less_later", { now });
}

const aheadMinutes = 30;

/**
 * Pinned first in their own order, then raised, then by the chance of the next half hour, then along the waterway.
 * @param {readonly Bridge[]} bridges in waterway order
 * @param {readonly number[]} pinned
 * @param {Status} status
 * @param {number} now
 * @returns {Bridge[]}
 */
export function orderBridges(bridges, pinned, status, now) {
    const ranked = bridges.map((bridge, place) => {
        const pin = pinned.indexOf(bridge.bridge_id);
        return {
            bridge, place,
            pin: pin < 0 ? pinned.length : pin,
            raised: shownState(bridge, status) === "raised" ? 0 : 1,
            // Whole cases of a hundred: cards do not change places for a difference that is not shown.
            chance: Math.round(100 * (highestChance(bridge, now, aheadMinutes, status)?.chance ?? 0)),
        };
    });
    ranked.sort((a, b) => a.pin - b.pin || a.raised - b.raised || b.chance - a.chance || a.place - b.place);
    return ranked.map(({ bridge }) => bridge);
}

/**
 * Whether a bridge's card is open before the visitor has opened or closed it.
 * @param {Bridge} bridge
 * @param {readonly number[]} pinned
 * @param {Status} status
 * @param {number} now
 */
export function isNotable(bridge, pinned, status, now) {
    if (pinned.includes(bridge.bridge_id) || shownState(bridge, status) === "raised") return true;
    // The usual of an hour is no news.
    if (shownState(bridge, status) === "unknown") return false;
    return (highestChance(bridge, now, aheadMinutes, status)?.chance ?? 0) >= notableChance;
}

/**
 * The same bridges in an earlier order, for as long as the visitor is inside the list.
 * @param {readonly Bridge[]} bridges
 * @param {readonly number[]} earlier numbers of bridges
 */
export function keepOrder(bridges, earlier) {
    const place = (/** @type {Bridge} */ bridge) => {
        const found = earlier.indexOf(bridge.bridge_id);
        return found < 0 ? earlier.length : found;
    };
    return [...bridges].sort((a, b) => place(a) - place(b));
}
