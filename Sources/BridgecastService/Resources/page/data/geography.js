// The ground of all maps: water, roads and spans from the service, checked and sorted by layer.
import { useAnswer } from "../core/hooks.js";

/** @typedef {import("../model/geo.js").Position} Position */
/**
 * @typedef {object} Area a GeoJSON feature: its shore, then its islands'
 * @property {"Feature"} type
 * @property {{ layer: string, name: string }} properties
 * @property {{ type: "Polygon", coordinates: Position[][] }} geometry
 */
/**
 * @typedef {object} Line a GeoJSON feature
 * @property {"Feature"} type
 * @property {{ layer: string, name: string, class: string, bridge: string, bridge_id: number }} properties
 * @property {{ type: "LineString", coordinates: Position[] }} geometry
 */
/**
 * @typedef {object} Geography
 * @property {Area[]} water
 * @property {Line[]} roads of the classes motorway, trunk, primary, secondary
 * @property {Line[]} spans
 * @property {string} attribution
 */

/** @type {WeakMap<object, Geography | null>} */
const read = new WeakMap();

/**
 * Asked once for each scale; the same object as long as the answer is the same.
 * @param {number} metresPerPixel
 * @returns {{ geography: Geography | null, trouble: import("../core/types").Trouble | null }} both null while loading
 */
export function useGeography(metresPerPixel) {
    /** @type {import("./answers.js").Answer<any>} */
    const answer = useAnswer(`geography?metres_per_pixel=${metresPerPixel}`, "once");
    const value = answer.value;
    if (value === null || typeof value !== "object") return { geography: null, trouble: answer.trouble };
    let geography = read.get(value);
    if (geography === undefined) {
        geography = readGeography(value);
        read.set(value, geography);
    }
    return { geography, trouble: answer.trouble };
}

/**
 * The features of a collection by layer; what is no feature is left out.
 * @param {any} document @returns {Geography | null} null where that is no map
 */
export function readGeography(document) {
    if (!Array.isArray(document?.features)) return null;
    /** @type {any[]} */
    const features = document.features.filter((/** @type {any} */ feature) =>
        feature?.properties && isDrawable(feature.geometry));
    const layer = (/** @type {string} */ name, /** @type {string} */ type) =>
        features.filter((feature) => feature.properties.layer === name && feature.geometry.type === type);
    return {
        water: layer("water", "Polygon"), roads: layer("road", "LineString"), spans: layer("span", "LineString"),
        attribution: String(document.attribution ?? ""),
    };
}

/** @param {any} geometry */
function isDrawable(geometry) {
    const isLine = (/** @type {any} */ line) => Array.isArray(line) && line.length > 1 && line.every((point) =>
        Array.isArray(point) && Number.isFinite(point[0]) && Number.isFinite(point[1]));
    if (geometry?.type === "LineString") return isLine(geometry.coordinates);
    return geometry?.type === "Polygon" && Array.isArray(geometry.coordinates) && geometry.coordinates.length > 0
        && geometry.coordinates.every(isLine);
}
