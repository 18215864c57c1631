// Points that were picked on the map or reported by the browser are named by the street corner nearest to them.
import { useMemo } from "../../vendor/preact.js";
import { useAnswer } from "../../core/hooks.js";
import { isPoint } from "./question.js";

/**
 * The name of the first corner in an answer.
 * @param {any} document of /places @returns {string | null}
 */
export function readCorner(document) {
    const name = document?.places?.[0]?.name;
    return typeof name === "string" && name !== "" ? name : null;
}

/**
 * Names of the trip's points by their coordinates; without the service's answer a point has none.
 * @param {import("./question.js").Trip} trip
 * @returns {import("./question.js").Corners}
 */
export function useCorners({ from, to }) {
    const fromName = useCorner(from);
    const toName = useCorner(to);
    return useMemo(() => ({ [from]: fromName, [to]: toName }), [from, to, fromName, toName]);
}

/** @param {string} place */
const useCorner = (place) =>
    readCorner(useAnswer(isPoint(place) ? `places?near=${encodeURIComponent(place)}&limit=1` : null, "once").value);
