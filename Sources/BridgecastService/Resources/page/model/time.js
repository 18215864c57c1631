// Seattle's clock and calendar as text and back, and hours and spans in the visitor's way: 3 PM, 7:00 to 9:00 AM, Mon.
import { dateFormat } from "../core/words.js";

const wallFormat = dateFormat("en-CA", {
    hourCycle: "h23",
    year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit",
});

/** @param {number} milliseconds since 1970 @returns {Record<string, string>} year, month, day, hour, minute, second */
function parts(milliseconds) {
    return Object.fromEntries(wallFormat.formatToParts(milliseconds).map((part) => [part.type, part.value]));
}

/**
 * 2026-02-20
 * @param {number} milliseconds
 */
export function seattleDate(milliseconds) {
    const p = parts(milliseconds);
    return `${p.year}-${p.month}-${p.day}`;
}

/**
 * 18:05
 * @param {number} milliseconds
 */
export function seattleClock(milliseconds) {
    const p = parts(milliseconds);
    return `${p.hour}:${p.minute}`;
}

/**
 * Seattle's distance from UTC at a time, milliseconds.
 * @param {number} milliseconds
 */
function offset(milliseconds) {
    const p = parts(milliseconds);
    const wall = Date.UTC(+p.year, +p.month - 1, +p.day, +p.hour, +p.minute, +p.second);
    return wall - Math.floor(milliseconds / 1000) * 1000;
}

/**
 * RFC 3339 with Seattle's offset: the same hour comes twice when summer time ends.
 * @param {number} milliseconds
 */
export function seattleText(milliseconds) {
    const p = parts(milliseconds);
    const minutes = Math.round(Math.abs(offset(milliseconds)) / 60_000);
    const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
    const sign = offset(milliseconds) < 0 ? "-" : "+";
    const zone = `${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
    return `${p.year}-${p.month}-${p.day}T${p.hour}:${p.minute}:${p.second}${zone}`;
}

/**
 * The time of a wall clock in Seattle; the first of two, and the later one of an hour that is skipped.
 * @param {string} text such as 2026-02-20T18:05 or 2026-02-20
 * @returns {number | null} milliseconds since 1970; null if that is no such time
 */
export function seattleTime(text) {
    const match = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(text);
    if (!match) return null;
    const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0));
    if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return null;
    const wall = Date.UTC(year, month - 1, day, hour, minute, second);
    if (new Date(wall).getUTCDate() !== day) return null;
    // Summer time is UTC-7, standard time UTC-8.
    const guesses = [7, 8].map((hours) => wall + hours * 3_600_000);
    const right = guesses.filter((guess) => guess + offset(guess) === wall);
    return right.length > 0 ? Math.min(...right) : Math.max(...guesses);
}

const seattleClockFormat = /** @type {const} */ ({ hour: "numeric", minute: "2-digit" });
const clockFormat = /** @type {const} */ ({ ...seattleClockFormat, timeZone: "UTC" });
// Any day will do where only the time of day is shown.
const midnight = Date.UTC(2026, 0, 5);

/**
 * 3 PM or 15.
 * @param {string} locale @param {number} hour 0 to 24
 */
export const sayHour = (locale, hour) =>
    dateFormat(locale, { hour: "numeric", timeZone: "UTC" }).format(midnight + hour * 3_600_000);

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
    const time = dateFormat(locale, clockFormat);
    const [from, to] = [midnight + start * 60_000, midnight + end * 60_000];
    // A span to midnight or over it ends on the next day, which the words need not say.
    return joined(end <= start || end >= 1440 ? `${time.format(from)}–${time.format(to)}` : time.formatRange(from, to));
}

/**
 * A span between two times, by Seattle's clock.
 * @param {string} locale @param {import("../core/types").Window} window
 */
export function sayWindow(locale, window) {
    const [from, to] = [Date.parse(window.from), Date.parse(window.to)];
    if (!Number.isFinite(from) || !Number.isFinite(to)) return "–";
    return joined(dateFormat(locale, seattleClockFormat).formatRange(from, Math.max(from, to)));
}

/**
 * The name of a weekday.
 * @param {string} locale @param {number} weekday 1 is Monday @param {"long" | "short"} [width]
 */
export const sayWeekday = (locale, weekday, width = "long") =>
    dateFormat(locale, { weekday: width, timeZone: "UTC" }).format(midnight + (weekday - 1) * 86_400_000);

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
 * @param {string} date @param {string | number} time
 */
export function hoursInto(date, time) {
    const at = typeof time === "number" ? time : Date.parse(time);
    if (!Number.isFinite(at)) return 0;
    const own = seattleDate(at);
    if (own !== date) return own < date ? 0 : 24;
    return (clockMinutes(seattleClock(at)) ?? 0) / 60;
}
