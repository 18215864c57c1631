// Colours that can be seen: of lines that stand out from the paper, and of letters that can be read on them.

/** @typedef {[number, number, number]} RGB from 0 to 255 */

export const minContrast = 3;
export const plainVehicle = "#E74C3C";
export const crowdedVehicle = "#E67E22";
// For lines without colours of their own that are shown together; orange is for crowded vehicles.
export const fallbackColours = [plainVehicle, "#2980B9", "#1E8449", "#7D3C98", "#117A65", "#A93266"];
const steps = 40;

/**
 * @param {string | null | undefined} text #RRGGBB, or rgb(…) as browsers give it @returns {RGB | null}
 */
export function parseColour(text) {
    const hex = /^#?([0-9a-f]{6})$/i.exec(text?.trim() ?? "");
    if (hex) return /** @type {RGB} */ ([0, 2, 4].map((at) => parseInt(hex[1].slice(at, at + 2), 16)));
    const parts = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)/.exec(text?.trim() ?? "");
    return parts ? /** @type {RGB} */ (parts.slice(1, 4).map(Number)) : null;
}

/** @param {RGB} colour */
export const colourText = (colour) =>
    `#${colour.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

/** @param {RGB} colour the luminance of WCAG */
function luminance(colour) {
    const [red, green, blue] = colour.map((part) => {
        const share = part / 255;
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param {RGB} colour */
export const isDark = (colour) => luminance(colour) <= 0.18;

/** @param {RGB} one @param {RGB} other */
export function contrast(one, other) {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
}

/** @param {RGB} one @param {RGB} other @param {number} share of the other @returns {RGB} */
export const mix = (one, other, share) =>
    /** @type {RGB} */ (one.map((part, n) => part + (other[n] - part) * share));

/**
 * The colour, or the nearest to it on the way to black or to white that stands out from a ground.
 * @param {RGB} colour @param {RGB} ground @param {number} [least]
 * @returns {RGB}
 */
export function readable(colour, ground, least = minContrast) {
    /** @type {RGB} */
    const end = isDark(ground) ? [255, 255, 255] : [0, 0, 0];
    for (let n = 0; n < steps; n += 1) {
        const shown = /** @type {RGB} */ (mix(colour, end, n / steps).map(Math.round));
        if (contrast(shown, ground) >= least) return shown;
    }
    return end;
}

export const minLetterContrast = 4.5;

/**
 * Letters that can be read on a line's colour: its own where they can, else black or white.
 * @param {RGB} ground @param {RGB | null} wanted
 * @returns {RGB}
 */
export function letteringOn(ground, wanted) {
    if (wanted && contrast(wanted, ground) >= minLetterContrast) return wanted;
    /** @type {RGB[]} */
    const plain = [[255, 255, 255], [0, 0, 0]];
    return plain.sort((one, other) => contrast(other, ground) - contrast(one, ground))[0];
}
