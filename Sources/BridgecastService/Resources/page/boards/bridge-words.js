// What a drawbridge on the way may add to a departure: a sentence, and a figure for if it does.

/** @typedef {import("../data/board.js").BridgeAhead} BridgeAhead */
/** @typedef {import("../core/words.js").Words} Words */

/** Smaller chances are one sentence for a whole board. */
export const minChance = 0.03;
const minSeconds = 30;

/**
 * Whether there is something to say about a bridge before this departure.
 * @param {BridgeAhead} bridge
 */
export const isWorthSaying = ({ isWaiting, chance }) => isWaiting || (chance !== null && chance >= minChance);

/**
 * How long it is if the bridge stops it; null where that is not known.
 * @param {BridgeAhead} bridge @returns {number | null} seconds
 */
export function secondsIfStopped({ chance, meanSeconds }) {
    if (chance === null || meanSeconds === null || chance <= 0) return null;
    const seconds = meanSeconds / chance;
    return seconds >= minSeconds ? seconds : null;
}

/**
 * The second, lighter figure: "+2 min, 31 in 100"; without a chance where it is waiting.
 * @param {Words} words @param {BridgeAhead} bridge
 */
export function sayAdded(words, bridge) {
    const seconds = secondsIfStopped(bridge);
    const wait = seconds === null ? null : words.t("board.bridge.added", { wait: roundedDuration(words, seconds) });
    const chance = bridge.isWaiting || bridge.chance === null ? null : words.chance(bridge.chance);
    if (wait === null) return chance;
    return chance === null ? wait : words.t("board.bridge.added_chance", { wait, chance });
}

/**
 * The same as a sentence, for the row: "Montlake Bridge at 3:13 PM may stop it".
 * @param {Words} words @param {BridgeAhead} bridge @param {number} now @param {(time: number) => string} sayTime
 */
export function sayBridgeAhead(words, bridge, now, sayTime) {
    const name = words.t("bridge.heading", { bridge: bridge.name });
    if (!bridge.isWaiting) {
        return bridge.at === null ? words.t("board.bridge.may", { bridge: name })
            : words.t("board.bridge.may_at", { bridge: name, time: sayTime(bridge.at) });
    }
    const said = words.t(`board.bridge.waiting_${bridge.basis}`, { bridge: name });
    if (bridge.raisedSince === null) return said;
    return words.t("board.bridge.raised", { said, age: words.duration((now - bridge.raisedSince) / 1000) });
}

/**
 * Minutes: seconds would be more than is known.
 * @param {Words} words @param {number} seconds
 */
const roundedDuration = (words, seconds) => words.duration(Math.max(60, Math.round(seconds / 60) * 60));

/**
 * The bridges that hardly matter, once for a whole board.
 * @param {readonly { bridges: BridgeAhead[] }[]} departures
 * @returns {string[]} their names
 */
export const quietBridges = (departures) => [...new Set(departures.flatMap(({ bridges }) => bridges
    .filter((bridge) => !isWorthSaying(bridge) && bridge.chance !== null).map(({ name }) => name)))];
