// Departures as text: when, how late, where, how full.
import { dateFormat } from "../core/words.js";

/** @typedef {import("../core/words.js").Words} Words */
/** @typedef {import("../data/board.js").Times} Times */

const clock = /** @type {const} */ ({ hour: "numeric", minute: "2-digit" });

/**
 * A time by the agency's clock.
 * @param {Words} words @param {number | null} time @param {string | null} zone such as America/Los_Angeles
 */
export function sayClock(words, time, zone) {
    if (time === null) return "–";
    if (zone === null) return words.time(time);
    try {
        return dateFormat(words.locale, { ...clock, timeZone: zone }).format(time)
            .replace(/\s(?=[ap]\.?\s?m\.?$)/i, "\u00a0");
    } catch {
        // A zone that this browser does not know.
        return words.time(time);
    }
}

/**
 * "on time", "3 min late", "scheduled".
 * @param {Words} words @param {Pick<Times, "status" | "delay" | "isApproximate">} times
 */
export function sayStatus(words, { status, delay, isApproximate }) {
    const minutes = Math.max(1, Math.round(Math.abs(delay ?? 0) / 60));
    const isCounted = (status === "late" || status === "early") && delay !== null;
    const said = words.t(isCounted ? `board.status.${status}_by` : `board.status.${status}`, { n: minutes });
    return isApproximate ? words.t("board.status.about", { status: said }) : said;
}

// Names of directions that are no places.
const compass = /^(north|south|east|west|in|out)(bound)?$/i;

/**
 * A direction: "Towards Redmond".
 * @param {Words} words @param {string} name
 */
export const sayTowards = (words, name) => (compass.test(name) ? name : words.t("board.towards", { name }));

const crowdings = /** @type {Record<string, string>} */ ({
    Low: "low", Moderate: "moderate", High: "high", "Very crowded": "full", "not boardable": "closed",
});

/**
 * The key of an occupancy, of its words and of its mark; null where the service says nothing.
 * @param {string | null} crowding such as Low
 */
export const crowdingKey = (crowding) => (crowding === null ? null : crowdings[crowding] ?? null);

/**
 * @param {Words} words @param {Pick<Times, "platform" | "plannedPlatform">} times
 * @returns {{ text: string, isChanged: boolean } | null}
 */
export function sayPlatform(words, { platform, plannedPlatform }) {
    if (platform === null) return null;
    if (plannedPlatform === null || plannedPlatform === platform) {
        return { text: words.t("board.platform", { platform }), isChanged: false };
    }
    return { text: words.t("board.platform_changed", { platform, planned: plannedPlatform }), isChanged: true };
}

/**
 * "541 to Overlake".
 * @param {Words} words @param {{ line: { title: string }, headsign: string }} run
 */
export function sayRun(words, { line, headsign }) {
    if (headsign === "") return line.title === "" ? words.t("run.title") : line.title;
    return words.t(line.title === "" ? "board.to" : "board.run", { line: line.title, headsign });
}
