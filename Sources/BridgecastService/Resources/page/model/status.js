// How far the board can be trusted at a time: live, stale, dead or played; and which bridges are silent.

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
 * Whether what is shown is worded in the past tense: a state of a minute ago may have changed.
 * @param {Status} status
 */
export const isPastTense = (status) => status.kind === "replay" || status.kind === "stale";

/**
 * The state of a bridge that may be shown: what has not been read for ten minutes is unknown.
 * @param {import("../core/types").Bridge} bridge
 * @param {Status} status
 * @returns {import("../core/types").BridgeState}
 */
export function shownState(bridge, status) {
    return status.kind === "dead" ? "unknown" : bridge.state;
}

/**
 * Bridges whose sensor says nothing.
 * @param {readonly import("../core/types").Bridge[]} bridges
 */
export const silentBridges = (bridges) =>
    bridges.filter((bridge) => bridge.has_live_sensor && bridge.state === "unknown");

/**
 * Whether the service itself plays records of the past instead of the live feed.
 * @param {import("../core/types").Board | null} board
 */
export const isReplayingService = (board) =>
    board !== null && (Boolean(board.replay_until) || (board.clock_rate ?? 1) !== 1
        || board.sources.some((source) => source.id === "replay"));

/**
 * When the records that the service plays end; its clock stops there.
 * @param {import("../core/types").Board | null} board
 * @returns {number} milliseconds since 1970, Infinity where there is no end
 */
export function endOfReplay(board) {
    const end = Date.parse(board?.replay_until ?? "");
    return Number.isFinite(end) ? end : Infinity;
}

/**
 * "Live, as of 18:05:10, 9 s ago"; of a service that replays with its day.
 * @param {import("../core/words.js").Words} words
 * @param {import("../core/types").State} state
 * @param {Status} status
 * @param {number} now
 * @returns {{ key: "live" | "replaying" | "ended" | "old", text: string } | null} null while nothing is read, and while a
 *     day is played, whose time is in the banner
 */
export function sayAge(words, state, status, now) {
    const { kind, readAt } = status;
    if (kind === "loading" || kind === "replay") return null;
    if (readAt === null) return { key: "old", text: words.t("age.never") };
    const isCurrent = kind === "live" && state.isOnline && !state.trouble;
    const end = endOfReplay(state.board);
    if (isCurrent && now >= end) return { key: "ended", text: words.t("age.ended", { time: words.time(end), day: words.day(end) }) };
    const key = !isCurrent ? "old" : isReplayingService(state.board) ? "replaying" : "live";
    const age = words.duration(status.ageSeconds);
    return { key, text: words.t(`age.${key}`, { day: words.day(readAt), time: words.timeWithSeconds(readAt), age }) };
}
