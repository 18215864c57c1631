// Ages that tick: each is a text of its own, so that a second costs a text and no card. Used by the Now view and cards.
import { html } from "../vendor/preact.js";
import { useApp, useNow, useSelected } from "../core/app.js";
import { sayAge } from "../model/age.js";
import { statusOf } from "../model/status.js";

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
    const isMarked = said.key !== "replay" && said.key !== "ended";
    return html`<p class=${`age is-${said.key}`}>
        ${isMarked && html`<span class="age-mark" aria-hidden="true"></span>`}<span>${said.text}</span></p>`;
}

/**
 * The state of a bridge in words, with its age where that is known.
 * @param {object} given
 * @param {import("../core/types").Bridge} given.bridge
 * @param {import("../core/types").BridgeState} given.shown the state that may be shown
 * @param {boolean} given.isOpen whether there is room for the moment of the reading
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
    // What is not live carries its time; so does what is up, where a minute counts.
    const isDated = status.readAt !== null && status.kind !== "replay"
        && (status.kind !== "live" || (isOpen && shown === "raised"));
    return html`<span>${isDated
        ? words.t("state.as_of", { state, time: words.timeWithSeconds(status.readAt ?? now) }) : state}</span>`;
}
