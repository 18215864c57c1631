// The chance at a bridge at a moment, out of its forecast arrivals. Used by headline, order and cards.

/** @typedef {import("../core/types").Bridge} Bridge */
/** @typedef {import("../core/types").OutlookPoint} Point */
/** @typedef {import("./status.js").Status} Status */

/** From here on a chance is worth a card, and worth a word in the headline. */
export const notableChance = 0.1;

const slackMilliseconds = 150_000;

/**
 * What may be said at a status: the forecast, or the usual for the hour once nothing live is known.
 * @param {Status} status
 */
const chosen = (status) => (/** @type {Point} */ point) =>
    status.kind === "dead" ? point.usual_probability_stopped : point.probability_stopped;

/**
 * A value of the outlook at a moment, between two points by proportion.
 * @param {Bridge} bridge @param {number} moment
 * @param {(point: Point) => number} read
 * @returns {number | null} null where the outlook does not reach
 */
export function valueAt(bridge, moment, read) {
    const value = between(bridge, moment, read);
    return value !== null && Number.isFinite(value) ? value : null;
}

/** @param {Bridge} bridge @param {number} moment @param {(point: Point) => number} read */
function between(bridge, moment, read) {
    const points = bridge.outlook;
    const place = points.findIndex((point) => Date.parse(point.valid_time) >= moment);
    if (place < 0) {
        const last = points[points.length - 1];
        return last && moment - Date.parse(last.valid_time) < slackMilliseconds ? read(last) : null;
    }
    const after = points[place];
    const before = points[place - 1];
    if (!before) return read(after);
    const start = Date.parse(before.valid_time);
    const share = (moment - start) / (Date.parse(after.valid_time) - start || 1);
    return read(before) + (read(after) - read(before)) * share;
}

/**
 * The chance of being stopped when arriving at a moment.
 * @param {Bridge} bridge @param {number} moment @param {Status} status
 */
export const chanceAt = (bridge, moment, status) => valueAt(bridge, moment, chosen(status));

/**
 * The highest chance from a moment on.
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
 * A moment as it is said with "around": to five minutes, and not over yet.
 * @param {number} moment @param {number} now
 */
export const roundMoment = (moment, now) => Math.max(Math.round(moment / roundMilliseconds),
    Math.ceil(now / roundMilliseconds)) * roundMilliseconds;
