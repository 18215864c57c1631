// What the service answers about lines, read and checked: maps, vehicles, arrivals, and lists of lines.
import { asList, present } from "../core/checks.js";
import { objects, readAlerts, text, timeOf } from "./reading.js";

/** @typedef {import("../model/geo.js").Position} Position */
/**
 * @typedef {object} LineName a line in a list
 * @property {string} id
 * @property {string} title what riders call it
 * @property {string} longName may be empty
 * @property {string | null} color #RRGGBB
 * @property {string} kind such as bus or tram
 */
/** @typedef {{ id: string, along: number }} OnWay a stop or a bridge on a way, metres from its beginning */
/**
 * @typedef {object} Way the line of one pattern
 * @property {number} pattern
 * @property {number | null} direction
 * @property {string} headsign
 * @property {boolean} isMain
 * @property {number} length metres
 * @property {Position[]} points
 * @property {OnWay[]} stops
 * @property {OnWay[]} bridges
 */
/** @typedef {{ id: string, name: string, place: Position }} LineStop */
/** @typedef {{ id: number, name: string, place: Position }} LineBridge */
/**
 * @typedef {object} LineMap
 * @property {LineName} line
 * @property {string | null} zone
 * @property {Way[]} ways the main ones last, so that they are drawn on top
 * @property {LineStop[]} stops
 * @property {LineBridge[]} bridges
 */
/**
 * @typedef {object} NextStop
 * @property {string} id
 * @property {string} name
 * @property {number} along metres
 * @property {number} arrivesAt milliseconds since 1970
 * @property {number} leavesAt
 */
/** @typedef {{ stop: string, at: number, confidence: string }} AtStop */
/**
 * @typedef {object} Vehicle
 * @property {string} id
 * @property {string} label
 * @property {string} routeID
 * @property {string} run
 * @property {number | null} pattern null away from its ways
 * @property {Position} place
 * @property {number} bearing degrees
 * @property {number} along metres
 * @property {string} headsign
 * @property {number | null} direction
 * @property {number | null} delay seconds
 * @property {"early" | "on_time" | "late" | null} band
 * @property {string | null} crowding such as High
 * @property {boolean} isCrowded
 * @property {boolean} isStale
 * @property {NextStop[]} nextStops
 * @property {AtStop | null} atStop
 */
/** @typedef {{ validAt: number, vehicles: Vehicle[], alerts: import("./reading.js").Alert[] }} Positions */
/**
 * @typedef {object} Arrival
 * @property {string} key
 * @property {number} at milliseconds since 1970
 * @property {string} headsign
 * @property {string} confidence HIGH, MEDIUM, LOW or NONE
 * @property {boolean} isPredicted
 * @property {{ seconds: number, chance: number } | null} bridge what a bridge on the way adds if it stops the bus
 */

const maxVehicles = 500;
const crowdedStatuses = new Set(["High", "Very crowded"]);
const bands = new Set(["early", "on_time", "late"]);
const confidences = new Set(["HIGH", "MEDIUM", "LOW", "NONE"]);

/** @param {unknown} value @returns {value is number} */
const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

/** @param {any} value @returns {value is Position} */
const isPosition = (value) => Array.isArray(value) && isNumber(value[0]) && isNumber(value[1])
    && Math.abs(value[0]) <= 180 && Math.abs(value[1]) <= 90;

/** @param {any} line @returns {LineName | null} */
function readName(line) {
    if (text(line?.id) === "") return null;
    return {
        id: line.id, title: text(line.title) || text(line.short_name) || line.id, longName: text(line.long_name),
        color: text(line.color) || null, kind: text(line.kind) || "bus",
    };
}

/** @param {any} document of /lines @returns {LineName[]} */
export const readLines = (document) =>
    present(asList(document?.data?.lines).map(readName));

/** @param {any} document of /routes/{id}/map @returns {LineMap | null} null where that has no line to draw */
export function readLineMap(document) {
    const line = readName(document?.route);
    const features = objects(document?.features).filter((feature) => feature.properties && feature.geometry);
    const ofKind = (/** @type {string} */ kind) => features.filter(({ properties }) => properties.feature === kind);
    const ways = present(ofKind("line").map(readWay)).sort((a, b) => Number(a.isMain) - Number(b.isMain));
    if (!line || ways.length === 0) return null;
    const points = (/** @type {string} */ kind) =>
        ofKind(kind).filter(({ geometry }) => isPosition(geometry.coordinates));
    return {
        line, zone: text(document.time_zone) || null, ways,
        stops: points("stop").filter(({ properties }) => text(properties.id) !== "").map(({ properties, geometry }) =>
            ({ id: properties.id, name: text(properties.name) || properties.id, place: geometry.coordinates })),
        bridges: points("bridge").filter(({ properties }) => isNumber(properties.bridge_id))
            .map(({ properties, geometry }) =>
                ({ id: properties.bridge_id, name: text(properties.name), place: geometry.coordinates })),
    };
}

/** @param {any} feature @returns {Way | null} */
function readWay({ properties, geometry }) {
    const points = asList(geometry.coordinates).filter(isPosition);
    if (!Number.isInteger(properties.pattern) || points.length < 2 || !(properties.length_m >= 0)) return null;
    const onWay = (/** @type {any} */ list, /** @type {string} */ name) =>
        objects(list).filter((one) => isNumber(one.along_m))
            .map((one) => ({ id: String(one[name]), along: one.along_m }));
    return {
        pattern: properties.pattern, direction: isNumber(properties.direction) ? properties.direction : null,
        headsign: text(properties.headsign), isMain: properties.is_main === true, length: properties.length_m,
        points, stops: onWay(properties.stops, "id"), bridges: onWay(properties.bridges, "bridge_id"),
    };
}

/** @param {any} document of /realtime @returns {Positions | null} null where that is no such answer */
export function readPositions(document) {
    const validAt = Date.parse(document?.valid_at);
    if (!Number.isFinite(validAt) || !Array.isArray(document?.data?.vehicles)) return null;
    const vehicles = present(objects(document.data.vehicles).slice(0, maxVehicles).map(readVehicle));
    const ids = new Set();
    return {
        validAt, vehicles: vehicles.filter(({ id }) => !ids.has(id) && ids.add(id)),
        alerts: readAlerts(document.data.alerts),
    };
}

/** @param {any} given @returns {Vehicle | null} */
function readVehicle(given) {
    const place = [given.lon, given.lat];
    if (text(given.id) === "" || !isPosition(place)) return null;
    const isOnWay = Number.isInteger(given.pattern) && isNumber(given.along_m) && given.off_route !== true;
    const crowding = text(given.occupancy);
    return {
        id: given.id, label: text(given.label) || given.id, routeID: text(given.route_id),
        run: text(given.run?.trip_id) || text(given.trip_id), pattern: isOnWay ? given.pattern : null, place,
        bearing: isNumber(given.bearing) ? given.bearing : 0, along: isOnWay ? given.along_m : 0,
        headsign: text(given.headsign), direction: isNumber(given.direction) ? given.direction : null,
        delay: isNumber(given.delay_s) ? given.delay_s : null,
        band: bands.has(given.status) ? given.status : null,
        crowding: crowding === "" || crowding === "no data" ? null : crowding,
        isCrowded: crowdedStatuses.has(crowding), isStale: given.stale === true,
        nextStops: present(objects(given.next_stops).slice(0, 3).map(readNextStop)),
        atStop: readAtStop(given.at_stop),
    };
}

/** @param {any} stop @returns {NextStop | null} */
function readNextStop(stop) {
    const arrival = timeOf(stop.arrival_epoch_s, stop.arrival);
    const departure = timeOf(stop.departure_epoch_s, stop.departure);
    const arrivesAt = arrival ?? departure;
    if (arrivesAt === null || text(stop.stop_id) === "" || !isNumber(stop.along_m)) return null;
    return {
        id: stop.stop_id, name: text(stop.stop_name) || stop.stop_id, along: stop.along_m, arrivesAt,
        leavesAt: Math.max(arrivesAt, departure ?? arrivesAt),
    };
}

/** @param {any} value @returns {AtStop | null} */
function readAtStop(value) {
    const at = timeOf(value?.arrival_at_epoch_s, value?.arrival_at);
    return at === null || text(value?.stop_id) === "" ? null
        : { stop: value.stop_id, at, confidence: confidenceOf(value.confidence) };
}

/** @param {unknown} value */
const confidenceOf = (value) => (confidences.has(text(value)) ? text(value) : "NONE");

/** @param {any} document of /stops/{id}/predictions @returns {Arrival[] | null} null where that is no such answer */
export function readArrivals(document) {
    if (!Array.isArray(document?.data?.predictions)) return null;
    return present(objects(document.data.predictions).map(readArrival)).sort((a, b) => a.at - b.at);
}

/** @param {any} given @returns {Arrival | null} */
function readArrival(given) {
    const at = timeOf(given.arrival_at_epoch_s, given.arrival_at);
    if (at === null) return null;
    return {
        key: `${text(given.trip_id)} ${text(given.stop_id)}`, at, headsign: text(given.headsign),
        confidence: confidenceOf(given.confidence), isPredicted: given.predicted === true,
        bridge: readBridgeDelay(given.bridge_delay),
    };
}

const minChance = 0.01;

/** @param {any} delay */
function readBridgeDelay(delay) {
    const [chance, mean] = [delay?.probability_stopped, delay?.mean_s];
    if (!isNumber(chance) || !isNumber(mean) || chance < minChance || chance > 1 || mean <= 0) return null;
    return { seconds: mean / chance, chance };
}
