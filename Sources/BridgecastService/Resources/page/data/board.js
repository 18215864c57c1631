// What the service answers about stops and their departures, read and checked.
import { present } from "../core/checks.js";
import { numberOrNull, objects, oneOf, readAlerts, text, textOrNull, timeOf } from "./reading.js";

/** @typedef {"unknown" | "accessible" | "inaccessible"} Wheelchair */
/** @typedef {{ id: string, title: string, color: string | null, lettering: string | null }} LineBadgeName */
/**
 * @typedef {object} Stop
 * @property {string} id
 * @property {string} name
 * @property {string | null} code what is written on its sign
 * @property {string | null} platform
 * @property {Wheelchair} wheelchair
 * @property {number | null} metres from the visitor
 * @property {LineBadgeName[]} lines that call there; empty where the answer does not say
 */
/**
 * @typedef {object} BridgeAhead a drawbridge before a stop
 * @property {number} id
 * @property {string} name
 * @property {number | null} at when it is reached, milliseconds since 1970
 * @property {"vehicle" | "prediction" | "timetable"} basis
 * @property {boolean} isWaiting
 * @property {number | null} raisedSince
 * @property {number | null} chance to be stopped there
 * @property {number | null} meanSeconds of delay there, stopped or not
 */
/**
 * @typedef {object} Times of a departure, or of a stop of a run
 * @property {number | null} at the time to expect, milliseconds since 1970; null where it does not come
 * @property {number | null} scheduledAt
 * @property {boolean} isPredicted
 * @property {boolean} isApproximate
 * @property {number | null} delay seconds
 * @property {string} status such as late
 * @property {Confidence} confidence
 * @property {string | null} platform
 * @property {string | null} plannedPlatform where it is another one
 * @property {Wheelchair} wheelchair
 * @property {string | null} crowding such as Low
 */
/** @typedef {"HIGH" | "MEDIUM" | "LOW" | "NONE"} Confidence */
/** @typedef {"local" | "limited" | "express"} ServiceClass */
/**
 * @typedef {object} Own
 * @property {string} key
 * @property {string} trip
 * @property {string | null} date of service
 * @property {LineBadgeName} line
 * @property {string} headsign
 * @property {number | null} direction
 * @property {ServiceClass | null} serviceClass
 * @property {BridgeAhead[]} bridges
 * @property {{ meanSeconds: number, chance: number } | null} bridgeDelay at all of them
 */
/** @typedef {Own & Times} Departure */
/**
 * @typedef {object} StopBoard
 * @property {Stop} stop
 * @property {Stop[]} nearby others, where the board is that of a place
 * @property {number} at the time that it is about, milliseconds since 1970
 * @property {number | null} validUntil
 * @property {string | null} noService why nothing runs, English
 * @property {Map<number, string>} directions their names
 * @property {Departure[]} departures
 * @property {import("./reading.js").Alert[]} alerts
 * @property {{ code: "noData" | "apiError", message: string, recovery: string } | null} problem
 * @property {string | null} zone
 */

const maxDepartures = 200;
const statuses = /** @type {const} */ (
    ["scheduled", "on_time", "late", "early", "cancelled", "skipped", "added", "no_data"]);
const wheelchairs = /** @type {const} */ (["accessible", "inaccessible"]);
const bases = /** @type {const} */ (["vehicle", "prediction", "timetable"]);

/** @param {any} document of a stop's board, or of the nearest stop's @returns {StopBoard | null} */
export function readBoard(document) {
    const data = document?.data?.board ?? document?.data;
    const stop = readStop(data?.stop);
    const at = timeOf(null, data?.as_of ?? document?.valid_at);
    if (!stop || at === null || !Array.isArray(data.departures)) return null;
    return {
        stop, at, nearby: present(objects(document.data.stops).map(readStop)).filter(({ id }) => id !== stop.id),
        validUntil: timeOf(null, data.valid_until), noService: textOrNull(data.no_service),
        directions: new Map(objects(data.directions)
            .filter(({ direction, name }) => text(name) !== "" && Number.isInteger(direction))
            .map(({ direction, name }) => [direction, name])),
        departures: present(objects(data.departures).slice(0, maxDepartures).map(readDeparture)),
        alerts: readAlerts(data.alerts),
        problem: readProblem(data.problem), zone: textOrNull(document.time_zone),
    };
}

/** @param {any} value */
function readProblem(value) {
    const code = oneOf(value?.code, /** @type {const} */ (["noData", "apiError"]));
    return code && { code, message: text(value.message), recovery: text(value.recovery) };
}

/** @param {any} value @returns {Stop | null} */
export function readStop(value) {
    if (text(value?.id) === "") return null;
    return {
        id: value.id, name: text(value.name) || value.id,
        code: textOrNull(value.code), platform: textOrNull(value.platform),
        wheelchair: oneOf(value.wheelchair, wheelchairs) ?? "unknown", metres: numberOrNull(value.distance_m),
        lines: objects(value.lines).filter(({ id }) => text(id) !== "").map(({ id, title, color, text_color }) =>
            ({ id, title: text(title) || id, color: textOrNull(color), lettering: textOrNull(text_color) })),
    };
}

/** @param {any} document of /stops @returns {Stop[]} */
export const readStops = (document) => present(objects(document?.data?.stops).map(readStop));

/** @param {any} value @returns {Departure | null} */
function readDeparture(value) {
    const times = readTimes(value);
    if (text(value.trip_id) === "" || (times.at === null && times.scheduledAt === null)) return null;
    return {
        ...times, trip: value.trip_id, date: textOrNull(value.service_date),
        // A run may come by twice; its platform may change.
        key: [value.trip_id, text(value.service_date), text(value.start_time), times.scheduledAt ?? ""].join(" "),
        line: readLine(value), headsign: text(value.headsign),
        direction: value.direction === 0 || value.direction === 1 ? value.direction : null,
        serviceClass: readClass(value), bridges: readBridges(value.bridges), bridgeDelay: readDelay(value.bridge_delay),
    };
}

/** @param {any} value a departure or a run @returns {LineBadgeName} */
export const readLine = (value) => ({
    id: text(value.route_id), title: text(value.route), color: textOrNull(value.route_color),
    lettering: textOrNull(value.route_text_color),
});

const classes = /** @type {const} */ (["local", "limited", "express"]);

/** @param {any} value @returns {ServiceClass | null} */
export const readClass = (value) => oneOf(value.service_class, classes);

/** @param {any} value a departure, or a stop of a run @returns {Times} */
export function readTimes(value) {
    const status = oneOf(value.status, statuses) ?? "scheduled";
    const isComing = status !== "cancelled" && status !== "skipped";
    const crowding = text(value.occupancy);
    return {
        at: isComing ? timeOf(value.expected_epoch_s, value.expected) : null,
        scheduledAt: timeOf(value.scheduled_departure_epoch_s, value.scheduled_departure)
            ?? timeOf(value.scheduled_arrival_epoch_s, value.scheduled_arrival),
        isPredicted: text(value.predicted_departure) !== "" || text(value.predicted_arrival) !== "",
        isApproximate: value.approximate === true, delay: numberOrNull(value.delay_s), status,
        confidence: oneOf(value.confidence, /** @type {const} */ (["HIGH", "MEDIUM", "LOW"])) ?? "NONE",
        platform: textOrNull(value.platform), plannedPlatform: textOrNull(value.planned_platform),
        wheelchair: oneOf(value.wheelchair, wheelchairs) ?? "unknown",
        crowding: crowding === "" || crowding === "no data" ? null : crowding,
    };
}

/** @param {unknown} list @returns {BridgeAhead[]} */
export const readBridges = (list) => objects(list).filter(({ bridge, bridge_id }) =>
    text(bridge) !== "" && Number.isInteger(bridge_id)).map((one) => ({
    id: one.bridge_id, name: one.bridge, at: timeOf(one.eta_epoch_s, one.eta),
    basis: oneOf(one.eta_basis, bases) ?? "timetable",
    isWaiting: one.is_waiting === true, raisedSince: timeOf(one.raised_since_epoch_s, one.raised_since),
    chance: chanceOf(one.probability_stopped), meanSeconds: numberOrNull(one.delay_s?.mean),
}));

/** @param {any} value */
function readDelay(value) {
    const [meanSeconds, chance] = [numberOrNull(value?.mean_s), chanceOf(value?.probability_stopped)];
    return meanSeconds === null || chance === null ? null : { meanSeconds, chance };
}

/** @param {unknown} value */
function chanceOf(value) {
    const chance = numberOrNull(value);
    return chance !== null && chance >= 0 && chance <= 1 ? chance : null;
}
