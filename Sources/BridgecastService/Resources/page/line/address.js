// Which lines and which stop an address asks for; without a stop it is the visitor's favourite.
import { favouriteStop } from "../model/favourites.js";

const maxLines = 10;

/**
 * @param {Record<string, string>} values of the address
 * @returns {string[]} the first line is the one that the page is about
 */
export function readLineIDs({ line = "", lines = "" }) {
    if (line === "") return [];
    const further = lines.split(",").map((id) => id.trim()).filter((id) => id !== "");
    return [...new Set([line, ...further])].slice(0, maxLines);
}

/**
 * The visitor's stop on a line, which an address may name by what riders call it.
 * @param {Record<string, string>} values of the address
 * @param {import("../core/types").Preferences} preferences
 * @param {import("../data/line-answers.js").LineMap | null} map
 * @returns {string | null}
 */
export const readStopID = (values, preferences, map) => values.stop ?? favouriteStop(preferences, values.line ?? "")
    ?? (map ? favouriteStop(preferences, map.line.id) : null);
