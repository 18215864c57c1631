// What the answers about a trip hold, checked: ways, departures, when to leave; which ways are one choice, and how ways
// differ.
import { asList } from "../../core/checks.js";

/** @typedef {import("../../core/types").RankedRoute} RankedRoute */
/** @typedef {import("../../core/types").DepartureRoute} DepartureRoute */
/**
 * @typedef {object} Ways
 * @property {string} origin
 * @property {string} destination
 * @property {import("../../core/types").Mode} mode
 * @property {number} departure milliseconds since 1970
 * @property {number} issuedAt when the forecast was made
 * @property {boolean} isUsualOnly whether what the bridges do now says nothing about it any more
 * @property {string[]} warnings English
 * @property {import("../../core/types").Known | undefined} known what it was forecast from
 * @property {RankedRoute[]} routes best first
 * @property {import("../../core/types").Comparison[]} comparisons
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
        warnings: asList(document.warnings).filter((text) => typeof text === "string" && !text.includes("climatology"))
            .map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`),
        known: document.known,
        routes,
        comparisons: asList(group.comparisons),
    };
}

/**
 * Whether its forecast is the usual because it is so far ahead; that of a bridge without a sensor always is.
 * @param {import("../../core/types").Crossing} crossing
 */
const isFarAhead = (crossing) => crossing.basis === "calendar" && crossing.lead_time_s > liveSeconds;

/** @param {any} route @returns {boolean} */
function isRoute(route) {
    return typeof route?.id === "string" && typeof route.name === "string"
        && [route.travel_s?.p50, route.travel_s?.p90, route.metres].every(Number.isFinite)
        && Array.isArray(route.travel_quantiles_s) && route.travel_quantiles_s.length > 0
        && route.travel_quantiles_s.every(Number.isFinite) && Array.isArray(route.crossings)
        && route.crossings.every((/** @type {any} */ crossing) => typeof crossing?.bridge === "string"
            && Number.isFinite(crossing.probability_stopped));
}

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
    // A second way over the same crossings is distinguished by a road: "Fremont Bridge by Dexter Ave N".
    const road = route.id.split(" by ")[1];
    if (road) return crossing ? `${crossing}, ${road}` : road;
    return crossing ?? route.name.split(", ").slice(0, 2).join(", ");
}

/**
 * Ways over the same bridges: to somebody who chooses they are one.
 * @typedef {{ main: RankedRoute, others: RankedRoute[] }} Choice
 */

/**
 * @param {readonly RankedRoute[]} routes best first
 * @returns {Choice[]}
 */
export function choicesOf(routes) {
    /** @type {Choice[]} */
    const choices = [];
    for (const route of routes) {
        // Without a bridge the roads are the choice.
        const same = route.crossings.length === 0 && isUnnamed(route) ? undefined
            : choices.find(({ main }) => overWhat(main) === overWhat(route));
        if (same) same.others.push(route);
        else choices.push({ main: route, others: [] });
    }
    return choices;
}

/** @param {RankedRoute} route the bridges that it is named after */
const overWhat = (route) => route.id.split(" by ")[0];
/** @param {RankedRoute} route */
const isUnnamed = (route) => overWhat(route) === "no crossing";

/**
 * The road that distinguishes a way from another over the same bridges.
 * @param {{ id: string, name: string }} route
 */
export const roadName = (route) => route.id.split(" by ")[1] ?? shortName(route);

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
        const routes = asList(given?.routes).filter(isSound);
        return routes.length === 0 ? [] : [point(routes.reduce(likelier))];
    });
    const latest = asList(document.latest).filter(isSound).map(point);
    const leaveBy = latest.length === 0 ? null : latest.reduce((a, b) =>
        b.departure > a.departure || (b.departure === a.departure && likelier(a.best, b.best) === b.best) ? b : a);
    return { points, leaveBy, leaveByRoute: new Map(latest.map((one) => [one.best.route_id, one.departure])) };
}

/**
 * The likelier one in time; the first where no time was asked for.
 * @param {DepartureRoute} a @param {DepartureRoute} b @returns {DepartureRoute}
 */
const likelier = (a, b) => ((b.probability_on_time ?? -1) > (a.probability_on_time ?? -1) ? b : a);

const closeSeconds = 60;
const closeNineSeconds = 120;
const tossUp = [0.45, 0.55];

/** @type {Record<string, Criterion>} */
const criteria = {
    probability_stopped: "stopped", p90_minutes: "nine", p95_minutes: "nine", probability_late: "late",
    expected_minutes: "mean",
};

/**
 * How often a way is faster than another, as fast, and slower.
 * @param {Ways["comparisons"]} comparisons @param {string} id @param {string} otherId
 * @returns {{ faster: number, tie: number, slower: number } | null}
 */
export function oddsBetween(comparisons, id, otherId) {
    for (const { route, other, probability_faster: faster, probability_tie: tie } of comparisons) {
        if (!Number.isFinite(faster) || !Number.isFinite(tie)) continue;
        const slower = Math.max(0, 1 - faster - tie);
        if (route === id && other === otherId) return { faster, tie, slower };
        if (route === otherId && other === id) return { faster: slower, tie, slower: faster };
    }
    return null;
}

/**
 * The same in hundred cases, which add up; neither way is ever certain to be faster.
 * @param {{ faster: number, tie: number, slower: number }} odds
 */
export function oddsInHundred({ faster, tie, slower }) {
    const same = Math.min(98, Math.round(tie * 100));
    const less = Math.max(1, Math.round(Math.min(faster, slower) * 100));
    const more = 100 - same - less;
    return faster < slower ? { faster: less, tie: same, slower: more } : { faster: more, tie: same, slower: less };
}

/**
 * Whether a visitor need not mind which of two ways it is, neither as a rule nor on a bad day.
 * @param {Ways["comparisons"]} comparisons @param {RankedRoute} a @param {RankedRoute} b
 */
export function isAboutSame(comparisons, a, b) {
    if (Math.abs(a.travel_s.p90 - b.travel_s.p90) >= closeNineSeconds) return false;
    if (Math.abs(a.travel_s.p50 - b.travel_s.p50) < closeSeconds) return true;
    const odds = oddsBetween(comparisons, a.id, b.id);
    return odds !== null && [odds.faster, odds.slower].some((chance) => chance >= tossUp[0] && chance <= tossUp[1]);
}

/**
 * Minutes that a way takes more than another half the time; below 0: fewer.
 * @param {RankedRoute} first @param {RankedRoute} route
 */
export function minutesMore(first, route) {
    const by = route.travel_s.p50 - first.travel_s.p50;
    // The minutes of both stand on their cards, rounded.
    const shown = Math.round(route.travel_s.p50 / 60) - Math.round(first.travel_s.p50 / 60);
    return Math.sign(shown) === Math.sign(by) ? shown : wholeMinutes(by);
}

/**
 * How a way differs from the first: its minutes half the time, or those of a bad day where half the time is alike.
 * @param {RankedRoute} first @param {RankedRoute} route
 * @returns {{ kind: "half" | "nine", by: number }} below 0: fewer
 */
export function mainDifference(first, route) {
    return apart(first.travel_s.p50, route.travel_s.p50, closeSeconds)
        ? { kind: "half", by: minutesMore(first, route) }
        : { kind: "nine", by: wholeMinutes(route.travel_s.p90 - first.travel_s.p90) };
}

/** @typedef {"stopped" | "nine" | "late" | "mean"} Criterion */

/**
 * What counts most against a way that takes less and is ranked below another nevertheless.
 * @param {RankedRoute} better @param {RankedRoute} route
 * @returns {Criterion | null}
 */
export const whyRankedLower = (better, route) =>
    (mainDifference(better, route).by >= 0 ? null : countsAgainst(better, route));

/**
 * What the ranking counts most against a way, compared with another.
 * @param {RankedRoute} better @param {RankedRoute} route
 * @returns {Criterion | null}
 */
function countsAgainst(better, route) {
    // Each is relative to the best way.
    const counted = Object.keys(criteria)
        .map((name) => ({ name, minutes: excess(route, name) - excess(better, name) }))
        .filter(({ minutes }) => minutes > 0).sort((a, b) => b.minutes - a.minutes);
    return counted.length === 0 ? null : criteria[counted[0].name];
}

/** @param {RankedRoute} route @param {string} name */
const excess = (route, name) => route.excess_over_best_min?.[name] ?? 0;

/**
 * The quickest way that is ranked below a way though the minutes on its card are fewer, and what counts against it.
 * @param {RankedRoute} route @param {readonly RankedRoute[]} routes best first
 * @returns {{ other: RankedRoute, by: number, why: Criterion } | null} by: minutes
 */
export function quickerBelow(route, routes) {
    const minutes = (/** @type {RankedRoute} */ { travel_s }) => Math.round(travel_s.p50 / 60);
    const [other] = routes.slice(routes.indexOf(route) + 1)
        .filter((one) => minutes(one) < minutes(route)).sort((a, b) => a.travel_s.p50 - b.travel_s.p50);
    const why = other ? countsAgainst(route, other) : null;
    return why === null ? null : { other, by: minutes(route) - minutes(other), why };
}

/**
 * What waiting some minutes changes: minutes of travel half the time, or 9 in 10 where half the time is alike.
 * @param {Departures} departures @param {number} minutes
 * @returns {{ departure: number, kind: "same" | "half" | "nine", by: number, nine: number } | null} by below 0: fewer
 */
export function waiting({ points }, minutes) {
    const [now] = points;
    const later = points.find(({ departure }) => departure >= now.departure + minutes * 60_000);
    if (!later) return null;
    const half = (/** @type {DepartureRoute} */ best) => best.p50_s ?? best.expected_s;
    const byHalf = half(later.best) - half(now.best);
    const byNine = later.best.p90_s - now.best.p90_s;
    const given = { departure: later.departure, nine: Math.ceil(later.best.p90_s / 60) };
    if (Math.abs(byHalf) >= closeSeconds) return { ...given, kind: "half", by: wholeMinutes(byHalf) };
    if (Math.abs(byNine) >= closeSeconds) return { ...given, kind: "nine", by: wholeMinutes(byNine) };
    return { ...given, kind: "same", by: 0 };
}

/** @param {number} seconds rounded away from zero, since a difference is there */
const wholeMinutes = (seconds) => Math.sign(seconds) * Math.max(1, Math.round(Math.abs(seconds) / 60));

/**
 * @typedef {object} Difference
 * @property {"half" | "nine" | "stopped" | "metres"} kind
 * @property {number} by how much the first is better; below 0: worse. Minutes, chance or metres
 */

/**
 * What the first way gains and what it costs, compared with another; small differences are left out.
 * @param {RankedRoute} first @param {RankedRoute} other
 * @returns {{ gains: Difference[], costs: Difference[] }}
 */
export function differences(first, other) {
    /** @type {(Difference & { counts: boolean })[]} */
    const all = [
        { kind: "half", by: minutesMore(first, other), counts: apart(first.travel_s.p50, other.travel_s.p50, 45) },
        { kind: "nine", by: wholeMinutes(other.travel_s.p90 - first.travel_s.p90),
            counts: apart(first.travel_s.p90, other.travel_s.p90, 45) },
        { kind: "stopped", by: (other.probability_stopped ?? 0) - (first.probability_stopped ?? 0),
            counts: apart(first.probability_stopped ?? 0, other.probability_stopped ?? 0, 0.01) },
        { kind: "metres", by: other.metres - first.metres, counts: apart(first.metres, other.metres, 500) },
    ];
    const counted = all.filter(({ counts }) => counts).map(({ kind, by }) => ({ kind, by }));
    return { gains: counted.filter(({ by }) => by > 0), costs: counted.filter(({ by }) => by < 0) };
}

/** @param {number} a @param {number} b @param {number} least */
const apart = (a, b, least) => Math.abs(a - b) >= least;
