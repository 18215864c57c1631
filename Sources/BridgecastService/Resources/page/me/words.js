// Journeys and what they say, as text; times are in the person's own time zone.
import { dateFormat } from "../core/words.js";

/** @typedef {import("../core/words.js").Words} Words */
/** @typedef {import("../core/types").Trouble} Trouble */
/** @typedef {import("../data/me-answers.js").Journey} Journey */
/** @typedef {import("../data/me-answers.js").Accuracy} Accuracy */

export const personZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "America/Los_Angeles";

/**
 * Ends of a trip, of the name of a journey or route; null where it has another name.
 * @param {string} name such as Ballard -> Downtown
 */
export function endsOf(name) {
    const ends = name.split(" -> ");
    return ends.length === 2 && ends.every((end) => end !== "") ? { from: ends[0], to: ends[1] } : null;
}

/** @param {string} name */
export function sayName(name) {
    const ends = endsOf(name);
    return ends ? `${ends.from} → ${ends.to}` : name;
}

/** @param {Words} words @param {Pick<Journey, "name" | "mode">} journey */
export const sayJourney = (words, { name, mode }) =>
    (endsOf(name) ? words.t("me.journey", { name: sayName(name), by: words.t(`me.by.${mode}`) }) : name);

/** @param {Words} words @param {number} time @param {string} [zone] */
export const sayTime = (words, time, zone = personZone()) =>
    dateFormat(words.locale, { hour: "numeric", minute: "2-digit", timeZone: zone }).format(time);

/** @param {Words} words @param {number} time @param {string} [zone] */
export const sayDay = (words, time, zone = personZone()) => dateFormat(words.locale, {
    weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: zone,
}).format(time);

/** @param {Words} words @param {number} time @param {string} [zone] */
export const sayDayAndTime = (words, time, zone) =>
    words.t("me.day_time", { day: sayDay(words, time, zone), time: sayTime(words, time, zone) });

/** @param {Words} words @param {string} month such as 2026-02 @param {"short" | "long"} width */
export function sayMonth(words, month, width) {
    const year = width === "long" ? "numeric" : undefined;
    return dateFormat(words.locale, { month: width, year, timeZone: "UTC" }).format(Date.parse(`${month}-15T00:00:00Z`));
}

/**
 * 4:05, or 1:04:05.
 * @param {number} seconds
 */
export function sayElapsed(seconds) {
    const whole = Math.max(0, Math.floor(seconds));
    const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
    const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
    return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/**
 * 3 min late, 2 min early, on time to the minute.
 * @param {Words} words @param {number} minutes
 */
export function sayDelay(words, minutes) {
    const rounded = Math.round(minutes);
    if (rounded === 0) return words.t("me.delay.none");
    const age = words.duration(Math.abs(rounded) * 60);
    return words.t(rounded > 0 ? "me.delay.late" : "me.delay.early", { age });
}

/** @param {Journey} journey minutes after the plan; null before it has arrived */
export const delayOf = ({ arrived, plannedArrival }) => (arrived === null ? null : (arrived - plannedArrival) / 60_000);

/**
 * How a journey went.
 * @param {Words} words @param {Journey} journey
 */
export function sayOutcome(words, journey) {
    const delay = delayOf(journey);
    if (journey.isAbandoned) return words.t("me.outcome.abandoned");
    if (journey.arrived === null || delay === null) return words.t("me.outcome.under_way");
    const parts = [words.t("me.outcome.took", { age: words.duration((journey.arrived - journey.began) / 1000) })];
    if (Math.abs(journey.plannedArrival - journey.began) > 0) parts.push(sayDelay(words, delay));
    if (journey.wasStopped !== null) parts.push(words.t(journey.wasStopped ? "me.outcome.stopped" : "me.outcome.free"));
    return parts.join(", ");
}

/**
 * The chance to be stopped, and where.
 * @param {Words} words @param {number} chance @param {readonly string[]} bridges
 */
function sayStopChance(words, chance, bridges) {
    if (bridges.length === 0) return words.t("me.no_bridge");
    const names = new Intl.ListFormat(words.locale, { type: "disjunction" }).format([...new Set(bridges)]);
    return words.t("me.chance_at", { chance: words.chance(chance), names });
}

/** @param {Words} words @param {import("../data/me-answers.js").JourneyForecast} forecast */
export const sayForecast = (words, { expected, nine, chance, bridges }) => [
    words.t("me.forecast_was", { expected: words.duration(expected), nine: words.duration(nine) }),
    sayStopChance(words, chance, bridges),
].join(" ");

/** @param {Words} words @param {number} share */
export const sayPercent = (words, share) =>
    new Intl.NumberFormat(words.locale, { style: "percent", maximumFractionDigits: 0 }).format(share);

// 95 % sure.
const z = 1.96;

/**
 * Wilson's interval (Journal of the American Statistical Association 22, 1927) of a share of n cases.
 * @param {number} share @param {number} n at least 1
 */
export function wilson(share, n) {
    const middle = share + z ** 2 / (2 * n);
    const half = z * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2));
    return { low: (middle - half) / (1 + z ** 2 / n), high: (middle + half) / (1 + z ** 2 / n) };
}

const promised = 0.9;

/**
 * How good the forecasts were, in sentences.
 * @param {Words} words @param {Accuracy} accuracy
 */
export function sayAccuracy(words, accuracy) {
    const { journeys: n, error, magnitude, covered } = accuracy;
    const { low, high } = wilson(covered, n);
    const judged = promised < low ? "careful" : promised > high ? "bold" : "right";
    return [
        words.t("me.accuracy.error", { n, magnitude: words.duration(magnitude * 60) }),
        Math.abs(error) < 0.5 ? words.t("me.accuracy.unbiased")
            : words.t(error > 0 ? "me.accuracy.too_short" : "me.accuracy.too_long", {
                age: words.duration(Math.abs(error) * 60) }),
        words.t("me.accuracy.nine", { n, within: Math.round(covered * n), judged: words.t(`me.accuracy.${judged}`) }),
        sayStops(words, accuracy),
    ];
}

/** @param {Words} words @param {Accuracy} accuracy */
function sayStops(words, { known: n, stopped, skill }) {
    if (n === 0) return words.t("me.accuracy.stops_unknown");
    const sentence = words.t("me.accuracy.stops", { n, stopped });
    if (skill === null) return `${sentence} ${words.t("me.accuracy.one_sided")}`;
    return `${sentence} ${words.t(skill > 0 ? "me.accuracy.skilled" : "me.accuracy.unskilled")}`;
}

/**
 * Why the service refused, and what to do; its own line in English where that says more. Its advice is for
 * programs, and is left out.
 * @param {Words} words @param {Trouble} trouble
 * @param {boolean} [isAtDoor] where nothing of the journal has been answered yet
 * @returns {{ text: string, english: string | null }}
 */
export function sayMeTrouble(words, trouble, isAtDoor = false) {
    const { kind, status, detail, retryAfterSeconds } = trouble;
    if (kind !== "status") return { text: words.t(`trouble.${kind}`, { status: "" }), english: null };
    if (status === 401) return { text: words.t("me.trouble.token"), english: null };
    if (status === 404 && isAtDoor) return { text: words.t("me.trouble.no_people"), english: null };
    if (status === 429) {
        const age = words.duration(Math.ceil(retryAfterSeconds ?? 60));
        return { text: words.t("me.trouble.too_often", { age }), english: null };
    }
    return { text: words.t("me.trouble.refused"), english: detail };
}
