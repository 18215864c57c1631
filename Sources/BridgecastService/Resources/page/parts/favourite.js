// The button that keeps a stop, of one line or of all of its lines.
import { html } from "../vendor/preact.js";
import { useApp, useSelected } from "../core/hooks.js";
import { isFavourite, toggled } from "../model/favourites.js";

/** @param {{ favourite: import("../core/types").Favourite }} given */
export function FavouriteButton({ favourite }) {
    const { store, words } = useApp();
    const preferences = useSelected((state) => state.preferences);
    const toggle = () => store.dispatch({
        type: "preferences", preferences: { favourites: toggled(preferences.favourites, favourite) } });
    const isKept = isFavourite(preferences, favourite);
    return html`<button type="button" class="chip" aria-pressed=${isKept ? "true" : "false"} onClick=${toggle}>
        <svg class="chip-mark" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
            <path d="M10 2L12.5 7.4L18 8L14 12L15 18L10 15L5 18L6 12L2 8L7.5 7.4Z" /></svg>
        <span>${words.t("board.favourite")}</span></button>`;
}
