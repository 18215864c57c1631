// A trip as the address says it, and the questions to the service that it makes. Pure; used by the trip's views.
import { mostCharacters } from "../core/router.js";
import { seattleClock, seattleDate, seattleMoment, seattleText } from "./seattle.js";

/** @typedef {"now" | "leave" | "arrive"} When */
/**
 * @typedef {object} Trip
 * @property {string} from
 * @property {string} to
 * @property {import("../core/types").Mode} mode
 * @property {When} when
 * @property {number | null} moment to leave at or to arrive by, milliseconds since 1970; null for now
 * @property {"unreadable" | "past" | "far" | null} timeTrouble why the time cannot be asked for
 * @property {number} sure how sure to be of arriving in time
 */

/** The levels that can be chosen: 5, 8, 9 in 10 and 19 in 20. */
export const levels = [0.5, 0.8, 0.9, 0.95];
/** @param {number} sure @returns {string} its name in the messages' keys */
export const levelName = (sure) => String(Math.round(sure * 100));
/** @type {import("../core/types").Mode[]} */
export const modes = ["car", "bike", "walk"];

const minute = 60_000;
// A time of the last minutes still means "now": a minute goes by while one chooses.
const pastSlackMilliseconds = 5 * minute;
/** The service forecasts departures up to so far ahead. */
export const farthestMilliseconds = 366 * 24 * 60 * minute;

/**
 * @param {Record<string, string>} values of the address
 * @param {number} now milliseconds
 * @returns {Trip}
 */
export function readTrip(values, now) {
    const mode = modes.find((one) => one === values.mode) ?? "car";
    const asked = Number(values.sure);
    const sure = levels.includes(asked) ? asked : 0.9;
    /** @type {When} */
    const when = values.arrive ? "arrive" : values.leave ? "leave" : "now";
    const moment = when === "now" ? null : readMoment(values[when], now);
    const isPast = moment !== null && moment < now - (when === "leave" ? pastSlackMilliseconds : 0);
    const isFar = moment !== null && moment > now + farthestMilliseconds;
    return {
        from: (values.from ?? "").trim(), to: (values.to ?? "").trim(), mode, sure, when, moment,
        timeTrouble: when === "now" ? null : moment === null ? "unreadable" : isPast ? "past" : isFar ? "far" : null,
    };
}

/**
 * A wall clock's time with its day, or of the day that is shown.
 * @param {string} text @param {number} now
 */
function readMoment(text, now) {
    const clock = /^(\d{1,2}):(\d{2})$/.exec(text);
    return seattleMoment(clock ? `${seattleDate(now)}T${clock[1].padStart(2, "0")}:${clock[2]}` : text.slice(0, 16));
}

/**
 * As the address and a field say a time: 2026-02-20T18:30.
 * @param {number} moment
 */
export const wallText = (moment) => `${seattleDate(moment)}T${seattleClock(moment)}`;

/**
 * A time to begin with when the visitor turns to another way of saying when, on five minutes.
 * @param {When} when @param {number} now
 */
export function proposedMoment(when, now) {
    const ahead = when === "arrive" ? 60 * minute : 15 * minute;
    return wallText(Math.ceil((now + ahead) / (5 * minute)) * 5 * minute);
}

/**
 * Whether a place is one picked on a map or told by the browser: 47.6,-122.3.
 * @param {string} place
 */
export const isPoint = (place) => /^-?[\d.]+,\s*-?[\d.]+$/.test(place);

/**
 * A place's name; one without is a point on the map.
 * @param {import("../core/words.js").Words} words @param {string} place
 */
export const sayPlace = (words, place) => (isPoint(place) ? words.t("trip.point") : place);

/**
 * Which of the two places is too long to be one.
 * @param {Trip} trip @returns {"from" | "to" | null}
 */
export const tooLongEnd = (trip) =>
    (trip.from.length > mostCharacters ? "from" : trip.to.length > mostCharacters ? "to" : null);

/** @param {Trip} trip */
const ends = (trip) => `from=${encodeURIComponent(trip.from)}&to=${encodeURIComponent(trip.to)}&mode=${trip.mode}`;

/**
 * Whether it says enough to be asked for.
 * @param {Trip} trip
 */
export const isAskable = (trip) =>
    trip.from !== "" && trip.to !== "" && trip.timeTrouble === null && tooLongEnd(trip) === null;

/**
 * The question when to leave.
 * @param {Trip} trip @param {number} now
 * @returns {string | null}
 */
export function departPath(trip, now) {
    if (!isAskable(trip)) return null;
    if (trip.when !== "arrive") return `depart?${ends(trip)}${departing(trip.moment, now)}`;
    return `depart?${ends(trip)}&arrive_by=${written(Number(trip.moment))}&confidence=${trip.sure}`;
}

/**
 * The question which way to take.
 * @param {Trip} trip @param {number} now
 * @param {number | null} leaveBy when to leave so as to arrive in time; null: now
 * @returns {string | null}
 */
export function routesPath(trip, now, leaveBy) {
    if (!isAskable(trip)) return null;
    if (trip.when !== "arrive") return `routes?${ends(trip)}${departing(trip.moment, now)}`;
    const departure = leaveBy === null ? null : Math.floor(leaveBy / minute) * minute;
    const isMet = departure === null ? now < Number(trip.moment) - minute : true;
    const arriving = isMet ? `&arrive_by=${written(Number(trip.moment))}` : "";
    return `routes?${ends(trip)}${departing(departure, now)}${arriving}`;
}

/** @param {number} moment */
const written = (moment) => encodeURIComponent(seattleText(moment));

/**
 * What is about now is left out, and the service says when that is.
 * @param {number | null} moment @param {number} now
 */
const departing = (moment, now) => (moment === null || moment < now + minute ? "" : `&depart=${written(moment)}`);
