// Vehicles in the order of their line, and which of them is next at a stop.

/** @typedef {import("../data/line-answers.js").Vehicle} Vehicle */

/**
 * Vehicles by line and direction, each in the order in which the line is run.
 * @param {readonly Vehicle[]} vehicles
 */
export const inOrder = (vehicles) => [...vehicles].sort((a, b) => a.routeID.localeCompare(b.routeID)
    || (a.direction ?? 2) - (b.direction ?? 2) || a.along - b.along || a.id.localeCompare(b.id));

/**
 * The vehicle that is next at a stop, among those whose next stops are known.
 * @param {readonly Vehicle[]} vehicles @param {string} stop
 */
export function nextAt(vehicles, stop) {
    const coming = vehicles.flatMap((vehicle) =>
        vehicle.nextStops.filter(({ id }) => id === stop).map(({ arrivesAt }) => ({ vehicle, arrivesAt })));
    return coming.sort((a, b) => a.arrivesAt - b.arrivesAt)[0] ?? null;
}
