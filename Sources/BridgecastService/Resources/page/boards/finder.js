// Ways to a board: a stop by its name, the stops that the visitor keeps, or the nearest one.
import { html, useRef, useState } from "../vendor/preact.js";
import { useApp, useSelected } from "../core/hooks.js";
import { readStops } from "../data/board.js";
import { withFirst, toggled } from "../model/favourites.js";
import { Combobox } from "../parts/combobox.js";
import { LineBadge } from "./badge.js";
import { linkToBoard } from "./paths.js";
import { LocateButton, searchFieldID } from "./problem.js";

/** @typedef {import("../data/board.js").Stop} Stop */
/** @typedef {import("../core/types").Favourite} Favourite */

const offered = 8;

/** @param {Stop} stop */
const sayStop = ({ name, platform, code }) => [name, platform, code].filter((part) => part !== null).join(" · ");

/**
 * A field that completes names of stops, with the lines that call there.
 * @param {{ onStop: (id: string) => void }} given
 */
export function StopField({ onStop }) {
    const { api, words } = useApp();
    const found = useRef(/** @type {Stop[]} */ ([]));
    const [missed, setMissed] = useState("");
    /** @param {string} text @param {AbortSignal} [signal] */
    async function suggest(text, signal) {
        found.current = readStops(await api.get(`stops?q=${encodeURIComponent(text)}&limit=${offered}`, signal));
        return found.current.map((stop) => ({ name: sayStop(stop), kind: stop.id, lines: stop.lines }));
    }
    /** @param {string} text a stop that was offered, or what was typed */
    async function commit(text) {
        setMissed("");
        if (text === "") return;
        const known = found.current.find((stop) => sayStop(stop) === text);
        if (known) return onStop(known.id);
        await suggest(text).catch(() => { found.current = []; });
        const [first] = found.current;
        // Who leaves the field has not asked to go anywhere.
        const isWanted = document.activeElement?.id === searchFieldID;
        if (first && isWanted) onStop(first.id);
        else if (!first) setMissed(text);
    }
    /** @param {string} id */
    const showLines = (id) => html`<span class="board-lines">${found.current.find((stop) => stop.id === id)?.lines
        .map((line) => html`<${LineBadge} key=${line.id} line=${line} />`)}</span>`;
    return html`<${Combobox} id=${searchFieldID} label=${words.t("board.find")} value="" onCommit=${commit}
            suggest=${suggest} sayKind=${showLines} describedBy=${missed === "" ? null : "board-stop-missed"} />
        ${missed !== "" && html`<p id="board-stop-missed" class="small words-red">
            ${words.t("board.find.none", { text: missed })}</p>`}`;
}

/** @param {{ onNear: () => void }} given */
export function NearHere({ onNear }) {
    const { words } = useApp();
    return html`<div class="board-near"><${LocateButton} label=${words.t("board.near")} onPlace=${onNear} /></div>`;
}

/** The stops that the visitor keeps, the first of which boards open with. */
export function Favourites() {
    const { store, words } = useApp();
    const favourites = useSelected((state) => state.preferences.favourites);
    const address = useSelected((state) => state.address);
    if (favourites.length === 0) return null;
    /** @param {Favourite[]} list */
    const keep = (list) => store.dispatch({ type: "preferences", preferences: { favourites: list } });
    return html`<section class="card board-favourites">
        <h2>${words.t("board.favourites")}</h2>
        <ul>${favourites.map((one, place) => html`<li key=${`${one.line} ${one.stop} ${one.direction}`}>
            <a href=${linkToBoard(address, one.stop)}>${one.name}</a>
            ${place > 0 && html`<button type="button" class="chip" onClick=${() => keep(withFirst(favourites, one))}>
                ${words.t("board.favourite.first")}<span class="unseen"> ${one.name}</span></button>`}
            <button type="button" class="chip" onClick=${() => keep(toggled(favourites, one))}>
                ${words.t("board.favourite.remove")}<span class="unseen"> ${one.name}</span></button>
        </li>`)}</ul>
    </section>`;
}

/** @param {{ stops: Stop[] }} given others near the visitor */
export function Nearby({ stops }) {
    const { words } = useApp();
    const address = useSelected((state) => state.address);
    if (stops.length === 0) return null;
    return html`<section class="card board-favourites">
        <h2>${words.t("board.nearby")}</h2>
        <ul>${stops.map((stop) => html`<li key=${stop.id}><a href=${linkToBoard(address, stop.id)}>${sayStop(stop)}</a>
            ${stop.metres !== null && html`<span class="small">${words.distance(stop.metres)}</span>`}</li>`)}</ul>
    </section>`;
}
