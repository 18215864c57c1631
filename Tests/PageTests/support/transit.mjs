// Answers about boards and runs, made up for tests.

export const noon = Date.parse("2018-01-04T12:00:00-08:00");
const seconds = noon / 1000;
const envelope = { valid_at: "2018-01-04T12:00:00-08:00", sources: [], warnings: [], time_zone: "America/Los_Angeles" };

/** @param {object} [more] */
export const departure = (more = {}) => ({
    trip_id: "t1", service_date: "2018-01-04", start_time: null, route_id: "102640", route: "541",
    route_color: "#FDB71A", route_text_color: null, kind: "bus", headsign: "Overlake", direction: 0, stop_id: "25243",
    platform: null,
    planned_platform: null, wheelchair: "unknown", scheduled_departure: "2018-01-04T12:01:00-08:00",
    scheduled_departure_epoch_s: seconds + 60, predicted_arrival: null, predicted_departure: null,
    expected: "2018-01-04T12:01:00-08:00", expected_epoch_s: seconds + 60, delay_s: null, status: "scheduled",
    approximate: false, confidence: "NONE", occupancy: "no data", service_class: null, bridges: [], bridge_delay: null,
    ...more,
});

/** @param {object} [more] */
export const bridgeAhead = (more = {}) => ({
    bridge: "Montlake", bridge_id: 4, eta_epoch_s: seconds + 60, eta_basis: "timetable", is_waiting: false,
    raised_since_epoch_s: null, probability_stopped: 0.31, delay_s: { mean: 62, p50: 0, p80: 130, p90: 210 }, ...more,
});

/** @param {any[]} departures @param {object} [more] */
export const boardDocument = (departures, more = {}) => ({
    ...envelope,
    data: {
        stop: { id: "25243", code: null, name: "Montlake Blvd", platform: null, wheelchair: "unknown" },
        as_of: "2018-01-04T12:00:00-08:00", valid_until: "2018-01-04T12:01:01-08:00", no_service: null,
        directions: [{ direction: 0, name: "Redmond" }, null, { direction: "x", name: 3 }], departures, alerts: [],
        ...more,
    },
});

/** @param {number} count stops, a minute apart from noon on @param {object} [more] */
export const runDocument = (count, more = {}) => ({
    ...envelope,
    data: {
        trip_id: "t1", service_date: "2018-01-04", relationship: "scheduled", route_id: "102640", route: "541",
        route_color: null, headsign: "Overlake", trip_short_name: "EXPRESS", direction: 0, wheelchair: "unknown",
        vehicle: null, bridges: [], alerts: [],
        stops: Array.from({ length: count }, (_, n) => ({
            sequence: n + 1, lat: 47 + n, lon: -122.3, stop_id: `s${n}`, stop_name: `Stop ${n}`, platform: null,
            planned_platform: null, wheelchair: "unknown", scheduled_departure_epoch_s: seconds + n * 60,
            expected_epoch_s: seconds + n * 60, delay_s: null, status: "scheduled", confidence: "NONE",
            occupancy: "no data",
        })),
        ...more,
    },
});
