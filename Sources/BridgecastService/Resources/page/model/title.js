// The title of the document: the answer of the first view, and what a view of its own is about, so that tabs, bookmarks
// and steps back differ.
import { sayCountdown } from "./countdown.js";
import { headlineOf, sayHeadline } from "./headline.js";
import { isPastTense } from "./status.js";

/**
 * @param {import("../core/words.js").Words} words
 * @param {import("../core/types").State} state
 * @param {import("./status.js").Status} status
 * @param {number} now
 * @param {Corners} [corners]
 */
export const sayTitle = (words, state, status, now, corners = {}) =>
    words.t("change.title", { headline: sayView(words, state, status, now, corners) });

/**
 * @param {import("../core/words.js").Words} words
 * @param {import("../core/types").State} state
 * @param {import("./status.js").Status} status
 * @param {number} now
 * @param {Corners} corners
 * @returns {string}
 */
function sayView(words, state, status, now, corners) {
    const { view, values } = state.address;
    switch (view) {
        case "trip": return sayTrip(words, values, corners);
        case "bridge": return sayBridge(words, state.board, values.bridge ?? "");
        case "skill": return words.t("skill.title");
        case "widget": return words.t("widget.title");
        case "me": return words.t("nav.me");
        case "line": return sayLine(words, state.line ?? null, now);
        case "board": return sayBoard(words, state.line ?? null, now);
        case "run": return state.line?.title ?? words.t("run.title");
        default: return sayHeadline(words, headlineOf(state, status, now), isPastTense(status)).replace(/\.$/, "");
    }
}

/**
 * @param {import("../core/words.js").Words} words @param {Record<string, string>} values of the address
 * @param {Corners} corners
 */
function sayTrip(words, { from = "", to = "", mode = "car" }, corners) {
    if (from.trim() === "" || to.trim() === "") return words.t("trip.title");
    const by = `trip.by.${mode}`;
    return words.t("trip.ways", {
        from: sayPlace(words, from.trim(), corners), to: sayPlace(words, to.trim(), corners),
        by: words.t(words.has(by) ? by : "trip.by.car"),
    });
}

const nearMilliseconds = 600_000;

/**
 * A line's name; the minutes and seconds before it where its next arrival at the visitor's stop is near.
 * @param {import("../core/words.js").Words} words @param {import("../core/types").ShownLine | null} line
 * @param {number} now
 */
function sayLine(words, line, now) {
    if (!line) return words.t("line.none_title");
    const left = line.arrivesAt === null ? Infinity : line.arrivesAt - now;
    if (left > nearMilliseconds || line.stop === null) return words.t("line.title", { line: line.title });
    return words.t("line.title_near", { countdown: sayCountdown(words, left), line: line.title, stop: line.stop });
}

/**
 * A stop's name; before it the minutes and seconds until its next departure where that is near.
 * @param {import("../core/words.js").Words} words @param {import("../core/types").ShownLine | null} board
 * @param {number} now
 */
function sayBoard(words, board, now) {
    if (!board || board.stop === null) return words.t("board.title");
    const left = board.arrivesAt === null ? Infinity : board.arrivesAt - now;
    if (left > nearMilliseconds) return words.t("board.title_of", { stop: board.stop });
    return words.t("line.title_near", { countdown: sayCountdown(words, left), line: board.title, stop: board.stop });
}

/**
 * Whether a place was picked on a map or reported by the browser: 47.6,-122.3.
 * @param {string} place
 */
export const isPoint = (place) => /^-?[\d.]+,\s*-?[\d.]+$/.test(place);

/** @typedef {Record<string, string | null>} Corners names of points by their coordinates */

/**
 * The question for the street corner that is nearest to a point; null for a place that has a name.
 * @param {string} place
 */
export const cornerPath = (place) => (isPoint(place) ? `places?near=${encodeURIComponent(place)}&limit=1` : null);

/**
 * The name of the first corner in an answer.
 * @param {any} document of /places @returns {string | null}
 */
export function readCorner(document) {
    const name = document?.places?.[0]?.name;
    return typeof name === "string" && name !== "" ? name : null;
}

/**
 * A place's name; a point has that of the corner nearest to it.
 * @param {import("../core/words.js").Words} words @param {string} place @param {Corners} [corners]
 */
export const sayPlace = (words, place, corners = {}) =>
    (isPoint(place) ? corners[place] ?? words.t("trip.point") : place);

/**
 * @param {import("../core/words.js").Words} words
 * @param {import("../core/types").Board | null} board
 * @param {string} wanted its number or its name
 */
function sayBridge(words, board, wanted) {
    const name = wanted.trim().toLowerCase();
    const own = board?.bridges.find((bridge) => String(bridge.bridge_id) === name || bridge.bridge.toLowerCase() === name);
    return own ? words.t("bridge.heading", { bridge: own.bridge }) : words.t("bridge.heading_waiting");
}
