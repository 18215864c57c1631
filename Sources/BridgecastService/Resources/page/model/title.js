// The title of the document: the answer of the first view, and what a view of its own is about; tabs, bookmarks and steps
// back differ by it.
import { headlineOf, sayHeadline } from "./headline.js";
import { isPastTense } from "./status.js";

/**
 * @param {import("../core/words.js").Words} words
 * @param {import("../core/types").State} state
 * @param {import("./status.js").Status} status
 * @param {number} now
 */
export const sayTitle = (words, state, status, now) =>
    words.t("change.title", { headline: sayView(words, state, status, now) });

/**
 * @param {import("../core/words.js").Words} words
 * @param {import("../core/types").State} state
 * @param {import("./status.js").Status} status
 * @param {number} now
 * @returns {string}
 */
function sayView(words, state, status, now) {
    const { view, values } = state.address;
    switch (view) {
        case "trip": return sayTrip(words, values);
        case "bridge": return sayBridge(words, state.board, values.bridge ?? "");
        case "skill": return words.t("skill.title");
        default: return sayHeadline(words, headlineOf(state, status, now), isPastTense(status)).replace(/\.$/, "");
    }
}

/** @param {import("../core/words.js").Words} words @param {Record<string, string>} values of the address */
function sayTrip(words, { from = "", to = "", mode = "car" }) {
    if (from.trim() === "" || to.trim() === "") return words.t("trip.title");
    const by = `trip.by.${mode}`;
    return words.t("trip.ways",
        { from: sayPlace(words, from.trim()), to: sayPlace(words, to.trim()), by: words.t(words.has(by) ? by : "trip.by.car") });
}

/**
 * A place's name; one that was picked on a map, 47.6,-122.3, has none.
 * @param {import("../core/words.js").Words} words @param {string} place
 */
const sayPlace = (words, place) => (/^-?[\d.]+,\s*-?[\d.]+$/.test(place) ? words.t("trip.point") : place);

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
