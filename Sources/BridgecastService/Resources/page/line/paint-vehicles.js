// The vehicles: capsules with windows, trains as three linked ones, with shadows, badges of their lateness, and what is
// chosen among them. Painted on a layer of its own over the table.
import { project, reach } from "./camera.js";
import { colourText, mix, parseColour } from "../draw/colours.js";
import { nameFont, paintNames } from "./paint-names.js";
import { clearOf } from "./labels.js";
import { addRounded } from "./shapes.js";

/** @typedef {import("./paint-ground.js").Scene} Scene */
/** @typedef {import("./curve.js").Placed} Placed */
/**
 * @typedef {object} Shown a vehicle in the picture
 * @property {string} id
 * @property {string} line
 * @property {Placed[]} cars the first one first
 * @property {number} height of its line
 * @property {number} size 1 as it is, more where it is crowded
 * @property {import("./palette.js").Paint} paint
 * @property {"early" | "on_time" | "late" | null} band
 * @property {string} badge minutes, such as +4; empty where it has only a colour
 * @property {string | null} name shown where it is chosen or pointed at
 * @property {number} x of its middle, pixels
 * @property {number} y
 * @property {number} depth
 */

/**
 * @typedef {object} Over what else is painted with them
 * @property {import("./labels.js").PlacedName[]} names
 * @property {{ x: number, y: number, radius: number, alpha: number } | null} pulse of the visitor's stop
 */

const busPath = capsule(0.6, 0.4, 0.2);
const carPath = capsule(0.5, 0.32, 0.12);
const busGlass = glassOf(1, true);
const firstGlass = glassOf(0.8, true);
const carGlass = glassOf(0.8, false);
// The roof's edge is what is seen of a larger one below it: a stroke would cost three times as much.
const edgeSize = 1.06;
const bodyHeight = 0.26;
const floorHeight = 0.06;
const shadowLength = 0.7;
const softShadow = [1, 1.16];
const hardShadow = [1.1];
// Among more vehicles soft shadows look like hard ones.
const maxSoft = 60;
const sideShares = [0, 0.34, 0.67];
const fadeSteps = 6;
const maxFade = 0.3;
// From above it can hardly be seen, and costs most.
const minDetailScale = 24;
const lit = "#FFE9A8";

/** @param {number} length @param {number} width @param {number} radius */
function capsule(length, width, radius) {
    if (typeof Path2D === "undefined") return null;
    const path = new Path2D();
    addRounded(path, { x: -length / 2, y: -width / 2, width: length, height: width, radius });
    return path;
}

/**
 * The windows at both sides and the windscreen, as one shape.
 * @param {number} width 1 that of a bus @param {boolean} isFirst whether it has a windscreen
 */
function glassOf(width, isFirst) {
    if (typeof Path2D === "undefined") return null;
    const path = new Path2D();
    for (const side of [-0.138, 0.138]) {
        for (let n = 0; n < 3; n += 1) {
            path.rect((-0.185 + n * 0.095) * width, side * width - 0.025, 0.075 * width, 0.05);
        }
    }
    if (!isFirst) return path;
    const radius = { outer: 0.13 * width + 0.035, inner: 0.13 * width - 0.035 };
    path.moveTo(0.1 * width + radius.outer * Math.cos(0.95), -radius.outer * Math.sin(0.95));
    path.arc(0.1 * width, 0, radius.outer, -0.95, 0.95);
    path.arc(0.1 * width, 0, radius.inner, 0.95, -0.95, true);
    path.closePath();
    return path;
}

/**
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {Shown[]} vehicles the farthest first
 * @param {Over} over
 */
export function paintVehicles(context, scene, vehicles, { names, pulse }) {
    const { size, density, palette } = scene;
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    context.lineCap = context.lineJoin = "round";
    if (pulse) paintPulse(context, palette, pulse);
    if (!palette.isPlain) {
        context.fillStyle = "rgba(20, 24, 32, 0.11)";
        const soft = vehicles.length > maxSoft ? hardShadow : softShadow;
        for (const vehicle of vehicles) paintShadow(context, scene, vehicle, soft);
    }
    for (const vehicle of vehicles) {
        const paint = fadedPaint(palette, vehicle);
        if (vehicle.cars.length > 1) paintCouplings(context, scene, vehicle, paint);
        for (let n = vehicle.cars.length - 1; n >= 0; n -= 1) paintCar(context, scene, vehicle, n, paint);
    }
    context.setTransform(density, 0, 0, density, 0, 0);
    for (const vehicle of vehicles) paintBadge(context, scene, vehicle, names);
    paintNames(context, palette, names);
    for (const vehicle of vehicles) if (vehicle.name !== null) paintChosen(context, scene, vehicle, vehicle.name);
}

/** @type {WeakMap<import("./palette.js").Paint, Map<number, import("./palette.js").Paint>>} */
const faded = new WeakMap();

/**
 * Far vehicles are lighter, in a few steps, each made once.
 * @param {import("./palette.js").Palette} palette @param {Shown} vehicle
 */
function fadedPaint(palette, { paint, depth }) {
    if (palette.isPlain) return paint;
    const step = Math.round(fadeSteps * Math.max(0, Math.min(1, (depth - reach.near) / (reach.far - reach.near))));
    const own = faded.get(paint) ?? new Map();
    faded.set(paint, own);
    let found = own.get(step);
    if (!found) {
        const light = (/** @type {string} */ text) =>
            colourText(mix(parseColour(text) ?? palette.ink, palette.paper, maxFade * step / fadeSteps));
        found = { roof: light(paint.roof), side: light(paint.side), glass: paint.glass };
        own.set(step, found);
    }
    return found;
}

/** @typedef {{ right: [number, number], down: [number, number], x: number, y: number, scale: number }} Place */

/**
 * Units of the table around a car, at a height, as canvas pixels.
 * @param {Scene} scene @param {Placed} car @param {number} height @param {number} size
 * @returns {Place}
 */
function placeOf({ camera, density }, { x, z, dx, dz }, height, size) {
    const middle = project(camera, x, height, z);
    const ahead = project(camera, x + dx * 0.1, height, z + dz * 0.1);
    const side = project(camera, x - dz * 0.1, height, z + dx * 0.1);
    const unit = 10 * size * density;
    return {
        right: [(ahead.x - middle.x) * unit, (ahead.y - middle.y) * unit],
        down: [(side.x - middle.x) * unit, (side.y - middle.y) * unit],
        x: middle.x * density, y: middle.y * density, scale: middle.scale * size,
    };
}

/**
 * Has the context draw there.
 * @param {CanvasRenderingContext2D} context @param {Place} place @param {number} [size]
 * @param {{ x: number, y: number }} [at] canvas pixels
 */
const enter = (context, { right, down, x, y }, size = 1, at = { x, y }) =>
    context.setTransform(right[0] * size, right[1] * size, down[0] * size, down[1] * size, at.x, at.y);

/**
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {Shown} vehicle
 * @param {readonly number[]} soft sizes of the shadows that lie over each other
 */
function paintShadow(context, scene, { cars, height, size }, soft) {
    const path = cars.length > 1 ? carPath : busPath;
    const lift = (bodyHeight + height) * size * shadowLength;
    const { shadow } = scene.light;
    for (const car of cars) {
        const place = placeOf(scene, { ...car, x: car.x + shadow.x * lift, z: car.z + shadow.z * lift }, 0, size);
        for (const share of soft) {
            enter(context, place, share);
            if (path) context.fill(path);
        }
    }
}

/**
 * What links the cars of a train.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {Shown} vehicle
 * @param {import("./palette.js").Paint} paint
 */
function paintCouplings(context, { camera, density }, { cars, height }, paint) {
    context.setTransform(density, 0, 0, density, 0, 0);
    context.strokeStyle = paint.side;
    context.lineWidth = 4;
    context.beginPath();
    for (const { x, z } of cars) {
        const seen = project(camera, x, height + 2 * floorHeight, z);
        context.lineTo(seen.x, seen.y);
    }
    context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {Shown} vehicle
 * @param {number} n which of its cars @param {import("./palette.js").Paint} paint
 */
function paintCar(context, scene, { cars, height, size }, n, paint) {
    const path = cars.length > 1 ? carPath : busPath;
    if (!path) return;
    const floor = placeOf(scene, cars[n], height + floorHeight, size);
    const roof = placeOf(scene, cars[n], height + floorHeight + bodyHeight * size, size);
    context.fillStyle = paint.side;
    for (const share of sideShares) {
        enter(context, floor, 1, { x: floor.x + (roof.x - floor.x) * share, y: floor.y + (roof.y - floor.y) * share });
        context.fill(path);
    }
    enter(context, roof, edgeSize);
    context.fill(path);
    enter(context, roof);
    context.fillStyle = paint.roof;
    context.fill(path);
    if (roof.scale < minDetailScale) return;
    const glass = cars.length === 1 ? busGlass : n === 0 ? firstGlass : carGlass;
    context.fillStyle = scene.light.name === "night" ? lit : paint.glass;
    if (glass) context.fill(glass);
}

/**
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {Shown} vehicle
 * @param {Over["names"]} names that it is not to lie under
 */
function paintBadge(context, { palette, camera }, { band, badge, x, y, depth, size }, names) {
    if (band === null) return;
    const scale = camera.focal * camera.zoom / depth * size;
    const hasText = badge !== "";
    context.font = "700 11px system-ui, sans-serif";
    const width = hasText ? context.measureText(badge).width + 8 : 9;
    const height = hasText ? 15 : 9;
    const [aside, above] = [scale * 0.16, scale * 0.3 + 3];
    const spots = [[aside, -above], [-aside, -above], [aside, above], [-aside, above]]
        .map(([right, down]) => ({ x: x + right, y: y + down }));
    const { x: left, y: top } = clearOf(spots, { width, height }, names);
    context.beginPath();
    addRounded(context, { x: left - width / 2, y: top - height / 2, width, height, radius: height / 2 });
    context.fillStyle = colourText(palette[band]);
    context.fill();
    context.lineWidth = 1.5;
    context.strokeStyle = colourText(palette.paper);
    context.stroke();
    if (!hasText) return;
    context.fillStyle = colourText(palette.paper);
    context.textBaseline = "middle";
    context.fillText(badge, left - width / 2 + 4, top + 0.5);
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {Shown} vehicle @param {string} name */
function paintChosen(context, { palette, camera, size }, { x, y, depth }, name) {
    const radius = Math.max(16, camera.focal * camera.zoom / depth * 0.48);
    context.beginPath();
    context.ellipse(x, y, radius, radius * 0.95, 0, 0, 2 * Math.PI);
    context.lineWidth = 3;
    context.strokeStyle = colourText(palette.ink);
    context.stroke();
    context.font = nameFont;
    context.textBaseline = "middle";
    const width = context.measureText(name).width;
    const left = Math.max(6, Math.min(size.width - width - 6, x - width / 2));
    const middle = y + radius + 14 < size.height - 8 ? y + radius + 14 : y - radius - 24;
    context.lineWidth = 5;
    context.strokeStyle = colourText(palette.paper);
    context.strokeText(name, left, middle);
    context.fillStyle = colourText(palette.ink);
    context.fillText(name, left, middle);
}

/**
 * @param {CanvasRenderingContext2D} context @param {import("./palette.js").Palette} palette
 * @param {{ x: number, y: number, radius: number, alpha: number }} pulse
 */
function paintPulse(context, palette, { x, y, radius, alpha }) {
    context.globalAlpha = alpha;
    context.lineWidth = 4;
    context.strokeStyle = colourText(palette.red);
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.stroke();
    context.globalAlpha = 1;
}
