// The state of a bridge as a mark and as text, and how old it is. Ages tick as texts of their own: a second redraws no
// card.
import { html } from "../vendor/preact.js";
import { useApp, useNow, useSelected } from "../core/hooks.js";
import { sayAge, statusOf } from "../model/status.js";

const tickMilliseconds = 1_000;
const restMilliseconds = 60_000;

/** How fresh everything is: "Live, as of 18:05:10, 9 s ago". */
export function AgeLine() {
    const { store, clock, words } = useApp();
    useSelected((state) => state.board);
    useSelected((state) => state.isOnline);
    useSelected((state) => state.trouble);
    const now = useNow(tickMilliseconds);
    const { state } = store;
    const said = sayAge(words, state, statusOf(state, now, clock.rate), now);
    if (!said) return null;
    const isMarked = said.key !== "ended";
    return html`<p class=${`age is-${said.key}`}>
        ${isMarked && html`<span class="age-mark" aria-hidden="true"></span>`}<span>${said.text}</span></p>`;
}

/**
 * The state of a bridge as text, with its age where that is known.
 * @param {object} given
 * @param {import("../core/types").Bridge} given.bridge
 * @param {import("../core/types").BridgeState} given.shown the state that may be shown
 * @param {boolean} given.isOpen whether there is room for the time of the reading
 */
export function StateWords({ bridge, shown, isOpen }) {
    const { store, clock, words } = useApp();
    // A state alone does not change with the second.
    const now = useNow(isOpen || shown === "raised" ? tickMilliseconds : restMilliseconds);
    if (shown === "unknown") return html`<span>${words.t("state.unknown")}</span>`;
    const status = statusOf(store.state, now, clock.rate);
    // How long it has been so is known up to the last reading.
    const seenAt = status.kind === "stale" ? status.readAt ?? now : now;
    const since = bridge.since === null ? NaN : Date.parse(bridge.since);
    const state = Number.isFinite(since) && (isOpen || shown === "raised")
        ? words.t(`state.${shown}_for`, { age: words.duration((seenAt - since) / 1000) }) : words.t(`state.${shown}`);
    // What is not live carries its time; the age of all that is live is shown once, next to the answer.
    const isDated = status.readAt !== null && status.kind === "stale";
    return html`<span>${isDated
        ? words.t("state.as_of", { state, time: words.timeWithSeconds(status.readAt ?? now) }) : state}</span>`;
}

/** @param {{ state: import("../core/types").BridgeState }} given */
export function SpanMark({ state }) {
    return html`<svg class=${`span-mark is-${state}`} viewBox="0 0 40 28" aria-hidden="true" focusable="false">
        <path class="span-piers" d="M4 26V18M36 26V18" />
        ${state === "raised" ? html`<path class="span-deck" d="M4 18L13 4M36 18L27 4" />`
        : state === "lowered" ? html`<path class="span-deck" d="M4 18H36" />`
            : html`<path class="span-deck" d="M4 18H8M32 18H36" /><text x="20" y="23" text-anchor="middle">?</text>`}
    </svg>`;
}
