// What the answers about a trip hold, checked: ways, departures, when to leave. Used by the trip's views and pictures.

/** @typedef {import("../core/types").RankedRoute} RankedRoute */
/** @typedef {import("../core/types").DepartureRoute} DepartureRoute */
/**
 * @typedef {object} Ways
 * @property {string} origin
 * @property {string} destination
 * @property {import("../core/types").Mode} mode
 * @property {number} departure milliseconds since 1970
 * @property {number} issuedAt when the forecast was made
 * @property {boolean} isUsualOnly whether what the bridges do now says nothing about it any more
 * @property {string[]} warnings English
 * @property {RankedRoute[]} routes best first
 * @property {import("../core/types").RoutesDocument["groups"][0]["comparisons"]} comparisons
 */

const liveSeconds = 3_600;

/**
 * @param {any} document of /routes
 * @returns {Ways | null} null if there is nothing in it that can be shown
 */
export function readWays(document) {
    const group = document?.groups?.[0];
    const departure = Date.parse(document?.departure);
    if (!Array.isArray(group?.routes) || !Number.isFinite(departure)) return null;
    /** @type {RankedRoute[]} */
    const routes = group.routes.filter(isRoute);
    if (routes.length === 0) return null;
    const crossings = routes.flatMap((route) => route.crossings);
    return {
        origin: String(group.origin), destination: String(group.destination), mode: group.mode, departure,
        issuedAt: Date.parse(document.issue_time ?? document.generated_at),
        isUsualOnly: crossings.length > 0 && crossings.every(isFarAhead),
        warnings: list(document.warnings).filter((text) => typeof text === "string" && !text.includes("climatology"))
            .map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`),
        routes,
        comparisons: list(group.comparisons),
    };
}

/**
 * Whether it is told by the usual because of its hour; a bridge that is not observed is so at any time.
 * @param {import("../core/types").Crossing} crossing
 */
const isFarAhead = (crossing) => crossing.basis === "climatology" && crossing.lead_time_s > liveSeconds;

/** @param {any} route @returns {boolean} */
function isRoute(route) {
    return typeof route?.id === "string" && typeof route.name === "string"
        && [route.travel_s?.p50, route.travel_s?.p90, route.metres].every(Number.isFinite)
        && Array.isArray(route.travel_quantiles_s) && route.travel_quantiles_s.length > 0
        && route.travel_quantiles_s.every(Number.isFinite) && Array.isArray(route.crossings)
        && route.crossings.every((/** @type {any} */ crossing) => typeof crossing?.bridge === "string"
            && Number.isFinite(crossing.probability_stopped));
}

/** @param {unknown} value @returns {any[]} */
const list = (value) => (Array.isArray(value) ? value : []);

/**
 * When one is there 9 times in 10, in whole minutes: "by 18:30" is never too early.
 * @param {Ways} ways @param {RankedRoute} route
 */
export const nineInTenBy = (ways, route) => Math.ceil((ways.departure + route.travel_s.p90 * 1000) / 60_000) * 60_000;

/**
 * What a way is called in a word or two: its crossing where it names one, else its roads.
 * @param {{ id: string, name: string }} route
 */
export function shortName(route) {
    if (route.name.includes(route.id)) return route.id;
    const crossing = route.name.split(", ").find((part) => part.includes("Bridge"));
    // A second way over the same crossings is told apart by a road: "Fremont Bridge by Dexter Ave N".
    const road = route.id.split(" by ")[1];
    if (road) return crossing ? `${crossing}, ${road}` : road;
    return crossing ?? route.name.split(", ").slice(0, 2).join(", ");
}

/**
 * @typedef {object} Departures
 * @property {{ departure: number, best: DepartureRoute }[]} points best by being on time, else the recommended
 * @property {{ departure: number, best: DepartureRoute } | null} leaveBy the last departure that is sure enough
 * @property {Map<string, number>} leaveByRoute the same for each way, by its id
 */

/**
 * @param {any} document of /depart
 * @returns {Departures | null}
 */
export function readDepartures(document) {
    if (!Array.isArray(document?.points)) return null;
    /** @param {any} route */
    const isSound = (route) => typeof route?.route_id === "string" && typeof route.route === "string"
        && [Date.parse(route.departure), route.expected_s, route.p90_s].every(Number.isFinite);
    /** @param {DepartureRoute} route */
    const point = (route) => ({ departure: Date.parse(route.departure), best: route });
    const points = document.points.flatMap((/** @type {any} */ given) => {
        const routes = list(given?.routes).filter(isSound);
        return routes.length === 0 ? [] : [point(routes.reduce(likelier))];
    });
    const latest = list(document.latest).filter(isSound).map(point);
    const leaveBy = latest.length === 0 ? null : latest.reduce((a, b) =>
        b.departure > a.departure || (b.departure === a.departure && likelier(a.best, b.best) === b.best) ? b : a);
    return { points, leaveBy, leaveByRoute: new Map(latest.map((one) => [one.best.route_id, one.departure])) };
}

/**
 * The likelier one in time; the first where nobody asked for a time.
 * @param {DepartureRoute} a @param {DepartureRoute} b @returns {DepartureRoute}
 */
const likelier = (a, b) => ((b.probability_on_time ?? -1) > (a.probability_on_time ?? -1) ? b : a);
