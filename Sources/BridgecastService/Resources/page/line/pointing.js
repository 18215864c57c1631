// What is under a point of the picture: a vehicle before a stop, a stop before a line.
import { project } from "./camera.js";
import { distanceToSegment } from "./curve.js";

/** @typedef {{ kind: "vehicle" | "stop" | "line", id: string }} Found */

const vehiclePixels = 24;
const stopPixels = 16;
const linePixels = 12;

/**
 * @param {{ x: number, y: number }} point pixels
 * @param {import("./paint-ground.js").Scene} scene
 * @param {readonly import("./paint-vehicles.js").Shown[]} vehicles
 * @returns {Found | null}
 */
export function findAt(point, { layout, camera, alone }, vehicles) {
    const vehicle = nearest(vehicles, point, vehiclePixels);
    if (vehicle) return { kind: "vehicle", id: vehicle.id };
    const lines = layout.lines.filter(({ name }) => alone === null || alone === name.id);
    const stops = lines.flatMap(({ stops, height }) =>
        stops.map(({ ids, x, z }) => ({ ids, ...project(camera, x, height, z) })));
    const stop = nearest(stops, point, stopPixels);
    if (stop) return { kind: "stop", id: stop.ids[0] };
    const line = layout.lines.find((own) => distanceTo(own, point, camera) < linePixels);
    return line ? { kind: "line", id: line.name.id } : null;
}

/**
 * @template {{ x: number, y: number }} T
 * @param {readonly T[]} list @param {{ x: number, y: number }} point @param {number} limit
 * @returns {T | null}
 */
function nearest(list, point, limit) {
    let [found, least] = [/** @type {T | null} */ (null), limit];
    for (const one of list) {
        const distance = Math.hypot(one.x - point.x, one.y - point.y);
        if (distance < least) [found, least] = [one, distance];
    }
    return found;
}

/**
 * @param {import("./layout.js").LaidLine} line @param {{ x: number, y: number }} point
 * @param {import("./camera.js").Camera} camera
 */
function distanceTo({ strokes, height }, point, camera) {
    const spot = { x: point.x, z: point.y };
    let least = Infinity;
    for (const curve of strokes) {
        const seen = curve.map(({ x, z }) => project(camera, x, height, z));
        for (let n = 1; n < seen.length; n += 1) {
            const [a, b] = [seen[n - 1], seen[n]];
            least = Math.min(least, distanceToSegment(spot, { x: a.x, z: a.y }, { x: b.x, z: b.y }));
        }
    }
    return least;
}
