// What has changed on a board that somebody who does not see it should hear.
import { present } from "../core/checks.js";

/** @typedef {import("../data/board.js").Departure} Departure */
/** @typedef {{ kind: "cancelled" | "platform", departure: Departure }} Change */

const maxSentences = 2;

/**
 * @param {readonly Departure[]} before @param {readonly Departure[]} after
 * @returns {Change[]} what is seen for the first time has not changed
 */
export function changesOf(before, after) {
    const known = new Map(before.map((departure) => [departure.key, departure]));
    return present(after.map((departure) => changeOf(known.get(departure.key), departure))).slice(0, maxSentences);
}

/** @param {Departure | undefined} last @param {Departure} departure @returns {Change | null} */
function changeOf(last, departure) {
    if (!last) return null;
    if (last.at !== null && departure.at === null) return { kind: "cancelled", departure };
    const isMoved = last.platform !== departure.platform && departure.platform !== null;
    return isMoved ? { kind: "platform", departure } : null;
}
