// What happened at a bridge after a moment of a past day, by the records. Used by cards beside what was said then.

/**
 * @typedef {{ kind: "opening", from: number, to: number | null, isRunning: boolean } | { kind: "none" }
 *     | { kind: "none_until", end: number } | { kind: "not_over" } | { kind: "no_records" }} Happened
 */

const aheadMilliseconds = 2 * 3_600_000;
const leastMilliseconds = 5 * 60_000;

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
        // One whose end nobody wrote down may still be running.
        .filter(({ from, to }) => from <= now + aheadMilliseconds && (to ?? from + aheadMilliseconds) >= now)
        .sort((a, b) => a.from - b.from);
    if (openings[0]) return { kind: "opening", ...openings[0], isRunning: openings[0].from <= now };
    const dayEnd = Date.parse(day.to);
    // A day that is not over ends now: nothing is known of what comes.
    if (dayEnd - now < leastMilliseconds) return { kind: "not_over" };
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
