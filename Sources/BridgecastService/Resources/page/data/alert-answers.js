// What the service answers about a person's alerts and reminders, read and checked.
import { asList, present } from "../core/checks.js";
import { numberOrNull, objects, oneOf, text, timeOf } from "./reading.js";

/** @typedef {"low" | "normal" | "high" | "critical"} Priority */
/**
 * @typedef {object} Reminder
 * @property {string} id
 * @property {string} favourite its name
 * @property {"trip" | "stop"} kind
 * @property {string} time such as 09:00
 * @property {string[]} days such as mon
 * @property {string} zone
 * @property {number} confidence
 * @property {number} lead minutes
 * @property {number} walk minutes
 * @property {boolean} isOn
 * @property {number | null} next milliseconds since 1970
 * @property {string} problem why it cannot be forecast, in English; empty if it can
 * @property {any} document as the service sent it
 */
/** @typedef {{ id: string, host: string, addedAt: number | null }} Browser */
/**
 * @typedef {object} Rule
 * @property {string} id
 * @property {"bridge" | "line" | "reminders" | "departure"} kind
 * @property {string} name of the bridge, line or departure
 * @property {boolean} up
 * @property {boolean} down
 * @property {number[]} stillUp minutes
 * @property {number | null} likely the chance from which on
 * @property {string[]} days
 * @property {string} from such as 07:00
 * @property {string} until such as 24:00
 * @property {Priority} priority
 */
/** @typedef {{ id: string, title: string, text: string, at: number | null, status: string }} Sent an alert that was decided on */
/**
 * @typedef {object} Alerts
 * @property {string | null} pushKey in base64url
 * @property {number | null} pausedUntil
 * @property {Browser[]} browsers
 * @property {number} maxBrowsers
 * @property {Rule[]} rules
 * @property {Sent[]} sent the newest first
 */

export const weekdays = /** @type {const} */ (["mon", "tue", "wed", "thu", "fri", "sat", "sun"]);
export const priorities = /** @type {const} */ (["low", "normal", "high", "critical"]);
const kinds = /** @type {const} */ (["bridge", "line", "reminders", "departure"]);
export const statuses = /** @type {const} */ (["waiting", "sending", "delivered", "unknown", "refused", "gave up", "too late",
    "missed", "paused", "superseded", "dropped"]);

/** @param {unknown} value such as mon+tue */
const daysOf = (value) => weekdays.filter((day) => text(value).split("+").includes(day));

/** @param {unknown} value @returns {string} a time zone that this browser knows */
function zoneOf(value) {
    try {
        return new Intl.DateTimeFormat("en", { timeZone: text(value) }).resolvedOptions().timeZone;
    } catch {
        return "America/Los_Angeles";
    }
}

/** @param {any} value @returns {Reminder | null} */
function readReminder(value) {
    if (text(value.id) === "" || text(value.favourite) === "" || !/^\d\d:\d\d$/.test(text(value.time))) return null;
    return {
        id: value.id, favourite: value.favourite, kind: value.kind === "stop" ? "stop" : "trip", time: value.time,
        days: daysOf(value.days), zone: zoneOf(value.zone), confidence: numberOrNull(value.confidence) ?? 0.9,
        lead: (numberOrNull(value.lead_s) ?? 0) / 60, walk: (numberOrNull(value.walk_s) ?? 0) / 60,
        isOn: value.on === true, next: timeOf(null, value.next_deadline), problem: text(value.problem), document: value,
    };
}

/** @param {any} document of /me/reminders @returns {Reminder[] | null} */
export const readReminders = (document) =>
    (Array.isArray(document?.reminders) ? present(objects(document.reminders).map(readReminder)) : null);

/** @param {any} value @returns {Browser | null} */
const readBrowser = (value) =>
    (text(value.id) === "" ? null : { id: value.id, host: text(value.host), addedAt: timeOf(null, value.added_at) });

/** @param {any} value @returns {Rule | null} */
function readRule(value) {
    const kind = oneOf(value.kind, kinds);
    if (text(value.id) === "" || !kind) return null;
    return {
        id: value.id, kind, name: text(value.bridge) || text(value.line) || text(value.name),
        up: value.up === true, down: value.down === true,
        stillUp: asList(value.still_up_min).filter((minutes) => Number.isInteger(minutes)),
        likely: numberOrNull(value.likely), days: daysOf(value.days), from: text(value.from), until: text(value.until),
        priority: oneOf(value.priority, priorities) ?? "normal",
    };
}

/** @param {any} value @returns {Sent | null} */
const readSent = (value) => (text(value.id) === "" || text(value.title) === "" ? null
    : { id: value.id, title: value.title, text: text(value.text), at: timeOf(null, value.at),
        status: oneOf(value.status, statuses) ?? "unknown" });

/** @param {any} document of /me/alerts @returns {Alerts | null} */
export function readAlerts(document) {
    if (!Array.isArray(document?.rules) || !Array.isArray(document.browsers)) return null;
    return {
        pushKey: text(document.push_key) || null, pausedUntil: timeOf(null, document.paused_until),
        browsers: present(objects(document.browsers).map(readBrowser)),
        maxBrowsers: numberOrNull(document.max_browsers) ?? 10,
        rules: present(objects(document.rules).map(readRule)), sent: present(objects(document.alerts).map(readSent)),
    };
}
