// A board as it is laid out: a column for each direction, each with as many departures as the visitor wants.

/** @typedef {import("../data/board.js").StopBoard} StopBoard */
/** @typedef {import("../data/board.js").Departure} Departure */
/** @typedef {{ direction: number | null, name: string | null, departures: Departure[] }} Column */

/** @param {Departure} departure */
const orderOf = ({ at, scheduledAt }) => at ?? scheduledAt ?? Infinity;

/**
 * @param {Pick<StopBoard, "departures" | "directions">} board @param {number} rows
 * @returns {Column[]} those without a direction last
 */
export function columnsOf({ departures, directions }, rows) {
    const sorted = [...departures].sort((one, other) => orderOf(one) - orderOf(other));
    return [0, 1, null].map((direction) => {
        const own = sorted.filter((departure) => departure.direction === direction).slice(0, rows);
        const name = direction === null ? null : directions.get(direction) ?? commonest(own);
        return { direction, departures: own, name };
    }).filter((column) => column.departures.length > 0);
}

/** @param {readonly Departure[]} departures @returns {string | null} the headsign that most of them have */
function commonest(departures) {
    const counts = new Map();
    for (const { headsign } of departures) if (headsign !== "") counts.set(headsign, (counts.get(headsign) ?? 0) + 1);
    return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}

/**
 * The lines that a board shows, each once, in the order of their names.
 * @param {Pick<StopBoard, "departures" | "stop">} board
 */
export function linesOf({ departures, stop }) {
    const all = stop.lines.length > 0 ? stop.lines : departures.map(({ line }) => line);
    return [...new Map(all.filter(({ id }) => id !== "").map((line) => [line.id, line])).values()]
        .sort((one, other) => one.title.localeCompare(other.title, undefined, { numeric: true }));
}

/**
 * The next departure that comes at all.
 * @param {readonly Departure[]} departures @param {number} now
 */
export const nextOf = (departures, now) => [...departures].sort((one, other) => orderOf(one) - orderOf(other))
    .find(({ at }) => at !== null && at > now - 1_000) ?? null;
