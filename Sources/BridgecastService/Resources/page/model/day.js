// A day in Seattle: when it begins and ends, what a record tells of it, what had moved at a moment. Used by the player
// and the time bar.
import { seattleDate, seattleMoment } from "./seattle.js";

/** @typedef {import("../core/types").DayDocument} DayDocument */
/** @typedef {{ from: number, to: number }} Span milliseconds since 1970 */

/** The service takes no older times. */
export const firstDate = "2001-01-01";

/**
 * The date some days on.
 * @param {string} date such as 2026-02-20
 * @param {number} days
 */
export function shiftDate(date, days) {
    const moment = Date.parse(date + "T00:00:00Z");
    return Number.isFinite(moment) ? new Date(moment + days * 86_400_000).toISOString().slice(0, 10) : date;
}

/**
 * Beginning and end of a day; it has 23 or 25 hours where summer time begins or ends.
 * @param {string} date
 * @returns {Span | null} null if that is no date
 */
export function daySpan(date) {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return null;
    const from = seattleMoment(date);
    const to = seattleMoment(shiftDate(date, 1));
    return from === null || to === null ? null : { from, to };
}

/**
 * What an address or a field names: a day, and a moment of it.
 * @param {string} value such as 2026-02-20T18:00, or 2026-02-20 for its beginning
 * @param {number} now milliseconds by the service's clock
 * @returns {{ date: string, day: Span, moment: number } | { refused: "no_day" | "not_yet" | "too_early" }}
 */
export function readMoment(value, now) {
    const date = value.slice(0, 10);
    const moment = seattleMoment(value);
    const day = daySpan(date);
    if (moment === null || day === null) return { refused: "no_day" };
    if (date < firstDate) return { refused: "too_early" };
    if (date > seattleDate(now)) return { refused: "not_yet" };
    return { date, day, moment };
}

/**
 * Whether a played day is at its last minute, and the day after it where that has begun.
 * @param {string} date @param {number} moment the one that is shown @param {number} now by the service's clock
 * @returns {{ isOver: boolean, next: { date: string, from: number } | null }}
 */
export function dayEnd(date, moment, now) {
    const day = daySpan(date);
    if (day === null || moment < day.to - 60_000) return { isOver: false, next: null };
    return { isOver: true, next: day.to + 60_000 < now ? { date: shiftDate(date, 1), from: day.to } : null };
}

/** @param {{ from: string, to: string }} window @returns {Span} */
const span = (window) => ({ from: Date.parse(window.from), to: Date.parse(window.to) });

/**
 * An opening that goes on has no end.
 * @param {{ opened_at: string, closed_at: string | null }} opening
 * @returns {Span}
 */
const openingSpan = (opening) => ({
    from: Date.parse(opening.opened_at), to: opening.closed_at === null ? Infinity : Date.parse(opening.closed_at),
});

/**
 * When a bridge was not recorded, within the part of the day that the record is about.
 * @param {DayDocument} day
 * @param {DayDocument["bridges"][number]} entry
 * @returns {Span[]}
 */
export function uncovered(day, entry) {
    const { from, to } = span(day);
    /** @type {Span[]} */
    const gaps = [];
    let end = from;
    for (const part of entry.coverage.map(span).sort((one, other) => one.from - other.from)) {
        if (part.from > end) gaps.push({ from: end, to: Math.min(part.from, to) });
        end = Math.max(end, part.to);
    }
    if (end < to) gaps.push({ from: end, to });
    return gaps;
}

/**
 * The openings of a bridge, cut to the day.
 * @param {DayDocument} day
 * @param {DayDocument["bridges"][number]} entry
 * @returns {Span[]}
 */
export function openingsOf(day, entry) {
    const { from, to } = span(day);
    return entry.openings.map(openingSpan)
        .map((opening) => ({ from: Math.max(from, opening.from), to: Math.min(to, opening.to) }))
        .filter((opening) => opening.from <= opening.to);
}

/**
 * What a bridge was doing at a moment.
 * @param {DayDocument["bridges"][number]} entry
 * @param {number} moment
 * @returns {{ state: import("../core/types").BridgeState, since: string | null }} null where the day does not tell
 */
export function stateAt(entry, moment) {
    if (!entry.coverage.map(span).some((part) => part.from <= moment && moment <= part.to)) {
        return { state: "unknown", since: null };
    }
    /** @type {string | null} */
    let closedAt = null;
    for (const opening of entry.openings) {
        const { from, to } = openingSpan(opening);
        if (from <= moment && moment < to) return { state: "raised", since: opening.opened_at };
        if (to <= moment && (closedAt === null || Date.parse(closedAt) < to)) closedAt = opening.closed_at;
    }
    return { state: "lowered", since: closedAt };
}

/**
 * The bridges of a board that have moved, or that nobody saw any more, when the clock stands at a moment.
 * @param {DayDocument | null} day
 * @param {import("../core/types").Board | null} board
 * @param {number} moment
 * @returns {{ bridgeId: number, state: import("../core/types").BridgeState, since: string | null }[]}
 */
export function movedBridges(day, board, moment) {
    if (!day || !board) return [];
    const { from, to } = span(day);
    if (moment < from || moment > to) return [];
    return day.bridges.flatMap((entry) => {
        const bridge = board.bridges.find((other) => other.bridge_id === entry.bridge_id);
        if (!bridge) return [];
        const then = stateAt(entry, moment);
        // Since when it has been lowered at midnight only the board can tell.
        const isOlder = then.state === "lowered" && then.since === null && Date.parse(bridge.since ?? "") < from;
        const since = isOlder ? bridge.since : then.since;
        const isSameSince = Date.parse(bridge.since ?? "1970") === Date.parse(since ?? "1970");
        if (bridge.state === then.state && isSameSince) return [];
        return [{ bridgeId: entry.bridge_id, state: then.state, since }];
    });
}

/**
 * The next moment at which anything changes.
 * @param {DayDocument} day
 * @param {number} moment
 * @returns {number} Infinity if nothing does
 */
export function nextChange(day, moment) {
    let next = Infinity;
    for (const entry of day.bridges) {
        const edges = [...entry.openings.map(openingSpan), ...entry.coverage.map(span)];
        for (const { from, to } of edges) {
            if (from > moment) next = Math.min(next, from);
            if (to > moment) next = Math.min(next, to);
        }
    }
    return next;
}
