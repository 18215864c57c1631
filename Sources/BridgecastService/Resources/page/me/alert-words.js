// Rules, reminders and what became of alerts, as text.
import { dateFormat } from "../core/words.js";
import { weekdays } from "../data/alert-answers.js";
import { personZone, sayDayAndTime, sayPercent } from "./words.js";

/** @typedef {import("../core/words.js").Words} Words */
/** @typedef {import("../data/alert-answers.js").Rule} Rule */
/** @typedef {import("../data/alert-answers.js").Reminder} Reminder */

// A Monday.
const monday = Date.UTC(2024, 0, 1);
const dayMilliseconds = 86_400_000;

/** @param {Words} words @param {string} day such as mon @param {"short" | "long"} [width] */
export const sayWeekday = (words, day, width = "short") => dateFormat(words.locale, { weekday: width, timeZone: "UTC" })
    .format(monday + weekdays.findIndex((one) => one === day) * dayMilliseconds);

/**
 * A time of day.
 * @param {Words} words @param {string} clock such as 09:00
 */
export function sayClock(words, clock) {
    const [hours, minutes] = clock.split(":").map(Number);
    return dateFormat(words.locale, { hour: "numeric", minute: "2-digit", timeZone: "UTC" })
        .format(monday + (hours * 60 + minutes) * 60_000);
}

/**
 * Every day; Mon to Fri; or the days.
 * @param {Words} words @param {readonly string[]} days
 */
export function sayDays(words, days) {
    if (days.length === 7) return words.t("me.days.daily");
    const first = weekdays.findIndex((day) => day === days[0]);
    const isRow = days.length > 2 && days.every((day, n) => day === weekdays[first + n]);
    if (!isRow) return words.list(days.map((day) => sayWeekday(words, day)));
    return words.t("me.days.row", { first: sayWeekday(words, days[0]), last: sayWeekday(words, days[days.length - 1]) });
}

/** @param {Words} words @param {Pick<Rule, "days" | "from" | "until">} hours */
export function sayHours(words, { days, from, until }) {
    if (from === "00:00" && until === "24:00") return sayDays(words, days);
    return words.t("me.rule.hours", { days: sayDays(words, days), from: sayClock(words, from), until: sayClock(words, until) });
}

/** @param {Words} words @param {Rule} rule */
export function saySubject(words, { kind, name, up, down, stillUp, likely }) {
    if (kind === "line") return words.t("me.rule.of_line", { line: name });
    if (kind === "reminders") return words.t("me.rule.of_reminders");
    if (kind === "departure") return words.t("me.rule.of_departure", { name });
    const parts = [];
    if (up) parts.push(words.t("me.rule.up"));
    if (likely !== null) parts.push(words.t("me.rule.likely_from", { share: sayPercent(words, likely) }));
    if (stillUp.length > 0) parts.push(words.t("me.rule.still_up_after", { minutes: stillUp.join(", ") }));
    if (down) parts.push(words.t("me.rule.down"));
    return words.t("me.rule.of_bridge", { bridge: name, parts: words.list(parts) });
}

/** @param {Words} words @param {Rule} rule */
export function sayRule(words, rule) {
    const text = words.t("me.rule.sentence", { subject: saySubject(words, rule), hours: sayHours(words, rule) });
    return rule.priority === "normal" ? text
        : `${text} ${words.t("me.rule.with_priority", { priority: words.t(`me.priority.${rule.priority}`) })}`;
}

/** @param {Words} words @param {Reminder} reminder */
export function sayReminder(words, { favourite, kind, time, days, confidence, lead, walk }) {
    const values = { name: favourite, time: sayClock(words, time), days: sayDays(words, days) };
    const goal = kind === "trip" ? words.t("me.reminder.by", { ...values, share: sayPercent(words, confidence) })
        : words.t("me.reminder.catching", { ...values, walk: words.duration(walk * 60) });
    return `${goal} ${words.t("me.reminder.lead", { age: words.duration(lead * 60) })}`;
}

/**
 * When it holds next, by its own clock, which is named where it is not that of this device.
 * @param {Words} words @param {Reminder} reminder
 */
export function sayNext(words, { isOn, next, zone }) {
    if (!isOn) return words.t("me.reminder.off");
    if (next === null) return "";
    const time = sayDayAndTime(words, next, zone);
    return zone === personZone() ? words.t("me.reminder.next", { time })
        : words.t("me.reminder.next_in_zone", { time, zone: zone.replaceAll("_", " ") });
}

/** @param {Words} words @param {string} status such as gave up */
export const sayStatus = (words, status) => words.t(`me.sent.${status.replaceAll(" ", "_")}`);
