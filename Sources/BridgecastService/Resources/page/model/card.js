// What a bridge's card says: the chance now and its peak, the wait, and the reasons for what it says.
import { roundUpWait } from "./dots.js";
import {
    barsAhead, calmAgainAt, chanceAt, notableChance, peakOf, roundTime, sayOutlook, valueAt,
} from "./forecast.js";
import { cardReasons } from "./reasons.js";
import { shownState } from "./status.js";

/** @typedef {import("../core/types").Bridge} Bridge */
/** @typedef {import("../core/words.js").Words} Words */
/** @typedef {import("./status.js").Status} Status */

/**
 * A card in one line, after its state: forecast without a sensor, 2 in 100; null where there is nothing to add.
 * @param {Words} words @param {Bridge} bridge @param {Status} status @param {number} now
 */
export function sayShort(words, bridge, status, now) {
    const shown = shownState(bridge, status);
    const [bar] = barsAhead(bridge, now, status);
    if (!bar || shown === "raised") return null;
    const chance = words.chance(bar.chance);
    return words.t(shown === "lowered" ? "card.short" : `card.unknown_short.${unseen(bridge, status)}`, { chance });
}

/**
 * What an open card says first.
 * @param {Words} words @param {Bridge} bridge @param {Status} status @param {number} now
 * @returns {string[]} the answer, then what follows it
 */
export function sayCard(words, bridge, status, now) {
    const shown = shownState(bridge, status);
    const wait = sayWait(words, bridge, status, now);
    const calm = sayCalm(words, bridge, status, now);
    if (shown === "raised") {
        const through = sayThrough(words, bridge, now);
        return [...(through === null ? wait : [through]), ...calm];
    }
    const bars = barsAhead(bridge, now, status);
    if (shown === "unknown") return [sayUnknown(words, bridge, status, now), ...wait, ...calm, ...sayPeak(words, bars)];
    if (bars.length === 0) return [...wait, ...calm, words.t("card.no_outlook")];
    return [...wait, ...calm, sayOutlook(words, bars)];
}

/**
 * Why a state is not known, and what the chance is made of then.
 * @param {Words} words @param {Bridge} bridge @param {Status} status @param {number} now
 */
export function sayUnknown(words, bridge, status, now) {
    const why = unseen(bridge, status);
    const [bar] = barsAhead(bridge, now, status);
    if (!bar) return words.t(`card.unknown_none.${why}`);
    return words.t(`card.unknown.${why}`, { chance: words.chance(bar.chance), usual: words.chance(bar.usual) });
}

/** @param {Bridge} bridge @param {Status} status */
const unseen = (bridge, status) =>
    status.kind === "dead" ? "dead" : bridge.has_live_sensor ? "silent" : "no_sensor";

/** @param {Words} words @param {ReturnType<typeof barsAhead>} bars */
function sayPeak(words, bars) {
    const peak = peakOf(words, bars);
    return peak ? [words.t("card.highest", { most: words.chance(peak.chance), time: words.time(peak.at) })] : [];
}

// Of twenty equally likely waits the eighteenth.
const eighteenth = 17;

/**
 * How long one waits who arrives now, where being stopped is likely.
 * @param {Words} words @param {Bridge} bridge @param {Status} status @param {number} now
 */
function sayWait(words, bridge, status, now) {
    const chance = chanceAt(bridge, now, status);
    if (chance === null || chance < notableChance || status.kind === "dead") return [];
    const wait = valueAt(bridge, now, (point) => point.expected_delay_s);
    const most = bridge.delay_quantiles_s[eighteenth];
    const isMostSaid = Number.isFinite(most) && wait !== null && most > wait;
    return wait === null ? [] : [words.t(isMostSaid ? "card.wait_most" : "card.wait",
        { wait: words.duration(roundWait(wait)), most: words.duration(roundUpWait(most)) })];
}

/**
 * When being stopped is unlikely again.
 * @param {Words} words @param {Bridge} bridge @param {Status} status @param {number} now
 */
function sayCalm(words, bridge, status, now) {
    const chance = chanceAt(bridge, now, status);
    if (chance === null || chance < notableChance || status.kind === "dead") return [];
    const calm = calmAgainAt(bridge, now, status);
    return calm === null ? [] : [words.t("card.calm_again", { time: words.time(roundTime(calm, now)) })];
}

const minute = 60_000;
const cases = 20;

/**
 * When cars that arrive now go on, by half and by nine tenths of the cases. Their wait has the queue in it, so when the
 * span itself is down is not to be had from it.
 * @param {Words} words @param {Bridge} bridge @param {number} now
 * @returns {string | null} null where the forecast is older than the opening, or over
 */
export function sayThrough(words, bridge, now) {
    const waits = bridge.delay_quantiles_s;
    const from = Date.parse(bridge.outlook?.[0]?.valid_time ?? "");
    const median = (waits[cases / 2 - 1] + waits[cases / 2]) / 2;
    if (waits.length !== cases || !(median > 0)) return null;
    const about = Math.round((from + median * 1000) / minute) * minute;
    const by = Math.ceil((from + waits[eighteenth] * 1000) / minute) * minute;
    if (!(about > now)) return null;
    return words.t(by > about ? "card.through_most" : "card.through", { time: words.time(about), by: words.time(by) });
}

/**
 * An expectation is shown to ten seconds.
 * @param {number} seconds
 */
const roundWait = (seconds) => (seconds < 60 ? Math.max(10, Math.round(seconds / 10) * 10) : seconds);

/**
 * The wait of those few who are stopped at the time that the card names; null where the wait of all is given.
 * @param {Words} words @param {Bridge} bridge @param {Status} status @param {number} now
 */
export function sayIfStopped(words, bridge, status, now) {
    const chance = chanceAt(bridge, now, status);
    if (chance === null || chance >= notableChance || shownState(bridge, status) !== "lowered") return null;
    const peak = namedPeak(words, bridge, status, now);
    const seconds = peak ? peak.expected_delay_s / peak.probability_stopped : bridge.expected_delay_if_stopped_s;
    if (typeof seconds !== "number" || !Number.isFinite(seconds)) return null;
    return words.t("card.if_stopped", { wait: words.duration(roundWait(seconds)) });
}

/**
 * The reasons of the time that the card names: of its peak where it names one, else of now.
 * @param {Words} words @param {Bridge} bridge @param {Status} status @param {number} now
 * @param {{ isWindowSaid: boolean, agedMinutes: number }} about whether the card says the closed window; since when the
 *     board was made
 * @returns {{ label: string, reasons: import("./reasons.js").Sentence[] }}
 */
export function sayWhy(words, bridge, status, now, { isWindowSaid, agedMinutes }) {
    // What moved a forecast that is not shown any more explains nothing.
    if (status.kind === "dead") return { label: "", reasons: [] };
    const peak = namedPeak(words, bridge, status, now);
    const label = peak ? words.t("card.why_at", { time: words.time(peak.valid_time) }) : words.t("card.why");
    return { label, reasons: cardReasons(words, (peak ?? bridge).reasons ?? [], isWindowSaid, agedMinutes) };
}

/**
 * The service's highest point, where the card names it; a board of before may lack it, and it may be over.
 * @param {Words} words @param {Bridge} bridge @param {Status} status @param {number} now
 */
function namedPeak(words, bridge, status, now) {
    if (shownState(bridge, status) === "raised") return null;
    const peak = peakOf(words, barsAhead(bridge, now, status));
    const { highest } = bridge;
    if (!peak || !highest || !Array.isArray(highest.reasons)) return null;
    return Date.parse(highest.valid_time) === peak.at ? highest : null;
}
