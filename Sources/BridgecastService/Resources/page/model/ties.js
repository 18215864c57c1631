// Which ways are about the same, how many minutes one costs more, and what the first costs against the second. Pure.

/** @typedef {import("../core/types").RankedRoute} RankedRoute */
/** @typedef {import("./ways.js").Ways} Ways */

const closeSeconds = 60;
const closeNineSeconds = 120;
const tossUp = [0.45, 0.55];

/** @type {Record<string, "stopped" | "nine" | "late" | "mean">} */
const criteria = {
    probability_stopped: "stopped", p90_minutes: "nine", p95_minutes: "nine", probability_late: "late",
    expected_minutes: "mean",
};

/**
 * How often a way is faster than another, and how often neither is.
 * @param {Ways["comparisons"]} comparisons @param {string} id @param {string} otherId
 * @returns {{ faster: number, slower: number } | null}
 */
export function oddsBetween(comparisons, id, otherId) {
    for (const { route, other, probability_faster: faster, probability_tie: tie } of comparisons) {
        if (!Number.isFinite(faster) || !Number.isFinite(tie)) continue;
        const slower = Math.max(0, 1 - faster - tie);
        if (route === id && other === otherId) return { faster, slower };
        if (route === otherId && other === id) return { faster: slower, slower: faster };
    }
    return null;
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
    return wholeMinutes(route.travel_s.p50 - first.travel_s.p50);
}

/**
 * What tells a way from the first: its minutes half the time, or those of a bad day where half the time is alike.
 * @param {RankedRoute} first @param {RankedRoute} route
 * @returns {{ kind: "half" | "nine", by: number }} below 0: fewer
 */
export function mainDifference(first, route) {
    return apart(first.travel_s.p50, route.travel_s.p50, closeSeconds)
        ? { kind: "half", by: minutesMore(first, route) }
        : { kind: "nine", by: wholeMinutes(route.travel_s.p90 - first.travel_s.p90) };
}

/**
 * What counts most against a way that takes less and is ranked below the first nevertheless.
 * @param {RankedRoute} first @param {RankedRoute} route
 * @returns {"stopped" | "nine" | "late" | "mean" | null}
 */
export function whyBehind(first, route) {
    if (mainDifference(first, route).by >= 0) return null;
    const counted = Object.entries(route.behind_best_min ?? {})
        .filter(([name, minutes]) => criteria[name] && minutes > 0).sort(([, a], [, b]) => b - a);
    return counted.length === 0 ? null : criteria[counted[0][0]];
}

/** @param {number} seconds rounded away from zero, since a difference is there */
const wholeMinutes = (seconds) => Math.sign(seconds) * Math.max(1, Math.round(Math.abs(seconds) / 60));

/**
 * @typedef {object} Difference
 * @property {"half" | "nine" | "stopped" | "metres"} kind
 * @property {number} by how much the first is better; below 0: worse. Minutes, chance or metres
 */

/**
 * What speaks for the first way and what against it, beside another; small things are left out.
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
