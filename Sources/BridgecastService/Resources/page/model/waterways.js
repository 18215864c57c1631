// The two waterways with their bridges, and which of their water carries an extra chance. The middle of the water is
// the way that keeps farthest from the shores in OpenStreetMap (© OpenStreetMap contributors, ODbL 1.0), simplified to
// 20 m.

/** @typedef {import("./geo.js").Position} Position */
/**
 * @typedef {object} Waterway
 * @property {"canal" | "duwamish"} id
 * @property {number[]} bridges the city's numbers, from the sea inland
 * @property {Position[][]} reaches longitude and latitude; reach n ends at bridge n, reach n + 1 begins there
 */

/** @type {Waterway} */
export const canal = {
    id: "canal",
    bridges: [2, 3, 21, 4],
    reaches: [
        [[-122.4105, 47.6702], [-122.4025, 47.6678], [-122.3951, 47.6659], [-122.3896, 47.6658], [-122.3812, 47.6605],
            [-122.3787, 47.6598], [-122.3762, 47.6598]],
        [[-122.3762, 47.6598], [-122.3732, 47.6596], [-122.3706, 47.6583], [-122.3682, 47.6567], [-122.368, 47.6562],
            [-122.3642, 47.6539], [-122.3631, 47.6538], [-122.3606, 47.6527], [-122.3498, 47.6476]],
        [[-122.3498, 47.6476], [-122.3475, 47.6466], [-122.3446, 47.6466], [-122.3403, 47.6437], [-122.3335, 47.6436],
            [-122.3317, 47.6449], [-122.3313, 47.6466], [-122.3301, 47.6476], [-122.3298, 47.6486],
            [-122.3234, 47.6529], [-122.3207, 47.653], [-122.3203, 47.6527]],
        [[-122.3203, 47.6527], [-122.3198, 47.6527], [-122.3141, 47.6489], [-122.3128, 47.6485], [-122.3112, 47.6474],
            [-122.3046, 47.6472]],
        [[-122.3046, 47.6472], [-122.3006, 47.6473], [-122.2988, 47.6471], [-122.2964, 47.6476], [-122.2918, 47.6477],
            [-122.2865, 47.648], [-122.285, 47.649]],
    ],
};

/** @type {Waterway} */
export const duwamish = {
    id: "duwamish",
    bridges: [6, 1, 29],
    reaches: [
        [[-122.3594, 47.586], [-122.3596, 47.5752], [-122.3536, 47.5713]],
        [[-122.3536, 47.5713], [-122.3489, 47.5682], [-122.3487, 47.5662], [-122.3477, 47.5653], [-122.3471, 47.5634],
            [-122.3471, 47.5603], [-122.3431, 47.5565], [-122.3404, 47.551], [-122.34, 47.5493], [-122.3375, 47.5457],
            [-122.3375, 47.5444], [-122.3345, 47.5422]],
        [[-122.3345, 47.5422], [-122.3244, 47.5353], [-122.3144, 47.5293]],
        [[-122.3144, 47.5293], [-122.3095, 47.5262], [-122.3072, 47.5207], [-122.3072, 47.5195], [-122.308, 47.5188]],
    ],
};

/** The bridge that turns instead of rising. */
export const swingBridge = 6;

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
const minExtra = 0.02;

/**
 * @param {import("../core/types").Board} board
 * @param {Waterway} waterway
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
        if (Math.max(...extra) < minExtra) return;
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
        const extra = next ? next.probability_stopped - next.climatology_probability_stopped : 0;
        return Number.isFinite(extra) ? Math.min(1, Math.max(0, extra)) : 0;
    });
}
