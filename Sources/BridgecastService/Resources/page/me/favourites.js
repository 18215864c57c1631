// The favourites in the person's order, and how to change that order with a pointer or keys.
import { html, useState } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { AddFavourite } from "./add-favourite.js";
import { FavouriteCard, moveID } from "./favourite-card.js";
import { focusOn } from "./hooks.js";

/** @typedef {import("../data/me-answers.js").Favourite} Favourite */
/** @typedef {import("./session.js").MeSession} MeSession */

/** @param {{ me: MeSession }} given */
export function Favourites({ me }) {
    const { words } = useApp();
    const [isAdding, setAdding] = useState(false);
    const { move, note } = useMoving(me);
    const { favourites } = me;
    return html`<section class="me-favourites" aria-labelledby="me-favourites-title">
        <h2 id="me-favourites-title">${words.t("me.favourites")}</h2>
        ${favourites.length === 0 && html`<p>${words.t("me.favourites.none")}</p>`}
        ${favourites.length > 0 && me.person?.underWay && html`<p class="small">${words.t("me.start.under_way")}</p>`}
        <ol class="me-cards">${favourites.map((favourite, index) => html`<${FavouriteCard} key=${favourite.id} me=${me}
            favourite=${favourite} index=${index} onMove=${(/** @type {-1 | 1} */ by) => move(favourite, by)} />`)}</ol>
        <p class="unseen" role="status">${note}</p>
        ${isAdding ? html`<${AddFavourite} me=${me} onClose=${() => setAdding(false)} />`
        : html`<p><button type="button" id="me-add-favourite" onClick=${() => setAdding(true)}>
            ${words.t("me.favourite.add")}</button></p>`}
    </section>`;
}

/**
 * Moves favourites; the button that was pressed keeps the focus, or its neighbour at the end of the list.
 * @param {MeSession} me
 */
function useMoving(me) {
    const { words } = useApp();
    const [note, setNote] = useState("");

    /** @param {Favourite} favourite @param {-1 | 1} by */
    async function move(favourite, by) {
        const count = me.favourites.length;
        const position = me.favourites.indexOf(favourite) + 1 + by;
        const isDone = await me.setFavourite(favourite.id, { position: String(position) });
        focusOn(...[by, -by].map((way) => moveID(favourite.id, way)));
        setNote(isDone ? words.t("me.favourite.moved", { name: favourite.name, position, count }) : "");
    }
    return { move, note };
}
