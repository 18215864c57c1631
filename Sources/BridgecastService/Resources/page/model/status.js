// How far the board can be trusted at a moment: live, stale, dead, played. One answer for banner, cards and map.

/**
 * @typedef {object} Status
 * @property {"loading" | "live" | "stale" | "dead" | "replay"} kind
 * @property {number | null} readAt when the bridges were last read, milliseconds since 1970
 * @property {number} ageSeconds of that reading, by the service's clock
 */

const staleSeconds = 60;
const deadSeconds = 600;
// A replay at sixty times the speed is read once in a second, which is a minute of its time.
const readingsMissed = { stale: 5, dead: 20 };

/**
 * @param {import("../core/types").State} state
 * @param {number} now milliseconds, by the one clock
 * @param {number} rate seconds of that clock in a second
 * @returns {Status}
 */
export function statusOf(state, now, rate = 1) {
    const board = state.board;
    if (!board) return { kind: "loading", readAt: null, ageSeconds: 0 };
    const read = board.sources.map((source) => Date.parse(source.fetched_at ?? "")).filter(Number.isFinite);
    const readAt = read.length > 0 ? Math.max(...read) : null;
    if (state.replay) return { kind: "replay", readAt, ageSeconds: 0 };
    const ageSeconds = readAt === null ? Infinity : Math.max(0, (now - readAt) / 1000);
    const kind = ageSeconds > Math.max(deadSeconds, readingsMissed.dead * rate) ? "dead"
        : ageSeconds > Math.max(staleSeconds, readingsMissed.stale * rate) ? "stale" : "live";
    return { kind, readAt, ageSeconds };
}

/**
 * Whether what is shown is told as what was: nobody says of a minute ago that it is.
 * @param {Status} status
 */
export const isTold = (status) => status.kind === "replay" || status.kind === "stale";

/**
 * The state of a bridge that may be shown: what nobody has read for ten minutes is not known any more.
 * @param {import("../core/types").Bridge} bridge
 * @param {Status} status
 * @returns {import("../core/types").BridgeState}
 */
export function shownState(bridge, status) {
    return status.kind === "dead" ? "unknown" : bridge.state;
}
