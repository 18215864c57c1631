// A run as a list: its stops, the bridges between them, and where its vehicle is.

/** @typedef {import("../data/run.js").Run} Run */
/** @typedef {import("../data/run.js").RunStop} RunStop */
/**
 * @typedef {{ kind: "stop", stop: RunStop, isPassed: boolean, isNews: boolean }
 *     | { kind: "bridge", bridge: import("../data/board.js").BridgeAhead }
 *     | { kind: "here", isSeen: boolean }} RunRow news: another lateness than at the stop before; seen: not only
 *     reckoned by the timetable
 */

/** @param {RunStop} stop */
const timeOf = ({ at, scheduledAt }) => at ?? scheduledAt ?? null;

/**
 * @param {Pick<Run, "stops" | "bridges" | "vehicle" | "isCancelled">} run @param {number} now
 * @returns {RunRow[]}
 */
export function rowsOf(run, now) {
    const passed = passedCount(run.stops, now);
    const bridges = [...run.bridges].sort((one, other) => (one.at ?? Infinity) - (other.at ?? Infinity));
    /** @type {RunRow[]} */
    const rows = [];
    run.stops.forEach((stop, place) => {
        const time = timeOf(stop);
        if (place === passed && place > 0 && !run.isCancelled) rows.push({ kind: "here", isSeen: isSeen(run.vehicle) });
        while (place >= passed && bridges[0] && isBefore(bridges[0], time, place === run.stops.length - 1)) {
            rows.push({ kind: "bridge", bridge: /** @type {any} */ (bridges.shift()) });
        }
        rows.push({ kind: "stop", stop, isPassed: place < passed, isNews: isNews(run.stops[place - 1], stop) });
    });
    return rows;
}

const newsSeconds = 60;

/** @param {RunStop | undefined} before @param {RunStop} stop */
const isNews = (before, stop) => before?.status !== stop.status
    || Math.abs((before.delay ?? 0) - (stop.delay ?? 0)) >= newsSeconds;

/** @param {import("../data/run.js").RunVehicle | null} vehicle */
const isSeen = (vehicle) => vehicle !== null && !vehicle.isStale;

/**
 * Whether a bridge is crossed before a stop; one whose time is not known comes before the last.
 * @param {{ at: number | null }} bridge @param {number | null} time of the stop @param {boolean} isLast
 */
const isBefore = ({ at }, time, isLast) => isLast || (at !== null && time !== null && at <= time);

/**
 * How many stops are behind it: all up to the last one whose time is over.
 * @param {readonly RunStop[]} stops @param {number} now
 */
export function passedCount(stops, now) {
    return stops.reduce((count, stop, place) => {
        const time = timeOf(stop);
        return time !== null && time < now ? place + 1 : count;
    }, 0);
}

/**
 * Whether all is over, has not begun, or is under way.
 * @param {readonly RunStop[]} stops @param {number} now
 * @returns {"over" | "ahead" | "under_way"}
 */
export function stageOf(stops, now) {
    const passed = passedCount(stops, now);
    return passed === 0 ? "ahead" : passed === stops.length ? "over" : "under_way";
}
