// When a favourite is refreshed next; the programs have the same rule (AdaptiveRefresh.swift).
import { intervalFactors } from "./network.js";

const minSeconds = 30;
const maxSeconds = 1_800;
const lateSeconds = 120;
const partsOfTimeLeft = 6;

/**
 * Seconds to the next refresh: sooner before a departure, later on a bad network; null where there is none.
 * @param {number | null} interval seconds that the person chose; null for manual
 * @param {number | null} departure seconds until then, negative after it; null without one
 * @param {import("./network.js").NetworkCondition} condition
 */
export function refreshSeconds(interval, departure, condition) {
    if (interval === null) return null;
    const isNear = departure !== null && departure >= -lateSeconds;
    const soon = isNear ? Math.min(interval, Math.max(minSeconds, departure / partsOfTimeLeft)) : interval;
    return Math.min(soon * intervalFactors[condition], Math.max(interval, maxSeconds));
}
