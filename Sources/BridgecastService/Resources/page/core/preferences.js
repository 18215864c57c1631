// What this visitor prefers, kept by the browser: pinned and watched bridges, favourite stops, language, theme, looks of
// the live line, rows of a board.
import { readFavourites } from "../model/favourites.js";

/** @typedef {import("./types").Preferences} Preferences */

const key = "bridgecast.preferences";
export const maxRows = 10;
const defaultRows = 3;

/**
 * Departures of each direction on a board.
 * @param {unknown} value a number, or a text of an address @returns {number | null}
 */
export function readRows(value) {
    const rows = typeof value === "number" || typeof value === "string" && value !== "" ? Number(value) : NaN;
    return Number.isInteger(rows) && rows >= 1 && rows <= maxRows ? rows : null;
}

/** @returns {Preferences} */
export function readPreferences() {
    /** @type {Record<string, unknown>} */
    let kept = {};
    try {
        const parsed = JSON.parse(localStorage.getItem(key) ?? "{}");
        if (parsed !== null && typeof parsed === "object") kept = parsed;
    } catch {
        // Storage is forbidden or holds something else: the visitor has no preferences.
    }
    const numbers = (/** @type {unknown} */ list) =>
        Array.isArray(list) ? [...new Set(list.filter((x) => Number.isInteger(x)))].slice(0, 20) : [];
    return {
        pinned: numbers(kept.pinned),
        watched: numbers(kept.watched),
        watchedDown: numbers(kept.watchedDown),
        language: typeof kept.language === "string" ? kept.language : null,
        theme: kept.theme === "light" || kept.theme === "dark" ? kept.theme : null,
        hasGrid: kept.hasGrid !== false,
        isSmooth: kept.isSmooth === true,
        favourites: readFavourites(kept.favourites),
        boardRows: readRows(kept.boardRows) ?? defaultRows,
    };
}

/**
 * What the visitor prefers in another tab is preferred in this one.
 * @param {(preferences: Preferences) => void} hear
 */
export function followPreferences(hear) {
    addEventListener("storage", (event) => {
        // Without a key everything was cleared.
        if (event.key === key || event.key === null) hear(readPreferences());
    });
}

/** @param {Preferences} preferences */
export function keepPreferences(preferences) {
    try {
        localStorage.setItem(key, JSON.stringify(preferences));
    } catch {
        // They hold until the page is closed.
    }
}
