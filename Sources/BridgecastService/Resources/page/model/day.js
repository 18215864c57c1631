// A day in Seattle: its beginning and end, what its record says, what changed at a time, what happened after it.
import { seattleDate, seattleTime } from "./time.js";
import { canal, duwamish } from "./waterways.js";

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
    const time = Date.parse(date + "T00:00:00Z");
    return Number.isFinite(time) ? new Date(time + days * 86_400_000).toISOString().slice(0, 10) : date;
}

/**
 * Beginning and end of a day; it has 23 or 25 hours where summer time begins or ends.
 * @param {string} date
 * @returns {Span | null} null if that is no date
 */
export function daySpan(date) {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return null;
    const from = seattleTime(date);
    const to = seattleTime(shiftDate(date, 1));
    return from === null || to === null ? null : { from, to };
}

/**
 * What an address or a field names: a day, and a time of it.
 * @param {string} value such as 2026-02-20T18:00, or 2026-02-20 for its beginning
 * @param {number} now milliseconds by the service's clock
 * @returns {{ date: string, day: Span, time: number } | { refused: "no_day" | "not_yet" | "too_early" }}
 */
export function readTime(value, now) {
    const date = value.slice(0, 10);
    const time = seattleTime(value);
    const day = daySpan(date);
    if (time === null || day === null) return { refused: "no_day" };
    if (date < firstDate) return { refused: "too_early" };
    if (date > seattleDate(now)) return { refused: "not_yet" };
    return { date, day, time };
}

/**
 * Whether a played day is at its last minute, and the day after it where that has begun.
 * @param {string} date @param {number} time the one that is shown @param {number} now by the service's clock
 * @returns {{ isOver: boolean, next: { date: string, from: number } | null }}
 */
export function dayEnd(date, time, now) {
    const day = daySpan(date);
    if (day === null || time < day.to - 60_000) return { isOver: false, next: null };
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

/** @param {Span[]} some @param {Span[]} others @returns {Span[]} the times that are in both */
const overlap = (some, others) => some.flatMap((one) => others
    .map((other) => ({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) }))
    .filter(({ from, to }) => from < to));

/**
 * The openings of each waterway's bridges, and when none of them was recorded.
 * @param {DayDocument} day
 * @returns {{ id: "canal" | "duwamish", openings: (Span & { bridge: string })[], gaps: Span[] }[]}
 */
export const lanesOf = (day) => [canal, duwamish].map(({ id, bridges }) => {
    const own = day.bridges.filter((entry) => bridges.includes(entry.bridge_id));
    const openings = own.flatMap((entry) =>
        openingsOf(day, entry).map((opening) => ({ ...opening, bridge: entry.bridge })));
    return { id, openings, gaps: own.map((entry) => uncovered(day, entry)).reduce(overlap, [span(day)]) };
});

/**
 * What a bridge was doing at a time.
 * @param {DayDocument["bridges"][number]} entry
 * @param {number} time
 * @returns {{ state: import("../core/types").BridgeState, since: string | null }} null where the day does not say
 */
export function stateAt(entry, time) {
    if (!entry.coverage.map(span).some((part) => part.from <= time && time <= part.to)) {
        return { state: "unknown", since: null };
    }
    /** @type {string | null} */
    let closedAt = null;
    for (const opening of entry.openings) {
        const { from, to } = openingSpan(opening);
        if (from <= time && time < to) return { state: "raised", since: opening.opened_at };
        if (to <= time && (closedAt === null || Date.parse(closedAt) < to)) closedAt = opening.closed_at;
    }
    return { state: "lowered", since: closedAt };
}

/**
 * The bridges of a board that have moved, or were not observed any more, by a time.
 * @param {DayDocument | null} day
 * @param {import("../core/types").Board | null} board
 * @param {number} time
 * @returns {{ bridgeId: number, state: import("../core/types").BridgeState, since: string | null }[]}
 */
export function movedBridges(day, board, time) {
    if (!day || !board) return [];
    const { from, to } = span(day);
    if (time < from || time > to) return [];
    return day.bridges.flatMap((entry) => {
        const bridge = board.bridges.find((other) => other.bridge_id === entry.bridge_id);
        if (!bridge) return [];
        const then = stateAt(entry, time);
        // Since when a bridge that is lowered at midnight has been so only the board knows.
        const isOlder = then.state === "lowered" && then.since === null && Date.parse(bridge.since ?? "") < from;
        const since = isOlder ? bridge.since : then.since;
        const isSameSince = Date.parse(bridge.since ?? "1970") === Date.parse(since ?? "1970");
        if (bridge.state === then.state && isSameSince) return [];
        return [{ bridgeId: entry.bridge_id, state: then.state, since }];
    });
}

/**
 * The next time at which anything changes.
 * @param {DayDocument} day
 * @param {number} time
 * @returns {number} Infinity if nothing does
 */
export function nextChange(day, time) {
    let next = Infinity;
    for (const entry of day.bridges) {
        const edges = [...entry.openings.map(openingSpan), ...entry.coverage.map(span)];
        for (const { from, to } of edges) {
            if (from > time) next = Math.min(next, from);
            if (to > time) next = Math.min(next, to);
        }
    }
    return next;
}

/**
 * @typedef {{ kind: "opening", from: number, to: number | null, isRunning: boolean } | { kind: "none" }
 *     | { kind: "none_until", end: number } | { kind: "not_over" } | { kind: "no_records" }} Happened
 */

const aheadMilliseconds = 2 * 3_600_000;
const minMilliseconds = 5 * 60_000;

/**
 * @param {import("../core/types").DayDocument} day
 * @param {number} bridgeId
 * @param {number} now
 * @returns {Happened}
 */
export function happenedAfter(day, bridgeId, now) {
    const own = day.bridges?.find((bridge) => bridge.bridge_id === bridgeId);
    if (!own) return { kind: "no_records" };
    const openings = own.openings
        .map((opening) => ({
            from: Date.parse(opening.opened_at), to: opening.closed_at ? Date.parse(opening.closed_at) : null,
        }))
        // One without a recorded end may still be running.
        .filter(({ from, to }) => from <= now + aheadMilliseconds && (to ?? from + aheadMilliseconds) >= now)
        .sort((a, b) => a.from - b.from);
    if (openings[0]) return { kind: "opening", ...openings[0], isRunning: openings[0].from <= now };
    const dayEnd = Date.parse(day.to);
    // A day that is not over ends now: nothing is known of what comes.
    if (dayEnd - now < minMilliseconds) return { kind: "not_over" };
    const end = Math.min(now + aheadMilliseconds, Number.isFinite(dayEnd) ? dayEnd : Infinity);
    const isCovered = own.coverage.some((window) =>
        Date.parse(window.from) <= now && Date.parse(window.to) >= end - 60_000);
    if (!isCovered) return { kind: "no_records" };
    return end < now + aheadMilliseconds ? { kind: "none_until", end } : { kind: "none" };
}

/**
 * @param {import("../core/words.js").Words} words
 * @param {Happened} happened
 */
export function sayHappened(words, happened) {
    switch (happened.kind) {
        case "no_records": return words.t("happened.no_records");
        case "none": return words.t("happened.none");
        case "none_until": return words.t("happened.none_until", { time: words.time(happened.end) });
        case "not_over": return words.t("happened.not_over");
        case "opening": {
            const time = words.time(happened.from);
            if (happened.to === null) return words.t("happened.unended", { time });
            const duration = words.duration((happened.to - happened.from) / 1000);
            return words.t(happened.isRunning ? "happened.running" : "happened.opening", { time, duration });
        }
    }
}
