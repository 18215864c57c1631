// What the service answers about a person, read and checked: journeys, favourites, statistics.
import { asList, present } from "../core/checks.js";
import { numberOrNull, objects, oneOf, text, timeOf } from "./reading.js";

/** @typedef {"car" | "bike" | "walk" | "transit"} JourneyMode */
/**
 * @typedef {object} JourneyForecast what was forecast when it began
 * @property {string} way the route that ranked first
 * @property {number} expected seconds
 * @property {number} nine seconds that nine in ten do not exceed
 * @property {number} chance to be stopped at a bridge
 * @property {string[]} bridges their names, in order
 */
/**
 * @typedef {object} Journey
 * @property {string} id
 * @property {string} route the same for all journeys of one
 * @property {string} name such as Ballard -> Downtown
 * @property {JourneyMode} mode
 * @property {number} began milliseconds since 1970
 * @property {number} plannedArrival
 * @property {number | null} arrived
 * @property {boolean} isAbandoned
 * @property {boolean | null} wasStopped null where that is not known
 * @property {JourneyForecast | null} forecast
 * @property {any} document as the service sent it, to put it back
 */
/**
 * @typedef {object} Favourite
 * @property {string} id
 * @property {string} name
 * @property {{ kind: "trip", from: string, to: string, mode: JourneyMode }
 *     | { kind: "stop", line: string, stop: string, direction: string }} target
 * @property {number} refresh minutes; 0 for only when asked
 * @property {number | null} leaveBy when its reminders say to leave next, milliseconds since 1970
 * @property {number | null} lastUsed milliseconds since 1970
 * @property {number} uses
 * @property {number | null} average seconds
 * @property {any} document
 */
/** @typedef {"journal_page" | "statistics" | "learned_pace" | "moved_announcements"} Feature */
/**
 * @typedef {object} Person
 * @property {string} name
 * @property {number} journeys
 * @property {number} maxJourneys
 * @property {Journey | null} underWay
 * @property {Journey[]} recents
 * @property {Feature[]} features those that are switched on for this person
 */
/**
 * @typedef {object} Settings
 * @property {number} refresh minutes, of new favourites; 0 for only when asked
 * @property {number} lead seconds, of new reminders
 * @property {boolean} announcesMoves
 * @property {boolean} tracksJourneys
 * @property {boolean} keepsHistory a consent
 * @property {boolean} keepsLocation a consent
 */
/**
 * @typedef {object} RouteUse
 * @property {string} id
 * @property {string} name
 * @property {number} journeys
 * @property {number} arrived
 * @property {number} onTime
 * @property {number | null} delay mean, minutes
 * @property {number | null} atLeast the lower bound of the share that is on time
 * @property {Frequency} frequency
 */
/** @typedef {"daily" | "weekly" | "monthly" | "rarely"} Frequency */
/**
 * @typedef {object} Accuracy how good the forecasts were
 * @property {number} journeys
 * @property {number} error travel time minus expected time, minutes
 * @property {number} magnitude of it
 * @property {number} covered the share that took no longer than nine in ten should
 * @property {number} known journeys of which it is known whether they were stopped
 * @property {number} stopped
 * @property {number | null} skill the share of the reference's Brier score that the forecasts removed
 */
/**
 * @typedef {object} Statistics
 * @property {number} journeys
 * @property {number} arrived
 * @property {number} abandoned
 * @property {number | null} meanDelay minutes
 * @property {number | null} medianDelay
 * @property {number} threshold minutes that are still on time
 * @property {number[]} hours 24 counts
 * @property {number[]} weekdays 7 counts, Monday first
 * @property {{ month: string, journeys: number }[]} months
 * @property {RouteUse[]} routes
 * @property {Accuracy | null} forecasts
 */

export const journeyModes = /** @type {const} */ (["car", "bike", "walk", "transit"]);
export const refreshes = /** @type {const} */ ([0, 1, 2, 5, 10, 15]);
const features = /** @type {const} */ (["journal_page", "statistics", "learned_pace", "moved_announcements"]);
export const ranges = /** @type {const} */ (["week", "month", "quarter", "year", "all"]);
const frequencies = /** @type {const} */ (["daily", "weekly", "monthly", "rarely"]);

/** @param {unknown} value */
const count = (value) => Math.max(0, Math.trunc(numberOrNull(value) ?? 0));

/** @param {any} value @returns {Journey | null} */
export function readJourney(value) {
    const began = timeOf(null, value?.actual_departure ?? value?.planned_departure);
    const plannedArrival = timeOf(null, value?.planned_arrival);
    if (text(value?.id) === "" || began === null || plannedArrival === null) return null;
    return {
        id: value.id, route: text(value.route), name: text(value.name), began, plannedArrival,
        mode: oneOf(value.mode, journeyModes) ?? "car", arrived: timeOf(null, value.actual_arrival),
        isAbandoned: value.abandoned === true,
        wasStopped: typeof value.stopped === "boolean" ? value.stopped : null,
        forecast: readForecast(value), document: value,
    };
}

/** @param {any} value @returns {JourneyForecast | null} */
function readForecast(value) {
    const [expected, nine] = [numberOrNull(value.expected_s), numberOrNull(value.p90_s)];
    const chance = numberOrNull(value.probability_stopped);
    if (expected === null || nine === null || chance === null) return null;
    return { way: text(value.way), expected, nine, chance, bridges: asList(value.bridges).filter((name) => text(name) !== "") };
}

/** @param {any} document of /me/journeys @returns {Journey[]} */
export const readJourneys = (document) => present(objects(document?.journeys).map(readJourney));

/** @param {any} document of /me @returns {Person | null} */
export function readPerson(document) {
    if (typeof document?.name !== "string" || !Array.isArray(document.recents)) return null;
    return {
        name: document.name, journeys: count(document.journeys), maxJourneys: count(document.max_journeys),
        underWay: readJourney(document.under_way), recents: present(objects(document.recents).map(readJourney)),
        // A service that switches nothing names none.
        features: Array.isArray(document.features) ? features.filter((one) => document.features.includes(one)) : [...features],
    };
}

/** @param {any} document of /me/settings @returns {Settings | null} */
export function readSettings(document) {
    const refresh = refreshes.find((minutes) => minutes === document?.refresh_min);
    const lead = numberOrNull(document?.reminder_lead_s);
    const flags = ["announces_moves", "tracks_journeys", "keeps_history", "keeps_location"];
    if (refresh === undefined || lead === null || flags.some((name) => typeof document[name] !== "boolean")) return null;
    return {
        refresh, lead, announcesMoves: document.announces_moves, tracksJourneys: document.tracks_journeys,
        keepsHistory: document.keeps_history, keepsLocation: document.keeps_location,
    };
}

/** @param {any} value @param {readonly any[]} departures @returns {Favourite | null} */
function readFavourite(value, departures) {
    const target = readTarget(value);
    if (text(value.id) === "" || !target) return null;
    return {
        id: value.id, name: text(value.name), target, document: value,
        refresh: refreshes.find((minutes) => minutes === value.refresh_min) ?? 0,
        leaveBy: timeOf(null, departures.find(({ favourite }) => favourite === value.id)?.leave_by),
        lastUsed: timeOf(null, value.last_used_at), uses: count(value.use_count), average: numberOrNull(value.average_s),
    };
}

/** @param {any} value @returns {Favourite["target"] | null} */
function readTarget(value) {
    if (value.kind === "stop" && text(value.line) !== "" && text(value.stop) !== "") {
        return { kind: "stop", line: value.line, stop: value.stop, direction: text(value.direction) };
    }
    if (value.kind !== "trip" || text(value.from) === "" || text(value.to) === "") return null;
    return { kind: "trip", from: value.from, to: value.to, mode: oneOf(value.mode, journeyModes) ?? "car" };
}

/** @param {any} document of /me/favourites @returns {Favourite[]} */
export const readFavourites = (document) => present(objects(document?.favourites).map((one) =>
    readFavourite(one, objects(document.departures))));

/** @param {unknown} list @param {number} length @returns {number[]} */
const counts = (list, length) => Array.from({ length }, (_, n) => count(asList(list)[n]));

/** @param {any} document of /me/statistics @returns {Statistics | null} */
export function readStatistics(document) {
    if (!Number.isInteger(document?.journeys) || !Array.isArray(document.routes)) return null;
    return {
        journeys: document.journeys, arrived: count(document.arrived), abandoned: count(document.abandoned),
        meanDelay: numberOrNull(document.mean_delay_min), medianDelay: numberOrNull(document.median_delay_min),
        threshold: numberOrNull(document.threshold_min) ?? 5,
        hours: counts(document.hourly_pattern, 24), weekdays: counts(document.weekly_pattern, 7),
        months: objects(document.monthly_trend).filter(({ month }) => /^\d{4}-\d{2}$/.test(text(month)))
            .map(({ month, journeys }) => ({ month, journeys: count(journeys) })),
        routes: objects(document.routes).filter(({ name }) => text(name) !== "").map(readRouteUse),
        forecasts: readAccuracy(document.forecasts),
    };
}

/** @param {any} value @returns {RouteUse} */
const readRouteUse = (value) => ({
    id: text(value.route), name: value.name, journeys: count(value.journeys), arrived: count(value.arrived),
    onTime: count(value.on_time), delay: numberOrNull(value.mean_delay_min),
    atLeast: numberOrNull(value.reliability_lower_bound), frequency: oneOf(value.frequency, frequencies) ?? "rarely",
});

/** @param {any} value @returns {Accuracy | null} */
function readAccuracy(value) {
    const [error, magnitude] = [numberOrNull(value?.mean_error_min), numberOrNull(value?.mean_absolute_error_min)];
    const covered = numberOrNull(value?.p90_coverage);
    const journeys = count(value?.journeys);
    if (error === null || magnitude === null || covered === null || journeys === 0) return null;
    return {
        journeys, error, magnitude, covered, known: count(value.stops_known), stopped: count(value.stopped),
        skill: numberOrNull(value.brier_skill),
    };
}

/** @typedef {{ way: string, expected: number, nine: number, chance: number }} Outlook seconds */

/**
 * The route that ranks first now.
 * @param {any} document of /routes
 * @returns {Outlook | null}
 */
export function readOutlook(document) {
    const route = objects(document?.groups?.[0]?.routes)[0];
    const [expected, nine] = [numberOrNull(route?.travel_s?.mean), numberOrNull(route?.travel_s?.p90)];
    const chance = numberOrNull(route?.probability_stopped);
    if (expected === null || nine === null || chance === null) return null;
    return { way: text(route.name), expected, nine, chance };
}

/** @param {any} document of /me/import @returns {{ added: number, replaced: number, dropped: number, favourites: number }} */
export const readImport = (document) => ({
    added: count(document?.added), replaced: count(document?.replaced), dropped: count(document?.dropped),
    favourites: count(document?.favourites),
});

/**
 * The document that puts entries back which were removed.
 * @param {object} entries
 * @param {readonly Journey[]} [entries.journeys]
 * @param {readonly Favourite[]} [entries.favourites]
 * @param {readonly import("./alert-answers.js").Reminder[]} [entries.reminders]
 */
export const journalOf = ({ journeys = [], favourites = [], reminders = [] }) => JSON.stringify({
    format: "bridgecast-journal", version: 2,
    journeys: journeys.map(({ document }) => document), favourites: favourites.map(({ document }) => document),
    // The journal itself has neither the favourite's name nor the next deadline nor a problem.
    reminders: reminders.map(({ document: { favourite, kind, next_deadline, problem, ...own } }) => own),
});
