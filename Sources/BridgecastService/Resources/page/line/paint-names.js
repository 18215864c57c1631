// The names in the picture: of the ends of lines, of bridges, of the visitor's stop and of one that is pointed at.
import { project } from "./camera.js";
import { colourText } from "../draw/colours.js";
import { sample } from "./curve.js";
import { placeNames } from "./labels.js";
import { alphaOf, northBox } from "./paint-ground.js";

/** @typedef {import("./paint-ground.js").Scene} Scene */
/** @typedef {import("./labels.js").PlacedName} PlacedName */

const family = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif";
export const nameFont = `600 13px ${family}`;
const minGap = 14;
const pointsOnLine = 90;

/**
 * Where names are, the most important first.
 * @param {CanvasRenderingContext2D} context which knows how wide they are @param {Scene} scene
 * @returns {PlacedName[]}
 */
export function namesIn(context, scene) {
    if (scene.isSkeleton) return [];
    const { camera, layout, size } = scene;
    context.font = nameFont;
    const shown = layout.lines.filter((line) => alphaOf(scene, line) === 1);
    const texts = new Set();
    const names = shown.flatMap((line) => spotsOf(scene, line)).sort((a, b) => a.rank - b.rank)
        .filter(({ name }) => !texts.has(name) && texts.add(name)).map(({ name, x, z, height, rank }) => {
            const seen = project(camera, x, height, z);
            const width = context.measureText(name).width;
            const gap = Math.max(minGap, seen.scale * 0.3);
            return { text: name, x: seen.x, y: seen.y, width, gap, isNeeded: rank === 0 };
        });
    const lines = shown.flatMap(({ strokes, height }) => strokes.flatMap((curve) =>
        pointsOf(curve).map(({ x, z }) => project(camera, x, height, z))));
    return placeNames(names, lines, size, [northBox(size)]);
}

/** @type {WeakMap<import("./curve.js").Curve, import("./curve.js").Placed[]>} */
const sampled = new WeakMap();

/**
 * Points of a curve that names keep off; a curve stays as it is while the table turns.
 * @param {import("./curve.js").Curve} curve
 */
function pointsOf(curve) {
    const points = sampled.get(curve) ?? sample(curve, pointsOnLine);
    sampled.set(curve, points);
    return points;
}

/** @param {Scene} scene @param {import("./layout.js").LaidLine} line */
function spotsOf({ stop, named }, { stops, bridges, height }) {
    const isWanted = (/** @type {string} */ id) => id === stop || id === named;
    const rankOf = (/** @type {import("./layout.js").LaidStop} */ { ids, isEnd }) =>
        (ids.some(isWanted) ? 0 : isEnd ? 2 : Infinity);
    return [
        ...stops.map((own) => ({ name: own.name, x: own.x, z: own.z, height, rank: rankOf(own) }))
            .filter(({ rank }) => rank < Infinity),
        ...bridges.map(({ name, x, z }) => ({ name, x, z, height, rank: 1 })),
    ];
}

/**
 * @param {CanvasRenderingContext2D} context @param {import("./palette.js").Palette} palette
 * @param {PlacedName[]} names
 */
export function paintNames(context, palette, names) {
    context.font = nameFont;
    context.textBaseline = "middle";
    context.lineWidth = 4;
    context.strokeStyle = colourText(palette.paper);
    context.fillStyle = colourText(palette.ink);
    for (const { text, x, y } of names) {
        context.strokeText(text, x, y);
        context.fillText(text, x, y);
    }
}
