// Which lines and which stop an address asks for; without a line the visitor's favourite.
import { favouriteStop } from "../model/favourites.js";

const maxLines = 10;

/**
 * @param {Record<string, string>} values of the address
 * @param {import("../core/types").Preferences} preferences
 * @returns {{ lines: string[], stop: string | null }} the first line is the one that the page is about
 */
export function readLineAddress(values, preferences) {
    const line = values.line ?? "";
    if (line === "") return { lines: [], stop: null };
    const further = (values.lines ?? "").split(",").map((id) => id.trim()).filter((id) => id !== "");
    return {
        lines: [...new Set([line, ...further])].slice(0, maxLines),
        stop: values.stop ?? favouriteStop(preferences, line),
    };
}
