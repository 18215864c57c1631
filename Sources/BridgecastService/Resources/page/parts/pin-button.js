// Pins a bridge, so that its card comes first and stays open. Used by cards.
import { html } from "../vendor/preact.js";
import { useApp, useSelected } from "../core/app.js";

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
