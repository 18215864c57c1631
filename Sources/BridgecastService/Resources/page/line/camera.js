// The camera: from the table to the screen. It is at (0, 5, 10), and the table leans towards it, so that the view
// is 18 degrees off the one from straight above.

/**
 * @typedef {object} Camera
 * @property {number} yaw by which the table is turned, radians
 * @property {number} pitch by which it is tilted further, radians
 * @property {number} focal pixels
 * @property {number} zoom 1 shows the whole
 * @property {number} centreX where the middle of the table is on the screen
 * @property {number} centreY
 */
/** @typedef {{ x: number, y: number, scale: number, depth: number }} Projected pixels; scale is pixels a unit there */
/** @typedef {{ width: number, height: number }} Size */
/** @typedef {{ x: number, z: number }} Spot */

export const cameraPlace = /** @type {const} */ ([0, 5, 10]);
export const tilt = 18 * Math.PI / 180;
const distance = Math.hypot(...cameraPlace);
const minDistance = 1;
export const maxZoom = 8;
// What is nearest to the visitor and what is farthest away.
export const reach = { near: distance - 6, far: distance + 6 };

// Thousands of points in a picture are seen under the same angles.
let aim = aimOf(0, 0);

/** @param {number} yaw @param {number} pitch radians */
function aimOf(yaw, pitch) {
    const angle = tilt + pitch;
    return {
        yaw, pitch, cosYaw: Math.cos(yaw), sinYaw: Math.sin(yaw), cos: Math.cos(angle), sin: Math.sin(angle),
    };
}

/**
 * @param {Camera} camera @param {number} x @param {number} y above the table @param {number} z
 * @returns {Projected}
 */
export function project(camera, x, y, z) {
    if (camera.yaw !== aim.yaw || camera.pitch !== aim.pitch) aim = aimOf(camera.yaw, camera.pitch);
    const { cosYaw, sinYaw, cos, sin } = aim;
    const right = x * cosYaw + z * sinYaw;
    const towards = z * cosYaw - x * sinYaw;
    const depth = Math.max(minDistance, distance - y * cos - towards * sin);
    const scale = camera.focal * camera.zoom / depth;
    return {
        x: camera.centreX + right * scale, y: camera.centreY - (y * sin - towards * cos) * scale, scale, depth,
    };
}

/**
 * A camera that shows all of some spots, as large as a frame allows.
 * @param {readonly Spot[]} spots @param {Size} size @param {{ x: number, y: number }} margin pixels
 * @returns {Camera}
 */
export function fit(spots, size, margin) {
    const plain = { yaw: 0, pitch: 0, focal: 1, zoom: 1, centreX: 0, centreY: 0 };
    const seen = spots.map(({ x, z }) => project(plain, x, 0, z));
    const [left, right] = rangeOf(seen.map(({ x }) => x));
    const [top, bottom] = rangeOf(seen.map(({ y }) => y));
    const focal = Math.max(1, Math.min((size.width - 2 * margin.x) / (right - left),
        (size.height - 2 * margin.y) / (bottom - top)));
    return {
        ...plain, focal, centreX: size.width / 2 - focal * (left + right) / 2,
        centreY: size.height / 2 - focal * (top + bottom) / 2,
    };
}

// A single stop is not shown from a hand's breadth away.
const minRange = 0.3;

/** @param {number[]} values @returns {[number, number]} */
function rangeOf(values) {
    if (values.length === 0) return [-minRange, minRange];
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const lacking = Math.max(0, minRange - (high - low)) / 2;
    return [low - lacking, high + lacking];
}

/**
 * A camera zoomed about a point of the screen, which stays where it is.
 * @param {Camera} camera @param {number} factor @param {{ x: number, y: number }} about pixels
 * @param {Camera} whole the one that shows everything
 * @returns {Camera}
 */
export function zoomAbout(camera, factor, about, whole) {
    const zoom = Math.max(1, Math.min(maxZoom, camera.zoom * factor));
    if (zoom === 1) return { ...camera, zoom, centreX: whole.centreX, centreY: whole.centreY };
    const share = zoom / camera.zoom;
    return {
        ...camera, zoom, centreX: about.x + (camera.centreX - about.x) * share,
        centreY: about.y + (camera.centreY - about.y) * share,
    };
}

/**
 * A camera with a spot in the middle of the frame.
 * @param {Camera} camera @param {Spot} spot @param {Size} size @returns {Camera}
 */
export function centreOn(camera, spot, size) {
    const seen = project(camera, spot.x, 0, spot.z);
    return {
        ...camera, centreX: camera.centreX + size.width / 2 - seen.x,
        centreY: camera.centreY + size.height / 2 - seen.y,
    };
}
