// Hours and spans of time in the visitor's way: 3 PM, 7:00 to 9:00 AM, Mon. Used by rules, weeks and patterns.
import { seattleClock, seattleDate } from "./seattle.js";

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/** @param {string} locale @param {Intl.DateTimeFormatOptions} options */
function format(locale, options) {
    const name = locale + JSON.stringify(options);
    let found = formats.get(name);
    if (!found) formats.set(name, found = new Intl.DateTimeFormat(locale, options));
    return found;
}

const clock = /** @type {const} */ ({ hour: "numeric", minute: "2-digit", timeZone: "UTC" });
// Any day will do where only the clock is said.
const midnight = Date.UTC(2026, 0, 5);

/**
 * 3 PM or 15.
 * @param {string} locale @param {number} hour 0 to 24
 */
export const sayHour = (locale, hour) =>
    format(locale, { hour: "numeric", timeZone: "UTC" }).format(midnight + hour * 3_600_000);

// A line does not end within a span.
const joined = (/** @type {string} */ text) => text.replace(/\s*–\s*/, "\u2060–\u2060");

/**
 * 3:00 to 4:00 PM.
 * @param {string} locale @param {number} hour
 */
export const sayHourSpan = (locale, hour) => saySpan(locale, hour * 60, (hour + 1) * 60);

/**
 * Minutes of a clock text such as 07:30; null if it is none.
 * @param {unknown} text
 */
export function clockMinutes(text) {
    const match = typeof text === "string" ? /^(\d{1,2}):(\d{2})/.exec(text) : null;
    return match ? Number(match[1]) * 60 + Number(match[2]) : null;
}

/**
 * A span between two clock texts.
 * @param {string} locale @param {unknown} from such as 07:00 @param {unknown} to
 */
export function sayClockSpan(locale, from, to) {
    const [start, end] = [clockMinutes(from), clockMinutes(to)];
    if (start === null || end === null) return "–";
    return saySpan(locale, start, end);
}

/** @param {string} locale @param {number} start minutes of the day @param {number} end */
function saySpan(locale, start, end) {
    const time = format(locale, clock);
    const [from, to] = [midnight + start * 60_000, midnight + end * 60_000];
    // A span to midnight or over it ends on the next day, which the words need not say.
    return joined(end <= start || end >= 1440 ? `${time.format(from)}–${time.format(to)}` : time.formatRange(from, to));
}

/**
 * A span between two moments, by Seattle's clock.
 * @param {string} locale @param {import("../core/types").Window} window
 */
export function sayWindow(locale, window) {
    const [from, to] = [Date.parse(window.from), Date.parse(window.to)];
    if (!Number.isFinite(from) || !Number.isFinite(to)) return "–";
    return joined(format(locale, { ...clock, timeZone: "America/Los_Angeles" }).formatRange(from, Math.max(from, to)));
}

/**
 * The name of a weekday.
 * @param {string} locale @param {number} weekday 1 is Monday @param {"long" | "short"} [width]
 */
export const sayWeekday = (locale, weekday, width = "long") =>
    format(locale, { weekday: width, timeZone: "UTC" }).format(midnight + (weekday - 1) * 86_400_000);

/**
 * The weekday of a date, 1 is Monday.
 * @param {string} date such as 2026-02-20
 */
export function weekdayOf(date) {
    const day = new Date(`${date}T00:00:00Z`).getUTCDay();
    return day === 0 ? 7 : day;
}

/**
 * The hours of Seattle's clock on a date, between 0 and 24; also where a day has 23 hours or 25.
 * @param {string} date @param {string | number} moment
 */
export function hoursInto(date, moment) {
    const at = typeof moment === "number" ? moment : Date.parse(moment);
    if (!Number.isFinite(at)) return 0;
    const own = seattleDate(at);
    if (own !== date) return own < date ? 0 : 24;
    return (clockMinutes(seattleClock(at)) ?? 0) / 60;
}
