// The colours of the scene as the page's theme, forced colours and contrast have them, resolved by the browser itself.
import { colourText, crowdedVehicle, fallbackColours, mix, parseColour, plainVehicle, readable } from "../draw/colours.js";

/** @typedef {import("../draw/colours.js").RGB} RGB */
/** @typedef {"paper" | "ink" | "line" | "far" | "grid" | "water" | "edge" | "red"} Thing */
/** @typedef {Thing | "early" | "on_time" | "late"} Use */
/** @typedef {Record<Use, RGB> & { isPlain: boolean }} Palette plain: neither light nor shades nor fading */

/** @type {Use[]} */
const uses = ["paper", "ink", "line", "far", "grid", "water", "edge", "red", "early", "on_time", "late"];
const forcedQuery = "(forced-colors: active)";
const contrastQuery = "(prefers-contrast: more)";
/** What changes the palette. */
export const paletteQueries = ["(prefers-color-scheme: dark)", forcedQuery, contrastQuery];

/** @param {HTMLElement} probe an element in the scene, whose colour is changed @returns {Palette} */
export function readPalette(probe) {
    /** @type {any} */
    const palette = { isPlain: matchMedia(forcedQuery).matches || matchMedia(contrastQuery).matches };
    for (const use of uses) {
        probe.style.color = `var(--line-${use.replace("_", "-")})`;
        palette[use] = parseColour(getComputedStyle(probe).color) ?? [128, 128, 128];
    }
    return palette;
}

/** @typedef {{ roof: string, side: string, glass: string }} Paint */

const glass = "#FBF7EC";
const shade = /** @type {RGB} */ ([20, 24, 32]);
const orange = /** @type {RGB} */ (parseColour(crowdedVehicle));

/**
 * A vehicle's colours: its line's, orange where it is crowded, the paper's grey where its place is old.
 * @param {Palette} palette @param {string | null} color the line's @param {number} place among the lines shown
 * @returns {{ plain: Paint, crowded: Paint, grey: Paint }}
 */
export function vehiclePaints(palette, color, place) {
    const own = parseColour(color) ?? parseColour(fallbackColours[place % fallbackColours.length]) ?? palette.red;
    // Forced colours leave no others.
    if (matchMedia(forcedQuery).matches) {
        return { plain: paint(palette.red), crowded: paint(palette.ink), grey: paint(palette.edge) };
    }
    return {
        plain: paint(readable(own, palette.paper)), crowded: paint(readable(orange, palette.paper)),
        grey: paint(readable(palette.edge, palette.paper)),
    };
}

/** @param {RGB} roof @returns {Paint} */
const paint = (roof) => ({ roof: colourText(roof), side: colourText(mix(roof, shade, 0.42)), glass });

/**
 * The colour of a line among several; a line that is shown alone is charcoal.
 * @param {Palette} palette @param {string | null} color @param {number} place @param {number} count
 */
export function lineColour(palette, color, place, count) {
    if (count === 1 || palette.isPlain) return palette.line;
    return readable(parseColour(color) ?? parseColour(fallbackColours[place % fallbackColours.length])
        ?? parseColour(plainVehicle) ?? palette.line, palette.paper);
}
