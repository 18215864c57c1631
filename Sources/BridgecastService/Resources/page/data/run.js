// What the service answers about a run, read and checked: its stops, its bridges, its vehicle, and its line on a map.
import { present } from "../core/checks.js";
import { readBridges, readClass, readLine, readTimes } from "./board.js";
import { numberOrNull, objects, readAlerts, text, textOrNull, timeOf } from "./reading.js";

/** @typedef {[latitude: number, longitude: number]} LatLon */
/**
 * @typedef {import("./board.js").Times
 *     & { id: string, name: string, sequence: number, place: LatLon | null }} RunStop
 */
/** @typedef {{ id: string, ageSeconds: number | null, isStale: boolean }} RunVehicle */
/**
 * @typedef {object} Run
 * @property {string} trip
 * @property {string | null} date
 * @property {string | null} number what riders call the trip, such as a train's number
 * @property {import("./board.js").LineBadgeName} line
 * @property {string} headsign
 * @property {import("./board.js").ServiceClass | null} serviceClass
 * @property {import("./board.js").Wheelchair} wheelchair
 * @property {boolean} isCancelled
 * @property {RunVehicle | null} vehicle
 * @property {RunStop[]} stops
 * @property {import("./board.js").BridgeAhead[]} bridges that it still has to cross
 * @property {import("./reading.js").Alert[]} alerts
 * @property {number} at the time that this is about, milliseconds since 1970
 * @property {string | null} zone
 */
/**
 * @typedef {object} RunMap
 * @property {LatLon[]} line
 * @property {boolean} isApproximate straight from stop to stop
 * @property {{ name: string, place: LatLon }[]} stops
 * @property {{ id: number, name: string, place: LatLon }[]} bridges
 * @property {LatLon | null} vehicle
 */

/** @param {any} document of /trips/{id} @returns {Run | null} */
export function readRun(document) {
    const data = document?.data;
    const stops = present(objects(data?.stops).map(readRunStop));
    const at = timeOf(null, document?.valid_at);
    if (text(data?.trip_id) === "" || stops.length === 0 || at === null) return null;
    return {
        trip: data.trip_id, date: textOrNull(data.service_date), number: textOrNull(data.trip_short_name),
        line: readLine(data), headsign: text(data.headsign), serviceClass: readClass(data),
        wheelchair: readTimes(data).wheelchair,
        isCancelled: data.relationship === "canceled" || data.relationship === "deleted",
        vehicle: readVehicle(data.vehicle), stops, bridges: readBridges(data.bridges), at,
        alerts: readAlerts(data.alerts),
        zone: textOrNull(document.time_zone),
    };
}

/** @param {any} value @returns {RunStop | null} */
function readRunStop(value) {
    if (text(value.stop_id) === "") return null;
    return {
        ...readTimes(value), id: value.stop_id, name: text(value.stop_name) || value.stop_id,
        sequence: numberOrNull(value.sequence) ?? 0, place: placeOf([value.lon, value.lat]),
    };
}

/** @param {any} value @returns {RunVehicle | null} */
const readVehicle = (value) => (text(value?.id) === "" ? null
    : { id: value.id, ageSeconds: numberOrNull(value.age_s), isStale: value.stale === true });

/** @param {any} position of GeoJSON @returns {LatLon | null} */
function placeOf(position) {
    const [lon, lat] = [numberOrNull(position?.[0]), numberOrNull(position?.[1])];
    return lon === null || lat === null || Math.abs(lat) > 90 || Math.abs(lon) > 180 ? null : [lat, lon];
}

/** @param {any} document of /trips/{id}/map @returns {RunMap | null} null where there is nothing to draw */
export function readRunMap(document) {
    const features = objects(document?.features).filter(({ properties, geometry }) => properties && geometry);
    const ofKind = (/** @type {string} */ kind) => features.filter(({ properties }) => properties.feature === kind);
    const points = (/** @type {string} */ kind) => ofKind(kind).flatMap(({ properties, geometry }) => {
        const place = placeOf(geometry.coordinates);
        return place ? [{ properties, place }] : [];
    });
    const [line] = ofKind("line");
    const stops = points("stop").map(({ properties, place }) => ({ name: text(properties.stop_name), place }));
    const drawn = present(objects(line?.geometry.coordinates).map(placeOf));
    if (drawn.length < 2 && stops.length < 2) return null;
    return {
        line: drawn.length > 1 ? drawn : stops.map(({ place }) => place), stops,
        isApproximate: drawn.length < 2 || line.properties.approximate === true,
        bridges: points("bridge").filter(({ properties }) => Number.isInteger(properties.bridge_id))
            .map(({ properties, place }) => ({ id: properties.bridge_id, name: text(properties.bridge), place })),
        vehicle: points("vehicle")[0]?.place ?? null,
    };
}
