// A bridge's card: one line, or open with the chance, the wait, the next closed window and the reasons.
import { html } from "../vendor/preact.js";
import { useApp, useSelected } from "../core/hooks.js";
import { linkTo } from "../core/router.js";
import { ChanceBars } from "../draw/chance-bars.js";
import { sayCard, sayIfStopped, sayShort, sayWhy } from "../model/card.js";
import { happenedAfter, sayHappened } from "../model/day.js";
import { shownState } from "../model/status.js";
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
    const short = sayShort(words, bridge, status, now);
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
        <${CardForecast} bridge=${bridge} status=${status} now=${now} />
        ${isPast && html`<${CardHappened} bridge=${bridge} now=${now} />`}
        <${ChanceBars} bridge=${bridge} status=${status} isTitleHidden=${true} isLegendHidden=${isLegendHidden} />
        <${CardWhy} bridge=${bridge} status=${status} now=${now} />
        <div class="card-buttons">
            <${PinButton} bridge=${bridge} />
            ${!isPast && shown !== "unknown" && html`<${WatchButton} bridge=${bridge} isRaised=${shown === "raised"} />`}
        </div>
    </div>`;
}

/**
 * @param {object} given
 * @param {import("../core/types").Bridge} given.bridge
 * @param {import("../model/status.js").Status} given.status
 * @param {number} given.now
 */
function CardForecast({ bridge, status, now }) {
    const { words } = useApp();
    const lines = sayCard(words, bridge, status, now);
    // Any other confidence changes nothing that one would do; the bridge's own view has it.
    const isUnsure = bridge.confidence === "LOW" && status.kind !== "dead";
    const details = [sayIfStopped(words, bridge, status, now), isUnsure ? sayConfidence(words, bridge) : null]
        .filter((detail) => detail !== null);
    return html`<div class="card-said">
        ${status.kind === "replay" && html`<h3 class="card-label">${words.t("card.said_then")}</h3>`}
        ${lines.map((line, n) => html`<p class=${n === 0 ? "card-answer" : ""}>${line}</p>`)}
        ${details.length > 0 && html`<p class="small">${details.join(" ")}</p>`}
    </div>`;
}

/** @param {import("../core/words.js").Words} words @param {import("../core/types").Bridge} bridge */
export function sayConfidence(words, bridge) {
    const key = `confidence.${bridge.confidence}`;
    return words.has(key) ? words.t("card.confidence", { word: words.t(key) }) : null;
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
    const { label, reasons } = sayWhy(words, bridge, status, now, { isWindowSaid: window !== null, agedMinutes });
    if (window === null && reasons.length === 0) return null;
    return html`<div class="card-why">
        ${window && html`<p>${window}</p>`}
        ${reasons.length > 0 && html`<p><strong>${label}</strong>${reasons.map(({ text, lang }) =>
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
