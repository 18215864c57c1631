// A ride that is followed view by view, as the journey that is entered when it has ended; `trip --keep` enters the same.

/** @typedef {import("../data/ride.js").RideView} RideView */
/**
 * @typedef {object} Ride
 * @property {RideView} view the newest
 * @property {number | null} departure milliseconds since 1970
 * @property {number | null} arrival
 * @property {boolean} hasArrived
 * @property {{ expected: number, nine: number, delay: number, chance: number, bridges: number[] } | null} forecast of the
 *   last view before it left, seconds
 */

const maxSeconds = 86_400;

/**
 * Takes a view in. Times of stops that a feed leaves out once they are passed stay what they were last.
 * @param {Ride | null} before null for the first view
 * @param {RideView} view
 * @param {number} now by the service's clock
 * @returns {Ride}
 */
export function followRide(before, view, now) {
    const departure = view.departure ?? before?.departure ?? null;
    const wasThere = before?.hasArrived ?? false;
    const arrival = (wasThere ? null : view.arrival) ?? before?.arrival ?? null;
    if (departure === null || arrival === null) {
        return { view, departure, arrival, hasArrived: wasThere, forecast: before?.forecast ?? null };
    }
    const forecast = now <= departure ? forecastOf(view, Math.max(0, arrival - departure) / 1000) : before?.forecast ?? null;
    return { view, departure, arrival, forecast, hasArrived: wasThere || now >= arrival };
}

/** @param {RideView} view @param {number} seconds from stop to stop */
function forecastOf({ delay, bridges }, seconds) {
    return {
        expected: Math.min(maxSeconds, seconds + (delay?.mean ?? 0)), nine: Math.min(maxSeconds, seconds + (delay?.nine ?? 0)),
        delay: delay?.mean ?? 0, chance: delay?.chance ?? 0, bridges,
    };
}

/** @param {number} time */
const rfc3339 = (time) => new Date(time).toISOString();

/**
 * What is sent to the journal; null before the vehicle has been at both stops, or where the timetable has no times there.
 * @param {Ride} ride
 * @returns {Record<string, string> | null}
 */
export function formOfRide({ view, departure, arrival, hasArrived, forecast }) {
    const { line, from, to, plannedDeparture, plannedArrival } = view;
    if (!hasArrived || departure === null || arrival === null || plannedDeparture === null || plannedArrival === null) {
        return null;
    }
    return {
        from, to, mode: "transit", way: line, planned_departure: rfc3339(plannedDeparture),
        minutes: String((plannedArrival - plannedDeparture) / 60_000), departed: rfc3339(departure),
        arrived: rfc3339(Math.max(arrival, departure)), ...forecast && forecastForm(forecast),
    };
}

/** @param {NonNullable<Ride["forecast"]>} forecast @returns {Record<string, string>} */
const forecastForm = ({ expected, nine, delay, chance, bridges }) => ({
    expected_s: String(expected), p90_s: String(nine), delay_s: String(delay), chance: String(chance),
    ...bridges.length > 0 && { bridges: bridges.join(",") },
});
