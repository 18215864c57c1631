// What can be wrong with a board, each with what the visitor can do: there are five such things, as for a widget.

/** @typedef {import("../core/types").Trouble} Trouble */
/** @typedef {"noLocation" | "cacheStale" | "noStation" | "noData" | "apiError"} ProblemCode */
/** @typedef {"locate" | "search" | "retry"} Remedy */

/** @type {Record<ProblemCode, Remedy>} */
export const remedies = {
    noLocation: "locate", cacheStale: "locate", noStation: "search", noData: "retry", apiError: "retry",
};

const codes = /** @type {ProblemCode[]} */ (Object.keys(remedies));

/**
 * A board near the visitor needs a place that is not too old.
 * @param {{ place: unknown, isOutdated: boolean }} kept
 * @returns {ProblemCode | null}
 */
export const problemOfPlace = ({ place, isOutdated }) =>
    (place !== null ? null : isOutdated ? "cacheStale" : "noLocation");

/**
 * Why there is no answer.
 * @param {Trouble | null} trouble
 * @returns {ProblemCode}
 */
export function problemOfTrouble(trouble) {
    const own = codes.find((one) => one === trouble?.code);
    if (own) return own;
    return trouble?.status === 404 ? "noStation" : "apiError";
}
