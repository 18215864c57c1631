// Which bridges matter most now, and which cards are open. Used by the Now view.
import { highestChance, notableChance } from "./chances.js";
import { shownState } from "./status.js";

/** @typedef {import("../core/types").Bridge} Bridge */
/** @typedef {import("./status.js").Status} Status */

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
            // Whole cases of a hundred: cards do not change places for what nobody reads.
            chance: Math.round(100 * (highestChance(bridge, now, aheadMinutes, status)?.chance ?? 0)),
        };
    });
    ranked.sort((a, b) => a.pin - b.pin || a.raised - b.raised || b.chance - a.chance || a.place - b.place);
    return ranked.map(({ bridge }) => bridge);
}

/**
 * Whether a bridge's card is open before anybody has opened or closed it.
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
 * The same bridges in an earlier order, for as long as somebody is inside the list.
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
