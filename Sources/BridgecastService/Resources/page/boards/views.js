// All that is drawn of boards and runs, loaded together with its styles when the first of it is to be seen.
import { html } from "../vendor/preact.js";
import { useSelected } from "../core/hooks.js";
import { later, withTransit } from "../parts/fallback.js";

/** @typedef {typeof import("./all.js")} All */

/** @type {Promise<All> | null} */
let loaded = null;

function load() {
    loaded ??= withTransit(import("./all.js"), "style/boards.css");
    loaded.catch(() => { loaded = null; });
    return loaded;
}

/** @param {keyof All} name */
const one = (name) => later(() => load().then((all) => all[name]), false);

export const BoardView = one("BoardView");
export const RunView = one("RunView");
const NextCard = one("NextCard");

/** The next arrivals at the favourite stop of those who have one; others load nothing. */
export function NextSlot() {
    const isWanted = useSelected((state) => state.preferences.favourites.length > 0 && state.replay === null);
    return isWanted && html`<div class="next-slot"><${NextCard} /></div>`;
}
