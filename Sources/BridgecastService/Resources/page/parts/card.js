// A bridge's card: one line, or open with chance, wait, closed window and why. Used by the list of cards.
import { html } from "../vendor/preact.js";
import { useApp, useSelected } from "../core/app.js";
import { linkTo } from "../core/router.js";
import { ChanceBars } from "../draw/chance-bars.js";
import { chanceAt } from "../model/chances.js";
import { shownState } from "../model/status.js";
import { StateWords } from "./age.js";
import { CardForecast, usualSentence } from "./card-forecast.js";
import { CardHappened } from "./card-happened.js";
import { CardWhy } from "./card-why.js";
import { PinButton } from "./pin-button.js";
import { SpanMark } from "./span-mark.js";
import { WatchButton } from "./watch-button.js";

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
    const short = shown === "unknown" ? usualSentence(words, chance)
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
