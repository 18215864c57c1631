// The buttons of a bridge: one pins its card, one asks for a notification when the bridge goes up or comes down.
import { html, useState } from "../vendor/preact.js";
import { useApp, useSelected } from "../core/hooks.js";
import { feedbackRefusal } from "../core/feedback.js";
import { notificationProblem } from "../core/notify.js";

/** @param {{ bridge: import("../core/types").Bridge }} given */
export function PinButton({ bridge }) {
    const { store, words } = useApp();
    const pinned = useSelected((state) => state.preferences.pinned);
    const id = bridge.bridge_id;
    const isPinned = pinned.includes(id);
    const changed = isPinned ? pinned.filter((kept) => kept !== id) : [...pinned, id];
    const toggle = () => store.dispatch({ type: "preferences", preferences: { pinned: changed } });
    return html`<button type="button" class="chip" aria-pressed=${isPinned ? "true" : "false"} onClick=${toggle}>
        <svg class="chip-mark" viewBox="0 0 16 20" aria-hidden="true" focusable="false">
            <path d="M4 2H12L11 9L14 12H2L5 9ZM8 12V18" /></svg>
        <span>${words.t("card.pin")}<span class="unseen"> ${bridge.bridge}</span></span></button>`;
}

/**
 * @param {object} given
 * @param {import("../core/types").Bridge} given.bridge
 * @param {boolean} given.isRaised whether it is up: then one waits for it to come down
 */
export function WatchButton({ bridge, isRaised }) {
    const { store, words } = useApp();
    const kind = isRaised ? "watchedDown" : "watched";
    const watched = useSelected((state) => state.preferences[kind]);
    const [refusal, setRefusal] = useState(/** @type {import("../core/feedback.js").FeedbackProblem | null} */ (null));
    if (notificationProblem() !== null) return null;
    const id = bridge.bridge_id;
    const isWatched = watched.includes(id) && Notification.permission === "granted";
    async function toggle() {
        if (isWatched) return keep(watched.filter((other) => other !== id));
        const problem = await feedbackRefusal();
        setRefusal(problem);
        if (problem === null) keep([...new Set([...store.state.preferences[kind], id])]);
    }
    /** @param {number[]} list */
    const keep = (list) => store.dispatch({ type: "preferences", preferences: { [kind]: list } });
    return html`
        <button type="button" class="chip" aria-pressed=${isWatched ? "true" : "false"} onClick=${toggle}>
            <svg class="chip-mark" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
                <path d="M3 15H17L15 12V8A5 5 0 0 0 5 8V12ZM9 18H11" /></svg>
            <span>${words.t(isRaised ? "card.watch_down" : "card.watch")}<span class="unseen"> (${bridge.bridge})</span></span></button>
        ${refusal && html`<p class="small card-refused" role="alert">${words.t(`feedback.${refusal}`)}</p>`}`;
}
