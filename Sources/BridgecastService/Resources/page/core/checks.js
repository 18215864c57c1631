// Checks that a document is what the page can draw: a proxy may answer 200 with anything.

/** @typedef {import("./types").Board} Board */

/** @param {unknown} value @returns {any[]} empty where that is no list */
export const asList = (value) => (Array.isArray(value) ? value : []);

/**
 * @template T
 * @param {(T | null)[]} list @returns {T[]} what could be read of it
 */
export const present = (list) => list.flatMap((one) => (one === null ? [] : [one]));

const states = new Set(["raised", "lowered", "unknown"]);

/** @param {unknown} value @returns {value is import("./types").Source[]} */
export const areSources = (value) =>
    Array.isArray(value) && value.every((source) => source !== null && typeof source === "object");

/** @param {any} value @returns {value is Board} */
export function isBoard(value) {
    return Array.isArray(value?.bridges) && value.bridges.length > 0 && areSources(value.sources)
        && Number.isFinite(Date.parse(value.generated_at))
        && value.bridges.every((/** @type {any} */ bridge) =>
            typeof bridge?.bridge === "string" && Number.isInteger(bridge.bridge_id) && states.has(bridge.state)
            && typeof bridge.has_live_sensor === "boolean" && isChance(bridge.probability_stopped)
            && Array.isArray(bridge.outlook)
            && Number.isFinite(bridge.latitude) && Number.isFinite(bridge.longitude)
            && Array.isArray(bridge.reasons) && Array.isArray(bridge.delay_quantiles_s)
            && bridge.outlook.every((/** @type {any} */ point) =>
                isChance(point?.probability_stopped) && Number.isFinite(Date.parse(point.valid_time))));
}

/** @param {any} value @returns {value is import("./types").DayDocument} */
export function isDay(value) {
    const isTime = (/** @type {any} */ text) => typeof text === "string" && Number.isFinite(Date.parse(text));
    return isTime(value?.from) && isTime(value.to) && Array.isArray(value.bridges)
        && value.bridges.every((/** @type {any} */ entry) =>
            typeof entry?.bridge === "string" && Number.isInteger(entry.bridge_id)
            && Array.isArray(entry.coverage) && Array.isArray(entry.openings)
            && entry.coverage.every((/** @type {any} */ part) => isTime(part?.from) && isTime(part.to))
            && entry.openings.every((/** @type {any} */ opening) =>
                isTime(opening?.opened_at) && (opening.closed_at === null || isTime(opening.closed_at))));
}

/** @param {unknown} value */
const isChance = (value) => typeof value === "number" && value >= 0 && value <= 1;
