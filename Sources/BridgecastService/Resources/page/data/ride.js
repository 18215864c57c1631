// What the service answers about a ride on a run, from one stop to a later one, read and checked.
import { asList } from "../core/checks.js";
import { numberOrNull, text, timeOf } from "./reading.js";

/**
 * @typedef {object} RideView
 * @property {string} line
 * @property {string} from
 * @property {string} to
 * @property {number | null} plannedDeparture milliseconds since 1970
 * @property {number | null} plannedArrival
 * @property {number | null} departure by a feed
 * @property {number | null} arrival by a feed
 * @property {number[]} bridges the city's numbers of those between that are ahead
 * @property {{ mean: number, nine: number, chance: number } | null} delay that they may add, seconds
 * @property {number} at the time that this is about
 */

/** @param {any} document of /trips/{id} with from and to @returns {RideView | null} */
export function readRide(document) {
    const ride = document?.data?.ride;
    const at = timeOf(null, document?.valid_at);
    if (at === null || [ride?.line, ride?.from, ride?.to].some((name) => text(name) === "")) return null;
    const [mean, nine] = [numberOrNull(ride.bridge_delay?.mean_s), numberOrNull(ride.bridge_delay?.p90_s)];
    const chance = numberOrNull(ride.bridge_delay?.probability_stopped);
    return {
        line: ride.line, from: ride.from, to: ride.to, at,
        plannedDeparture: timeOf(null, ride.planned_departure), plannedArrival: timeOf(null, ride.planned_arrival),
        departure: timeOf(null, ride.departure), arrival: timeOf(null, ride.arrival),
        bridges: asList(ride.bridge_ids).filter((id) => Number.isInteger(id)),
        delay: mean === null || nine === null || chance === null ? null : { mean, nine, chance },
    };
}
