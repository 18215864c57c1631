// Which bridges the city's live feed reports, and which of them are silent. Used by headline, cards and banner.

/** The city's numbers of Ballard, Fremont, Montlake, 1st Ave South and South Park. */
const watched = new Set([1, 2, 3, 4, 29]);

/**
 * Whether the live feed has a sensor there.
 * @param {number} bridgeId
 */
export const hasSensor = (bridgeId) => watched.has(bridgeId);

/**
 * Bridges whose sensor says nothing.
 * @param {readonly import("../core/types").Bridge[]} bridges
 */
export const silentBridges = (bridges) =>
    bridges.filter((bridge) => hasSensor(bridge.bridge_id) && bridge.state === "unknown");

/**
 * Whether the service itself plays records of the past instead of the live feed.
 * @param {import("../core/types").Board | null} board
 */
export const isReplayingService = (board) =>
    board !== null && (Boolean(board.replay_until) || (board.clock_rate ?? 1) !== 1
        || board.sources.some((source) => source.id === "replay"));

/**
 * When the records that the service plays end; its clock stands from then on.
 * @param {import("../core/types").Board | null} board
 * @returns {number} milliseconds since 1970, Infinity where there is no end
 */
export function endOfReplay(board) {
    const end = Date.parse(board?.replay_until ?? "");
    return Number.isFinite(end) ? end : Infinity;
}
