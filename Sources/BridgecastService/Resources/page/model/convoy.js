// Which water bears an extra chance: before a bridge, on the side of a neighbour that has just opened. Used by waves.

/**
 * @typedef {object} Wave
 * @property {number} bridgeId where the chance is
 * @property {string} bridge its name
 * @property {-1 | 1} side of the neighbour: towards the sea or inland
 * @property {number[]} extra chance beyond the usual, now, in 5, 10, 15 and 20 min
 */

const recentMinutes = 30;
// Spans stay up for about five minutes, so one that came down this long ago went up within the half hour.
const loweredMinutes = 25;
const leadMinutes = [0, 5, 10, 15, 20];
// Less is not seen and says nothing.
const leastExtra = 0.02;

/**
 * @param {import("../core/types").Board} board
 * @param {import("./waterways.js").Waterway} waterway
 * @returns {Wave[]}
 */
export function findWaves(board, { bridges }) {
    const now = Date.parse(board.valid_at);
    /** @type {Wave[]} */
    const waves = [];
    bridges.forEach((bridgeId, place) => {
        const bridge = board.bridges.find((other) => other.bridge_id === bridgeId);
        // A bridge that is up shows more than a chance.
        if (!bridge || bridge.state === "raised") return;
        const extra = extraChances(bridge);
        if (Math.max(...extra) < leastExtra) return;
        for (const side of /** @type {const} */ ([-1, 1])) {
            const beyond = bridges.filter((_, n) => (n - place) * side > 0)
                .flatMap((id) => board.bridges.filter((other) => other.bridge_id === id));
            const next = beyond.find((other) => other.bridge_id === bridges[place + side]);
            if (isReason(bridge, beyond) || (next && hasOpened(next, now))) {
                waves.push({ bridgeId, bridge: bridge.bridge, side, extra });
            }
        }
    });
    return waves;
}

/**
 * Whether the service names one of these bridges as where boats come from.
 * @param {import("../core/types").Bridge} bridge @param {import("../core/types").Bridge[]} beyond
 */
function isReason(bridge, beyond) {
    return (bridge.reasons ?? []).some(({ code, values }) => code === "convoy"
        && Number(values?.minutes_ago ?? 0) <= recentMinutes
        && beyond.some((other) => other.bridge === values?.neighbour));
}

/** @param {import("../core/types").Bridge} bridge @param {number} now */
function hasOpened(bridge, now) {
    const minutes = (now - Date.parse(bridge.since ?? "")) / 60_000;
    if (bridge.state === "raised") return minutes <= recentMinutes;
    return bridge.state === "lowered" && minutes <= loweredMinutes;
}

/** @param {import("../core/types").Bridge} bridge */
function extraChances(bridge) {
    return leadMinutes.map((minutes) => {
        const points = bridge.outlook ?? [];
        const next = points.find((point) => point.lead_time_s >= minutes * 60 - 30);
        const extra = next ? next.probability_stopped - next.usual_probability_stopped : 0;
        return Number.isFinite(extra) ? Math.min(1, Math.max(0, extra)) : 0;
    });
}
