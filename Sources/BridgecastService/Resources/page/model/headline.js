// The answer at the top, and the page's title: which bridges are up, and which may follow. Chances are of being stopped,
// at a bridge that is up or by the queue of one that has come down.
import { chanceAt, nextRise, notableChance, roundTime } from "./forecast.js";
import { shownState, silentBridges } from "./status.js";

/**
 * @typedef {object} Headline
 * @property {"loading" | "blind" | "up" | "down"} kind
 * @property {string[]} names of the bridges that are up; of the only one that reports, if it is down
 * @property {number} count bridges that report
 * @property {boolean} isComplete whether all bridges with a sensor report
 * @property {boolean} isForecast whether there is a forecast for the next hour
 * @property {boolean} isPlayed whether it is about a past day
 * @property {boolean} isFollowing whether the next one is on the waterway of one that is up
 * @property {{ bridge: string, at: number, chance: number } | null} next which may go up next, about when how many are
 *     stopped there
 * @property {{ bridge: string, chance: number } | null} falling where many are stopped now and fewer later, such as by a
 *     queue, if none may go up
 */

const aheadMinutes = 60;

/**
 * @param {import("../core/types").State} state
 * @param {import("./status.js").Status} status
 * @param {number} now
 * @returns {Headline}
 */
export function headlineOf(state, status, now) {
    const bridges = state.board?.bridges ?? [];
    const known = bridges.filter((bridge) => shownState(bridge, status) !== "unknown");
    const up = known.filter((bridge) => bridge.state === "raised");
    const next = nextUp(known, status, now);
    const about = { ...next, names: up.map((bridge) => bridge.bridge), count: known.length,
        isComplete: silentBridges(bridges).length === 0, isPlayed: status.kind === "replay",
        isFollowing: up.some((bridge) => bridge.waterway === next.waterway) };
    if (!state.board) return { kind: state.trouble ? "blind" : "loading", ...about };
    if (known.length === 0) return { kind: "blind", ...about };
    if (up.length > 0) return { kind: "up", ...about };
    return { kind: "down", ...about, names: known.length === 1 ? [known[0].bridge] : [] };
}

/**
 * The bridge most likely to go up within the hour, of those that are seen lowered.
 * @param {import("../core/types").Bridge[]} known
 * @param {import("./status.js").Status} status
 * @param {number} now
 */
function nextUp(known, status, now) {
    const lowered = known.filter((bridge) => bridge.state === "lowered");
    const ranked = lowered.flatMap((bridge) => {
        const rise = nextRise(bridge, now, aheadMinutes, status);
        return rise ? [{ bridge, ...rise }] : [];
    }).sort((a, b) => b.chance - a.chance);
    const [first] = ranked;
    const isNotable = first !== undefined && first.chance >= notableChance;
    const next = isNotable
        ? { bridge: first.bridge.bridge, at: roundTime(first.at, now), chance: first.chance } : null;
    const chances = lowered.flatMap((bridge) => {
        const chance = chanceAt(bridge, now, status);
        return chance === null ? [] : [{ bridge: bridge.bridge, chance }];
    }).sort((a, b) => b.chance - a.chance);
    const falling = next === null && chances.length > 0 && chances[0].chance >= notableChance ? chances[0] : null;
    return { isForecast: chances.length > 0, next, falling, waterway: next && first.bridge.waterway };
}

/**
 * Five.
 * @param {import("../core/words.js").Words} words
 * @param {number} n
 */
export const sayCount = (words, n) => (words.has(`count.${n}`) ? words.t(`count.${n}`) : words.number(n));

/**
 * The answer as text.
 * @param {import("../core/words.js").Words} words
 * @param {Headline} headline
 * @param {boolean} isPast whether it is worded in the past tense
 */
export function sayHeadline(words, headline, isPast) {
    const area = isPast ? "then" : "headline";
    const count = sayCount(words, headline.count);
    switch (headline.kind) {
        case "loading": return words.t("headline.loading");
        // They are not seen now either.
        case "blind": return words.t(`${headline.isPlayed ? "then" : "headline"}.blind`);
        case "up":
            return words.t(`${area}.up`, { names: words.list(headline.names), n: headline.names.length });
        case "down":
            return words.t(`${area}.${headline.isComplete ? "down" : "down_reporting"}`,
                { n: headline.count, count, names: headline.names[0] ?? "" });
    }
}

/**
 * What may follow, as text; null where there is nothing to say.
 * @param {import("../core/words.js").Words} words
 * @param {Headline} headline
 * @param {boolean} isPast while a past day is shown
 */
export function sayNext(words, headline, isPast) {
    if (headline.kind !== "up" && headline.kind !== "down") return null;
    if (!headline.isForecast) return null;
    const said = sayAhead(words, headline);
    return isPast ? words.t("then.said", { said }) : said;
}

/** @param {import("../core/words.js").Words} words @param {Headline} headline */
function sayAhead(words, { next, falling, kind, isFollowing }) {
    if (next) {
        return words.t(`headline.${isFollowing ? "follow" : "may"}`,
            { bridge: next.bridge, time: words.time(next.at), chance: words.chance(next.chance) });
    }
    if (falling) return words.t("headline.falling", { bridge: falling.bridge, chance: words.chance(falling.chance) });
    return words.t(kind === "up" ? "headline.no_other" : "headline.none");
}
