// Addresses of widgets, and what to copy into other pages to show one.

/**
 * @typedef {object} Widget
 * @property {string | null} line null for all that departs
 * @property {string} stop
 * @property {Size} size
 * @property {"auto" | "light" | "dark"} theme
 * @property {number} rows each way on a board
 * @property {boolean} isCompact
 * @property {number} refresh seconds
 * @property {string} language such as es
 */
/** @typedef {"small" | "medium" | "large" | "round"} Size */

export const sizes = /** @type {const} */ (["small", "medium", "large", "round"]);
export const themes = /** @type {const} */ (["auto", "light", "dark"]);
export const refreshes = [10, 30, 60, 300];
const defaultRefresh = 30;

/** @param {Size} size */
export const maxRows = (size) => ({ small: 3, medium: 8, large: 8, round: 1 })[size];

/** @param {Size} size @param {boolean} isBoard */
export const defaultRows = (size, isBoard) => (size === "round" || size === "small" && !isBoard ? 1 : 3);

/**
 * The address, relative to the page; what the service takes for granted is left out.
 * @param {Widget} widget @param {"" | ".svg" | ".png"} form
 */
export function widgetAddress(widget, form) {
    const { line, stop, size, theme, isCompact, refresh, language } = widget;
    const isBoard = line === null;
    const rows = Math.min(widget.rows, maxRows(size));
    const asked = new URLSearchParams();
    if (size !== (isBoard ? "medium" : "small")) asked.set("size", size);
    if (theme !== "auto") asked.set("theme", theme);
    if (rows !== defaultRows(size, isBoard)) asked.set("rows", String(rows));
    if (isCompact) asked.set("compact", "true");
    if (refresh !== defaultRefresh && form === "") asked.set("refresh", String(refresh));
    if (language !== "en") asked.set("lang", language);
    const query = String(asked);
    return `widget/${encodeURIComponent(line ?? "board")}/${encodeURIComponent(stop)}${form}`
        + (query === "" ? "" : `?${query}`);
}

/**
 * A frame of another scheme than its page has an opaque ground.
 * @param {Widget["theme"]} theme
 */
export const schemes = (theme) => (theme === "auto" ? "light dark" : theme);

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

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
