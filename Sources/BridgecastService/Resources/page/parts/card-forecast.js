// What a card says of the chance and the wait, in words. Used by parts/card.js.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/app.js";
import { calmAgainAt, chanceAt, highestChance, notableChance, roundMoment, valueAt } from "../model/chances.js";
import { roundUpWait } from "../model/dots.js";
import { barsOf, sayOutlook } from "../model/outlook.js";
import { hasSensor } from "../model/sensors.js";

/** @typedef {import("../core/types").Bridge} Bridge */
/** @typedef {import("../core/words.js").Words} Words */

const slackMilliseconds = 150_000;
const aheadMinutes = 120;
// Of twenty equally likely waits the eighteenth.
const eighteenth = 17;

/**
 * @param {object} given
 * @param {Bridge} given.bridge
 * @param {import("../model/status.js").Status} given.status
 * @param {import("../core/types").BridgeState} given.shown
 * @param {number} given.now
 */
export function CardForecast({ bridge, status, shown, now }) {
    const { words } = useApp();
    const chance = chanceAt(bridge, now, status);
    const confidence = `confidence.${bridge.confidence}`;
    const lines = [
        shown === "unknown" ? unknownSentence(words, bridge, status, chance) : null,
        ...(chance !== null && chance >= notableChance && status.kind !== "dead"
            ? waitSentences(words, bridge, now, status) : []),
        shown === "raised" ? null : shown === "unknown" ? highestSentence(words, bridge, now, status)
            : outlookSentence(words, bridge, now),
    ].filter((line) => line !== null);
    return html`<div class="card-said">
        ${status.kind === "replay" && html`<h3 class="card-label">${words.t("card.said_then")}</h3>`}
        ${lines.map((line, n) => html`<p class=${n === 0 ? "card-answer" : ""}>${line}</p>`)}
        ${shown !== "unknown" && html`<p class="small">
            ${shown === "lowered" && ifStoppedSentence(words, bridge, chance)}${
            words.has(confidence) && words.t("card.confidence", { word: words.t(confidence) })}</p>`}
    </div>`;
}

/** @param {Words} words @param {number | null} chance */
export const usualSentence = (words, chance) =>
    chance === null ? null : words.t("card.usual_short", { chance: words.chance(chance) });

/**
 * @param {Words} words @param {Bridge} bridge
 * @param {import("../model/status.js").Status} status @param {number | null} chance
 */
function unknownSentence(words, bridge, status, chance) {
    const why = words.t(status.kind === "dead" ? "card.why_dead"
        : hasSensor(bridge.bridge_id) ? "card.why_silent" : "card.why_no_sensor");
    const usual = usualSentence(words, chance);
    return usual === null ? `${why}.` : `${why}: ${usual}.`;
}

/**
 * @param {Words} words @param {Bridge} bridge @param {number} now @param {import("../model/status.js").Status} status
 */
function waitSentences(words, bridge, now, status) {
    const wait = valueAt(bridge, now, (point) => point.expected_delay_s);
    const most = bridge.delay_quantiles_s[eighteenth];
    const calm = calmAgainAt(bridge, now, status);
    const isMostSaid = Number.isFinite(most) && wait !== null && most > wait;
    return [
        wait === null ? null : words.t(isMostSaid ? "card.wait_most" : "card.wait",
            { wait: words.duration(roundWait(wait)), most: words.duration(roundUpWait(most)) }),
        calm === null ? null : words.t("card.calm_again", { time: words.time(roundMoment(calm, now)) }),
    ];
}

/**
 * Nobody reads more than ten seconds out of an expectation.
 * @param {number} seconds
 */
const roundWait = (seconds) => (seconds < 60 ? Math.max(10, Math.round(seconds / 10) * 10) : seconds);

/**
 * What is the usual now is said already: only its highest is left.
 * @param {Words} words @param {Bridge} bridge @param {number} now @param {import("../model/status.js").Status} status
 */
function highestSentence(words, bridge, now, status) {
    const highest = highestChance(bridge, now, aheadMinutes, status);
    const chance = chanceAt(bridge, now, status);
    if (highest === null || chance === null || words.chance(highest.chance) === words.chance(chance)) return null;
    const time = words.time(roundMoment(highest.at, now));
    return words.t("card.highest", { most: words.chance(highest.chance), time });
}

/** @param {Words} words @param {Bridge} bridge @param {number} now */
function outlookSentence(words, bridge, now) {
    const bars = barsOf(bridge.outlook, false).filter((bar) => bar.at > now - slackMilliseconds);
    if (bars.length === 0) return words.t("card.no_outlook");
    const text = sayOutlook(words, bars);
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param {Words} words @param {Bridge} bridge @param {number | null} chance */
function ifStoppedSentence(words, bridge, chance) {
    const seconds = bridge.expected_delay_if_stopped_s;
    if (typeof seconds !== "number" || chance === null || chance >= notableChance) return "";
    return words.t("card.if_stopped", { wait: words.duration(roundWait(seconds)) }) + " ";
}
