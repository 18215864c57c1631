// Points that were picked on the map or reported by the browser are named by the street corner nearest to them.
import { useMemo } from "../../vendor/preact.js";
import { useAnswer } from "../../core/hooks.js";
import { cornerPath, readCorner } from "../../model/title.js";

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
const useCorner = (place) => readCorner(useAnswer(cornerPath(place), "once").value);
