// A bridge's card: one line, or open with the chance, the wait, the next closed window and the reasons.
import { html } from "../vendor/preact.js";
import { useApp, useSelected } from "../core/hooks.js";
import { linkTo } from "../core/router.js";
import { ChanceBars } from "../draw/chance-bars.js";
import { happenedAfter, sayHappened } from "../model/day.js";
import { roundUpWait } from "../model/dots.js";
import {
    barsOf, calmAgainAt, chanceAt, halfStepMilliseconds, highestChance, notableChance, roundTime, sayOutlook, valueAt,
} from "../model/forecast.js";
import { cardReasons } from "../model/reasons.js";
import { hasSensor, shownState } from "../model/status.js";
import { PinButton, WatchButton } from "./buttons.js";
import { SpanMark, StateWords } from "./state.js";

/**
 * @typedef {object} CardGiven
 * @property {import("../core/types").Bridge} bridge
 * @property {import("../model/status.js").Status} status
 * @property {boolean} isOpen
 * @property {boolean} isLegendHidden where a card before it has the same legend
 * @property {(isOpen: boolean) => void} onToggle
 */

/** @param {CardGiven} given */
export function Card({ bridge, status, isOpen, isLegendHidden, onToggle }) {
    const { words, clock } = useApp();
    const address = useSelected((state) => state.address);
    const shown = shownState(bridge, status);
    const now = clock.now();
    const id = `card-${bridge.bridge_id}`;
    const chance = chanceAt(bridge, now, status);
    const short = shown === "unknown" ? typicalSentence(words, chance)
        : shown === "lowered" && chance !== null ? words.chance(chance) : null;
    const looks = `is-${shown}${isOpen ? " is-open" : ""}${status.kind === "stale" ? " is-old" : ""}`;
    const link = linkTo(address, "bridge", { bridge: String(bridge.bridge_id) });
    return html`<article class=${`card bridge-card ${looks}`} aria-labelledby=${id} data-bridge=${bridge.bridge_id}>
        <div class="card-head">
            <${SpanMark} state=${shown} />
            <h2 id=${id}><a href=${link}>${bridge.bridge}</a></h2>
            <p class="card-state"><${StateWords} bridge=${bridge} shown=${shown} isOpen=${isOpen} />${!isOpen && short
            && html`<span>, ${short}</span>`}</p>
            <button type="button" class="is-plain card-toggle" aria-expanded=${isOpen ? "true" : "false"}
                aria-controls=${isOpen ? `${id}-more` : undefined} onClick=${() => onToggle(!isOpen)}>
                <span class="unseen">${words.t("card.more", { bridge: bridge.bridge })}</span>
                <svg viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="M4 7L10 13L16 7" /></svg>
            </button>
        </div>
        ${isOpen && html`<${CardBody} id=${`${id}-more`} bridge=${bridge} status=${status} shown=${shown} now=${now}
            isLegendHidden=${isLegendHidden} />`}
    </article>`;
}

/**
 * @param {object} given
 * @param {string} given.id
 * @param {import("../core/types").Bridge} given.bridge
 * @param {import("../model/status.js").Status} given.status
 * @param {import("../core/types").BridgeState} given.shown
 * @param {number} given.now
 * @param {boolean} given.isLegendHidden
 */
function CardBody({ id, bridge, status, shown, now, isLegendHidden }) {
    const isPast = status.kind === "replay";
    return html`<div class="card-body" id=${id}>
        <${CardForecast} bridge=${bridge} status=${status} shown=${shown} now=${now} />
        ${isPast && html`<${CardHappened} bridge=${bridge} now=${now} />`}
        <${ChanceBars} bridge=${bridge} isUsualOnly=${shown === "unknown" && !isPast} isTitleHidden=${true}
            isLegendHidden=${isLegendHidden} />
        <${CardWhy} bridge=${bridge} status=${status} now=${now} />
        <div class="card-buttons">
            <${PinButton} bridge=${bridge} />
            ${!isPast && shown !== "unknown" && html`<${WatchButton} bridge=${bridge} />`}
        </div>
    </div>`;
}

/** @typedef {import("../core/types").Bridge} Bridge */
/** @typedef {import("../core/words.js").Words} Words */

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
function CardForecast({ bridge, status, shown, now }) {
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
const typicalSentence = (words, chance) =>
    chance === null ? null : words.t("card.usual_short", { chance: words.chance(chance) });

/**
 * @param {Words} words @param {Bridge} bridge
 * @param {import("../model/status.js").Status} status @param {number | null} chance
 */
function unknownSentence(words, bridge, status, chance) {
    const why = words.t(status.kind === "dead" ? "card.why_dead"
        : hasSensor(bridge.bridge_id) ? "card.why_silent" : "card.why_no_sensor");
    const usual = typicalSentence(words, chance);
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
        calm === null ? null : words.t("card.calm_again", { time: words.time(roundTime(calm, now)) }),
    ];
}

/**
 * An expectation is shown to ten seconds.
 * @param {number} seconds
 */
const roundWait = (seconds) => (seconds < 60 ? Math.max(10, Math.round(seconds / 10) * 10) : seconds);

/**
 * The highest chance ahead; null where it is no more than the chance now, which is shown already.
 * @param {Words} words @param {Bridge} bridge @param {number} now @param {import("../model/status.js").Status} status
 */
function highestSentence(words, bridge, now, status) {
    const highest = highestChance(bridge, now, aheadMinutes, status);
    const chance = chanceAt(bridge, now, status);
    if (highest === null || chance === null || words.chance(highest.chance) === words.chance(chance)) return null;
    const time = words.time(roundTime(highest.at, now));
    return words.t("card.highest", { most: words.chance(highest.chance), time });
}

/** @param {Words} words @param {Bridge} bridge @param {number} now */
function outlookSentence(words, bridge, now) {
    const bars = barsOf(bridge.outlook, false).filter((bar) => bar.at > now - halfStepMilliseconds);
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

/** @param {{ bridge: import("../core/types").Bridge, now: number }} given */
export function CardHappened({ bridge, now }) {
    const { words } = useApp();
    const day = useSelected((state) => state.replay?.day ?? null);
    if (!day) return null;
    return html`<div class="card-said">
        <h3 class="card-label">${words.t("card.happened")}</h3>
        <p>${sayHappened(words, happenedAfter(day, bridge.bridge_id, now))}</p>
    </div>`;
}

/**
 * @param {object} given
 * @param {import("../core/types").Bridge} given.bridge
 * @param {import("../model/status.js").Status} given.status
 * @param {number} given.now
 */
export function CardWhy({ bridge, status, now }) {
    const { words } = useApp();
    const madeAt = useSelected((state) => Date.parse(state.board?.valid_at ?? ""));
    const agedMinutes = Number.isFinite(madeAt) ? Math.max(0, Math.floor((now - madeAt) / 60_000)) : 0;
    const window = windowSentence(words, bridge.next_closed_window, now);
    // What moved a forecast that is not shown any more explains nothing.
    const reasons = status.kind === "dead" ? [] : cardReasons(words, bridge, window !== null, agedMinutes);
    if (window === null && reasons.length === 0) return null;
    return html`<div class="card-why">
        ${window && html`<p>${window}</p>`}
        ${reasons.length > 0 && html`<p><strong>${words.t("card.why")}</strong>${reasons.map(({ text, lang }) =>
            html` <span lang=${lang}>${text}</span>`)}</p>`}
    </div>`;
}

/**
 * @param {import("../core/words.js").Words} words
 * @param {import("../core/types").Window | null | undefined} window
 * @param {number} now
 */
function windowSentence(words, window, now) {
    if (!window || !(Date.parse(window.to) > now)) return null;
    const to = words.time(window.to);
    return Date.parse(window.from) <= now ? words.t("card.window_until", { to })
        : words.t("card.window", { from: words.timeOrDay(window.from, now), to });
}
