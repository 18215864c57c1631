// The table: light, grid, lines with their shades, stops, drawbridges. Painted again only when it looks otherwise.
import { project } from "./camera.js";
import { colourText, isDark, mix, parseColour } from "../draw/colours.js";
import { lineColour } from "./palette.js";
import { addRounded } from "./shapes.js";

/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {import("./palette.js").Palette} Palette */
/**
 * @typedef {object} Scene what is painted
 * @property {import("./layout.js").Layout} layout
 * @property {boolean} isSkeleton whether the line is not known yet
 * @property {Camera} camera
 * @property {import("./camera.js").Size} size
 * @property {number} density of the screen, canvas pixels a pixel
 * @property {Palette} palette
 * @property {import("./light.js").Light} light
 * @property {string | null} alone the line that is seen alone
 * @property {string | null} stop the visitor's
 * @property {string | null} named a stop that is pointed at
 * @property {boolean} hasGrid
 * @property {Map<number, { share: number, state: string }>} leaves how far bridges are up, from 0 to 1
 */

export const lineWidth = 4;
const gridReach = 16;
// What is nearer to the visitor is below the picture.
const gridNear = 10;
const gridAlpha = 0.12;
const faint = 0.2;
const shade = "#141820";
const shadeAlpha = 0.13;
const circle = 2 * Math.PI;

/** @param {CanvasRenderingContext2D} context @param {Scene} scene */
export function paintGround(context, scene) {
    const { size, density, palette } = scene;
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    context.lineCap = context.lineJoin = "round";
    if (!palette.isPlain) paintLight(context, scene);
    if (scene.hasGrid && !palette.isPlain) paintGrid(context, scene);
    for (const line of scene.layout.lines) paintLine(context, scene, line);
    if (scene.isSkeleton) return;
    for (const line of scene.layout.lines) {
        context.globalAlpha = alphaOf(scene, line);
        for (const bridge of line.bridges) paintBridge(context, scene, bridge, line.height);
        for (const ring of ringsOf(scene, line)) paintStop(context, palette, ring);
    }
    context.globalAlpha = 1;
    paintNorth(context, scene);
}

/** @param {Scene} scene @param {import("./layout.js").LaidLine} line */
export const alphaOf = (scene, line) => (scene.alone === null || scene.alone === line.name.id ? 1 : faint);

// By night on the page a white sun would blind.
const darkStrength = 0.3;
const sunShift = 60;
const sunPlaces = { morning: [0.2, 0.24], day: [0.5, 0.16], evening: [0.8, 0.24], night: [0.8, 0.2] };

/**
 * A large flat sun, or the moon, and its tint over the paper.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene
 */
function paintLight(context, { size, palette, light, camera }) {
    const colour = parseColour(light.color) ?? palette.paper;
    const [right, down] = sunPlaces[light.name];
    const [x, y] = [right * size.width - camera.yaw * sunShift, down * size.height - camera.pitch * sunShift];
    const radius = Math.min(size.width, size.height) * 0.19;
    const strength = light.strength * (isDark(palette.paper) ? darkStrength : 1);
    const tint = context.createRadialGradient(x, y, radius, x, y, Math.hypot(size.width, size.height) * 0.8);
    tint.addColorStop(0, colourText(mix(palette.paper, colour, strength * 0.42)));
    tint.addColorStop(1, colourText(palette.paper));
    context.fillStyle = tint;
    context.fillRect(0, 0, size.width, size.height);
    context.fillStyle = colourText(mix(palette.paper, colour, strength * 0.9));
    context.beginPath();
    context.arc(x, y, radius, 0, circle);
    context.fill();
}

/**
 * It lies deep below and turns by half, so that the table seems to float over it.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene
 */
function paintGrid(context, { camera, palette, size }) {
    const below = { ...camera, yaw: camera.yaw / 2, pitch: camera.pitch / 2 };
    context.lineWidth = 1.5;
    context.strokeStyle = colourText(palette.grid);
    context.fillStyle = colourText(palette.line);
    context.globalAlpha = gridAlpha;
    context.beginPath();
    for (let n = -gridReach; n <= gridReach; n += 1) {
        for (const [from, to] of [[[n, -gridReach], [n, gridNear]], [[-gridReach, n], [gridReach, n]]]) {
            if (to[1] > gridNear) continue;
            const [a, b] = [project(below, from[0], -0.5, from[1]), project(below, to[0], -0.5, to[1])];
            context.moveTo(a.x, a.y);
            context.lineTo(b.x, b.y);
        }
    }
    context.stroke();
    for (let x = -gridReach; x <= gridReach; x += 1) {
        for (let z = -gridReach; z <= gridNear; z += 1) {
            const dot = project(below, x, -0.5, z);
            if (dot.x < 0 || dot.x > size.width || dot.y < 0 || dot.y > size.height) continue;
            context.beginPath();
            context.arc(dot.x, dot.y, dot.scale / 26, 0, circle);
            context.fill();
        }
    }
    context.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {import("./layout.js").LaidLine} line
 */
function paintLine(context, scene, line) {
    const { palette, camera, light, layout, size } = scene;
    const alpha = alphaOf(scene, line);
    const width = lineWidth * Math.min(2, Math.sqrt(camera.zoom));
    if (!palette.isPlain) {
        const lift = 0.1 + line.height;
        context.globalAlpha = shadeAlpha * alpha;
        context.strokeStyle = shade;
        context.lineWidth = width + 2;
        stroke(context, camera, line.strokes, { x: light.shadow.x * lift, y: 0, z: light.shadow.z * lift });
    }
    context.globalAlpha = alpha;
    if (line.height > 0) {
        context.strokeStyle = colourText(palette.paper);
        context.lineWidth = width + 3;
        stroke(context, camera, line.strokes, { x: 0, y: line.height, z: 0 });
    }
    const colour = scene.isSkeleton ? palette.edge
        : lineColour(palette, line.name.color, layout.lines.indexOf(line), layout.lines.length);
    const fading = context.createLinearGradient(0, 0, 0, size.height);
    fading.addColorStop(0, colourText(palette.isPlain ? colour : mix(colour, palette.far, 0.45)));
    fading.addColorStop(0.7, colourText(colour));
    context.strokeStyle = fading;
    context.lineWidth = width;
    stroke(context, camera, line.strokes, { x: 0, y: line.height, z: 0 });
    context.globalAlpha = 1;
}

// A stroke costs by its points. Less than that cannot be seen.
const bendPixels = 0.3;

/**
 * All curves of a line in one stroke.
 * @param {CanvasRenderingContext2D} context @param {Camera} camera
 * @param {readonly import("./curve.js").Curve[]} curves @param {{ x: number, y: number, z: number }} shift
 */
function stroke(context, camera, curves, shift) {
    context.beginPath();
    for (const curve of curves) {
        const seen = curve.map(({ x, z }) => project(camera, x + shift.x, shift.y, z + shift.z));
        let last = seen[0];
        context.moveTo(last.x, last.y);
        for (let n = 1; n < seen.length; n += 1) {
            if (n < seen.length - 1 && isStraight(last, seen[n], seen[n + 1])) continue;
            last = seen[n];
            context.lineTo(last.x, last.y);
        }
    }
    context.stroke();
}

/** @typedef {{ x: number, y: number }} Point */

/**
 * Whether a line without its middle point looks the same.
 * @param {Point} from @param {Point} middle @param {Point} to
 */
export function isStraight(from, middle, to) {
    const [right, down] = [to.x - from.x, to.y - from.y];
    const [aside, below] = [middle.x - from.x, middle.y - from.y];
    const along = right * aside + down * below;
    const length = right * right + down * down;
    return along >= 0 && along <= length && Math.abs(right * below - down * aside) <= bendPixels * Math.sqrt(length);
}

const stopSizes = {
    own: { pixels: 6.5, units: 0.13 }, end: { pixels: 5.5, units: 0.11 }, plain: { pixels: 3.5, units: 0.075 },
};
// Rings that are nearer hide each other; they come as the picture is zoomed.
const ringGap = 1.5;

/** @typedef {{ x: number, y: number, radius: number, kind: keyof typeof stopSizes, isPointedAt: boolean }} Ring */

/**
 * Stops as they are on the screen; the visitor's and the ends before others, which need room.
 * @param {Scene} scene @param {import("./layout.js").LaidLine} line
 */
function ringsOf({ camera, stop, named }, { stops, height }) {
    const rings = stops.map(({ ids, x, z, isEnd }) => {
        const kind = /** @type {Ring["kind"]} */ (stop !== null && ids.includes(stop) ? "own" : isEnd ? "end" : "plain");
        const seen = project(camera, x, height, z);
        const { pixels, units } = stopSizes[kind];
        const isPointedAt = named !== null && ids.includes(named);
        return { x: seen.x, y: seen.y, radius: Math.max(pixels, seen.scale * units), kind, isPointedAt };
    });
    const kinds = Object.keys(stopSizes);
    rings.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
    /** @type {Ring[]} */
    const shown = [];
    for (const ring of rings) {
        const isFree = shown.every(({ x, y, radius }) =>
            Math.hypot(x - ring.x, y - ring.y) > (radius + ring.radius) * ringGap / 2 + 2);
        if (isFree || ring.kind !== "plain" || ring.isPointedAt) shown.push(ring);
    }
    return shown.reverse();
}

/** @param {CanvasRenderingContext2D} context @param {Palette} palette @param {Ring} ring */
function paintStop(context, palette, { x, y, radius, kind, isPointedAt }) {
    context.beginPath();
    context.ellipse(x, y, radius, radius * 0.95, 0, 0, circle);
    context.fillStyle = colourText(kind === "own" ? palette.red : palette.paper);
    context.fill();
    context.lineWidth = kind !== "plain" || isPointedAt ? 3 : 2;
    context.strokeStyle = colourText(palette.line);
    context.stroke();
}

const band = { along: 0.27, across: 0.95 };
const maxLeafTurn = 62 * Math.PI / 180;

/**
 * A piece of water under the line, and two leaves that turn up.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {import("./layout.js").LaidBridge} bridge
 * @param {number} height
 */
function paintBridge(context, { camera, palette, leaves, density }, bridge, height) {
    const { x, z, dx, dz } = bridge;
    const at = (/** @type {number} */ along, /** @type {number} */ across, /** @type {number} */ up) =>
        project(camera, x + along * dx - across * dz, height + up, z + along * dz + across * dx);
    const [middle, ahead, side] = [at(0, 0, 0), at(0.1, 0, 0), at(0, 0.1, 0)];
    context.save();
    context.transform((ahead.x - middle.x) * 10, (ahead.y - middle.y) * 10, (side.x - middle.x) * 10,
        (side.y - middle.y) * 10, middle.x, middle.y);
    context.beginPath();
    addRounded(context, {
        x: -band.along, y: -band.across, width: 2 * band.along, height: 2 * band.across, radius: band.along,
    });
    context.fillStyle = colourText(palette.water);
    context.fill();
    context.restore();
    context.strokeStyle = colourText(mix(palette.water, palette.line, 0.35));
    context.lineWidth = 1.5;
    for (const across of [-0.72, -0.55, 0.55, 0.72]) wave(context, at, across);
    paintLeaves(context, palette, at, leaves.get(bridge.id) ?? { share: 0, state: "unknown" });
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {(along: number, across: number, up: number) => { x: number, y: number }} at @param {number} across
 */
function wave(context, at, across) {
    const points = [[-0.1, 0], [-0.05, 0.035], [0, 0], [0.05, -0.035], [0.1, 0]]
        .map(([along, swell]) => at(along, across + swell, 0));
    context.beginPath();
    context.moveTo(points[0].x, points[0].y);
    context.quadraticCurveTo(points[1].x, points[1].y, points[2].x, points[2].y);
    context.quadraticCurveTo(points[3].x, points[3].y, points[4].x, points[4].y);
    context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context @param {Palette} palette
 * @param {(along: number, across: number, up: number) => { x: number, y: number }} at
 * @param {{ share: number, state: string }} leaf
 */
function paintLeaves(context, palette, at, { share, state }) {
    const turn = share * maxLeafTurn;
    const [reach, rise] = [band.along * Math.cos(turn), band.along * 1.8 * Math.sin(turn)];
    const isUp = state === "raised";
    if (state === "unknown") context.setLineDash([3, 4]);
    for (const end of [-1, 1]) {
        const [hinge, tip] = [at(end * band.along, 0, 0), at(end * (band.along - reach), 0, rise)];
        const deck = isUp ? palette.red : palette.paper;
        for (const { width, colour } of [{ width: 9, colour: palette.line }, { width: lineWidth, colour: deck }]) {
            context.lineWidth = width;
            context.strokeStyle = colourText(colour);
            context.beginPath();
            context.moveTo(hinge.x, hinge.y);
            context.lineTo(tip.x, tip.y);
            context.stroke();
        }
    }
    context.setLineDash([]);
}

const northRadius = 15;
const northMargin = 14;

/**
 * Where the mark of north is.
 * @param {import("./camera.js").Size} size
 */
export function northBox({ width, height }) {
    const [right, bottom] = [width - northMargin, height - northMargin];
    return { left: right - 2 * northRadius, top: bottom - 2 * northRadius, right, bottom };
}

/**
 * The table may be turned: where north is.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene
 */
function paintNorth(context, { layout, palette, size, camera }) {
    const box = northBox(size);
    const [x, y] = [box.left + northRadius, box.top + northRadius];
    const turn = -layout.ground.turn - camera.yaw;
    const [right, up] = [Math.sin(turn), -Math.cos(turn)];
    context.lineWidth = 2;
    context.strokeStyle = context.fillStyle = colourText(palette.ink);
    context.beginPath();
    context.arc(x, y, northRadius, 0, circle);
    context.stroke();
    context.beginPath();
    context.moveTo(x + right * (northRadius - 1), y + up * (northRadius - 1));
    context.lineTo(x - up * 4, y + right * 4);
    context.lineTo(x + up * 4, y - right * 4);
    context.fill();
    context.font = "700 10px system-ui, sans-serif";
    context.fillText("N", x - right * 7 - context.measureText("N").width / 2, y - up * 7);
}
