// The rules of a bridge as sentences in the visitor's language, and its week in one sentence.
import { clockMinutes, sayClockSpan, sayWeekday, sayWindow, seattleClock, weekdayOf } from "./time.js";

/** @typedef {import("../core/words.js").Words} Words */
/** @typedef {{ code: string, values?: Record<string, any> }} Fact */

/**
 * A rule of today; null for one that this page has no words for.
 * @param {Words} words @param {Fact} fact @returns {string | null}
 */
export function sayRule(words, fact) {
    const values = fact.values ?? {};
    const key = `bridge.rule.${fact.code}`;
    const span = (/** @type {any} */ window) => sayClockSpan(words.locale, window?.from, window?.to);
    switch (fact.code) {
        case "no_closed_hours": case "no_closed_hours_today": return words.t(key);
        case "closed_hours": {
            const windows = Array.isArray(values.windows) ? values.windows.map(span) : [];
            if (windows.length === 0) return null;
            const hours = words.list(windows);
            const tons = Number(values.exempt_gross_tons);
            return values.exempt_gross_tons ? words.t(`${key}_but`, { hours, tons }) : words.t(key, { hours });
        }
        case "half_hour_only": return words.t(key, { hours: span(values) });
        case "night_notice": return words.t(key, { hours: span(values), n: Number(values.notice_h) });
        case "regulation": return words.t(key, { section: String(values.section ?? "") });
        default: return null;
    }
}

/**
 * Small boats wait 7 to 9 and 16 to 18 on weekdays.
 * @param {Words} words @param {{ date: string, windows: import("../core/types").Window[] }[]} week
 */
export function sayWeek(words, week) {
    /** @type {Map<string, number[]>} */
    const daysByHours = new Map();
    for (const { date, windows } of week) {
        if (windows.length === 0) continue;
        const hours = words.list(windows.map((window) => sayWindow(words.locale, window)));
        daysByHours.set(hours, [...(daysByHours.get(hours) ?? []), weekdayOf(date)]);
    }
    if (daysByHours.size === 0) return words.t("bridge.week_free");
    return [...daysByHours].map(([hours, days]) => {
        const sorted = [...days].sort((a, b) => a - b);
        if (sorted.join() === "1,2,3,4,5") return words.t("bridge.week_weekdays", { hours });
        if (sorted.length === 7) return words.t("bridge.week_daily", { hours });
        const names = words.list(sorted.map((day) => sayWeekday(words.locale, day)));
        return words.t("bridge.week_days", { hours, days: names });
    }).join(" ");
}

/**
 * Whether a time is within the hours of a rule.
 * @param {Fact} fact with from and to @param {number} now
 */
function holds(fact, now) {
    const [from, to] = [clockMinutes(fact.values?.from), clockMinutes(fact.values?.to)];
    const at = clockMinutes(seattleClock(now)) ?? 0;
    if (from === null || to === null) return false;
    return from <= to ? at >= from && at < to : at >= from || at < to;
}

/**
 * When a boat that is too high may have its opening.
 * @param {Words} words @param {import("../core/types").BridgeDocument} document @param {number} now
 */
export function sayWhenOpens(words, document, now) {
    const window = document.closed_windows_today
        ?.find(({ from, to }) => Date.parse(from) <= now && now < Date.parse(to));
    if (window) return words.t("bridge.vessel_until", { time: words.time(window.to) });
    const facts = document.rule_facts ?? [];
    const held = (/** @type {string} */ code) => facts.find((fact) => fact.code === code && holds(fact, now));
    if (held("half_hour_only")) return words.t("bridge.vessel_half_hour");
    const notice = held("night_notice");
    if (notice) return words.t("bridge.vessel_notice", { n: Number(notice.values?.notice_h) });
    return words.t("bridge.vessel_signal");
}
