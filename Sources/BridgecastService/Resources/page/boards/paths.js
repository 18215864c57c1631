// What is asked of the service for boards and runs, and the addresses that lead to them.
import { linkTo } from "../core/router.js";

/** @typedef {import("../core/types").Address} Address */

/** @param {boolean} isArrivals whether runs that end there are wanted too */
const arrivalsOf = (isArrivals) => (isArrivals ? "&arrivals=true" : "");

/** @param {string} stop @param {number} rows of each direction @param {boolean} [isArrivals] */
export const boardPath = (stop, rows, isArrivals = false) =>
    `stops/${encodeURIComponent(stop)}/board?per_direction=${rows}${arrivalsOf(isArrivals)}`;

/** @param {import("../data/place.js").Place} place @param {number} rows */
export const nearestPath = ({ latitude, longitude }, rows) =>
    `stops/nearest?lat=${latitude}&lon=${longitude}&stations=4&per_direction=${rows}`;

/**
 * The first departure within two days, where the next hours have none.
 * @param {string} stop @param {boolean} [isArrivals]
 */
export const firstPath = (stop, isArrivals = false) =>
    `stops/${encodeURIComponent(stop)}/board?limit=1&horizon_min=1440${arrivalsOf(isArrivals)}`;

/**
 * The next arrivals of a favourite.
 * @param {import("../core/types").Favourite} favourite @param {number} count
 */
export function nextPath({ line, stop, direction }, count) {
    const asked = new URLSearchParams({ limit: String(count) });
    if (line !== null) asked.set("route_id", line);
    if (direction !== null) asked.set("direction", String(direction));
    return `stops/${encodeURIComponent(stop)}/board?${asked}`;
}

/** @param {string} trip @param {string | null} date of service @param {"" | "/map"} [part] */
export const runPath = (trip, date, part = "") =>
    `trips/${encodeURIComponent(trip)}${part}${date === null ? "" : `?date=${encodeURIComponent(date)}`}`;

/** @param {string} run a path of a run @param {{ from: string, to: string }} stops their identifiers */
export const ridePath = (run, stops) => `${run}${run.includes("?") ? "&" : "?"}${new URLSearchParams(stops)}`;

/** @param {Address} address @param {string} stop */
export const linkToBoard = (address, stop) => linkTo(address, "board", { stop });

/** @param {Address} address @param {{ trip: string, date: string | null }} run */
export const linkToRun = (address, { trip, date }) => linkTo(address, "run", { run: trip, date });

/** @param {Address} address @param {string} stop @param {string | null} [line] null for all that departs */
export const linkToWidget = (address, stop, line = null) => linkTo(address, "widget", { line, stop });

/** @param {Address} address @param {string} line @param {string | null} [stop] */
export const linkToLine = (address, line, stop = null) => linkTo(address, "line", { line, stop });
