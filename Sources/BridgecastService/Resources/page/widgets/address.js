// Addresses of widgets, the choices that make one, and what to copy into other pages to show it.
import { oneOf } from "../data/reading.js";

/**
 * @typedef {object} Widget
 * @property {string | null} line null for all that departs
 * @property {string} stop
 * @property {Size} size
 * @property {"auto" | "light" | "dark"} theme
 * @property {number} rows each way on a board
 * @property {boolean} isCompact
 * @property {number} refresh seconds
 * @property {0 | 1 | null} direction null for both
 * @property {string} language such as es
 */
/** @typedef {Omit<Widget, "line" | "stop" | "language">} Choices how it looks and what it leaves out */
/** @typedef {"small" | "medium" | "large" | "round"} Size */

export const sizes = /** @type {const} */ (["small", "medium", "large", "round"]);
export const themes = /** @type {const} */ (["auto", "light", "dark"]);
export const refreshes = [10, 30, 60, 300];
const directions = /** @type {const} */ ([0, 1]);
const defaultRefresh = 30;

/** @param {Size} size */
export const maxRows = (size) => ({ small: 3, medium: 8, large: 8, round: 1 })[size];

/** @param {Size} size @param {boolean} isBoard */
export const defaultRows = (size, isBoard) => (size === "round" || size === "small" && !isBoard ? 1 : 3);

/** @param {boolean} isBoard */
const defaultSize = (isBoard) => (isBoard ? "medium" : "small");

/**
 * The choices that an address has; the default of what it lacks, or has another value of than can be chosen.
 * @param {Record<string, string>} values @param {boolean} isBoard
 * @returns {Choices}
 */
export function readChoices(values, isBoard) {
    const size = oneOf(values.size, sizes) ?? defaultSize(isBoard);
    const rows = /^[1-8]$/.test(values.rows ?? "") ? Number(values.rows) : defaultRows(size, isBoard);
    return {
        size, theme: oneOf(values.theme, themes) ?? "auto", rows: Math.min(rows, maxRows(size)),
        isCompact: values.compact === "true",
        refresh: refreshes.find((seconds) => String(seconds) === values.refresh) ?? defaultRefresh,
        direction: directions.find((direction) => String(direction) === values.direction) ?? null,
    };
}

/**
 * The same as values of an address; null for the default.
 * @param {Choices} choices @param {boolean} isBoard
 * @returns {Record<string, string | null>}
 */
export function writeChoices({ size, theme, rows, isCompact, refresh, direction }, isBoard) {
    const shownRows = Math.min(rows, maxRows(size));
    return {
        size: size === defaultSize(isBoard) ? null : size,
        theme: theme === "auto" ? null : theme,
        rows: shownRows === defaultRows(size, isBoard) ? null : String(shownRows),
        compact: isCompact ? "true" : null,
        refresh: refresh === defaultRefresh ? null : String(refresh),
        direction: direction === null ? null : String(direction),
    };
}

/**
 * The address, relative to the page; defaults of the service are left out.
 * @param {Widget} widget @param {"" | ".svg" | ".png"} form
 */
export function widgetAddress(widget, form) {
    const { line, stop, language } = widget;
    const asked = new URLSearchParams();
    for (const [name, value] of Object.entries(writeChoices(widget, line === null))) {
        // A picture does not fetch the next one.
        if (value !== null && (name !== "refresh" || form === "")) asked.set(name, value);
    }
    if (language !== "en") asked.set("lang", language);
    const query = String(asked);
    return `widget/${encodeURIComponent(line ?? "board")}/${encodeURIComponent(stop)}${form}`
        + (query === "" ? "" : `?${query}`);
}

/**
 * A frame of another scheme than its page has an opaque background.
 * @param {Widget["theme"]} theme
 */
export const schemes = (theme) => (theme === "auto" ? "light dark" : theme);

// Unseen, and some turn round the text after them, also that of the markup where it is read.
const controls = /[\u0000-\u001f\u007f\p{Cf}\u2028\u2029]/gu;

/**
 * Text within an attribute of HTML.
 * @param {string} text
 */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;").replace(controls, (character) => `&#${character.codePointAt(0)};`);

/**
 * What shows a widget: in a page, as a picture, and on a dashboard of Home Assistant.
 * @param {Widget} widget
 * @param {string} base the page's own address
 * @param {{ width: number, height: number }} size pixels
 * @param {string} title
 */
export function snippets(widget, base, { width, height }, title) {
    const address = new URL(widgetAddress(widget, ""), base).href;
    return {
        html: `<iframe src="${escaped(address)}" width="${width}" height="${height}"`
            + ` title="${escaped(title)}" style="border: 0; color-scheme: ${schemes(widget.theme)}" loading="lazy"></iframe>`,
        picture: new URL(widgetAddress(widget, ".png"), base).href,
        homeAssistant: `type: iframe\nurl: ${JSON.stringify(address)}\n`
            + `aspect_ratio: ${Math.round((100 * height) / width)}%\n`,
    };
}
