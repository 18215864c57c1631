// The line of a visitor's own: that of a favourite, or where favourites are stops alone, the one that comes there next.
import { html, useEffect } from "../vendor/preact.js";
import { nextPath } from "../boards/paths.js";
import { NextSlot } from "../boards/views.js";
import { useAnswer, useApp, useSelected } from "../core/hooks.js";
import { readBoard } from "../data/board.js";
import { favouriteOfALine } from "../model/favourites.js";
import { LineStart } from "./picker.js";

/** The view without a line: the address is given the own one, and without a favourite there is a choice. */
export function OwnLine() {
    const favourite = useSelected((state) => favouriteOfALine(state.preferences));
    return favourite ? html`<${Opened} key=${favourite.stop} favourite=${favourite} />` : html`<${LineStart} />`;
}

/** @param {{ favourite: import("../core/types").Favourite }} given */
function Opened({ favourite }) {
    const { router, words } = useApp();
    const stop = useSelected((state) => state.address.values.stop) ?? favourite.stop;
    /** @type {import("../data/answers.js").Answer<any>} */
    const answer = useAnswer(favourite.line === null ? nextPath(favourite, 1) : null, "once");
    const [next] = readBoard(answer.value)?.departures ?? [];
    const line = favourite.line ?? (next?.line.id || null);
    useEffect(() => { if (line !== null) router.change({ line, stop }, { isReplaced: true }); }, [line]);
    if (line === null && !answer.isLoading) return html`<${NextSlot} /><${LineStart} />`;
    return html`<section class="line-start" aria-busy="true"><h1>${words.t("line.none_title")}</h1>
        <div class="skeleton line-row"></div></section>`;
}
