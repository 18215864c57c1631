// A vehicle as it is painted, and whether a picture differs from the one before by as much as can be seen.
import { seenAt } from "./fleet.js";

/** @typedef {import("./paint-vehicles.js").Shown} Shown */
/** @typedef {import("./paint-ground.js").Scene} Scene */
/** @typedef {import("../data/line-answers.js").Vehicle} Vehicle */
/**
 * @typedef {object} About
 * @property {Scene} scene
 * @property {import("./stage.js").Looks} looks
 * @property {number} entrance how far vehicles have come in, from 0 to 1
 * @property {import("./pointing.js").Found | null} pointed
 * @property {boolean} hasMinutes whether badges have room for them
 */

const crowdedSize = 1.2;
const firstSize = 0.4;
/** What moves by less than a part of a pixel is not painted again. */
export const pixelParts = 4;

/**
 * @param {About} about @param {Vehicle | null} vehicle null for a grey one
 * @param {import("./fleet.js").Spot} spot @param {ReturnType<typeof import("./palette.js").vehiclePaints>} paints
 * @returns {Shown}
 */
export function shownOf({ scene, looks, entrance, pointed, hasMinutes }, vehicle, spot, paints) {
    const { x, y, depth } = seenAt(scene.camera, spot);
    const place = { line: spot.line, cars: spot.cars, height: spot.height, x, y, depth };
    if (!vehicle) return { ...place, id: "", size: 1, paint: paints.grey, band: null, badge: "", name: null };
    const isNamed = vehicle.id === looks.chosen || (pointed?.kind === "vehicle" && pointed.id === vehicle.id);
    return {
        ...place, id: vehicle.id,
        size: (vehicle.isCrowded ? crowdedSize : 1) * (firstSize + (1 - firstSize) * entrance),
        band: vehicle.band, badge: hasMinutes ? looks.badgeOf(vehicle) : "",
        name: isNamed ? looks.nameOf(vehicle) : null,
        paint: vehicle.isStale ? paints.grey : vehicle.isCrowded ? paints.crowded : paints.plain,
    };
}

/** @param {number} value */
const inParts = (value) => Math.round(value * pixelParts);

/**
 * What the table looks like: two that are the same are painted the same.
 * @param {Scene} scene
 */
export function groundKey({ camera, leaves, layout, palette, ...rest }) {
    const { yaw, pitch, zoom, focal, centreX, centreY } = camera;
    // A table at rest is painted exactly so.
    const seen = [yaw.toFixed(6), pitch.toFixed(6), ...[zoom * focal, centreX, centreY].map(inParts)];
    const lines = layout.lines.map(({ name }) => name.id);
    const bridges = [...leaves.values()].map(({ share, state }) => `${state}${share.toFixed(2)}`);
    return `${seen} ${JSON.stringify(rest)} ${lines} ${bridges}`;
}

/**
 * The same of the vehicles.
 * @param {readonly Shown[]} vehicles
 */
export const vehiclesKey = (vehicles) => vehicles.map(({ id, x, y, size, paint, band, badge, name }) =>
    `${id} ${inParts(x)} ${inParts(y)} ${size.toFixed(2)} ${paint.roof} ${band}${badge} ${name}`).join();

/**
 * The pixels of what moved farthest.
 * @param {readonly Shown[]} before @param {readonly Shown[]} after
 */
export function farthest(before, after) {
    const places = new Map(before.map(({ id, x, y }) => [id, { x, y }]));
    return Math.max(0, ...after.map(({ id, x, y }) => {
        const last = places.get(id);
        return last ? Math.hypot(x - last.x, y - last.y) : 0;
    }));
}
