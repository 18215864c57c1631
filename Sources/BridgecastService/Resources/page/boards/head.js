// The head of a board: its stop, the lines that call there, how fresh it is, and what a visitor may change.
import { html } from "../vendor/preact.js";
import { useApp, useNow, useSelected } from "../core/hooks.js";
import { maxRows } from "../core/preferences.js";
import { FavouriteButton } from "../parts/favourite.js";
import { ShareButton } from "../parts/share.js";
import { LineBadge } from "./badge.js";
import { linesOf } from "./columns.js";
import { isOld } from "./freshness.js";
import { WheelchairMark } from "./marks.js";
import { linkToLine, linkToWidget } from "./paths.js";

/** @typedef {import("../data/board.js").StopBoard} StopBoard */
/** @typedef {import("../data/transit-feed.js").Known<StopBoard>} KnownBoard */

const tickMilliseconds = 1_000;

/** @param {{ board: StopBoard, known: KnownBoard, rows: number }} given */
export function BoardHead({ board, known, rows }) {
    const { words } = useApp();
    const address = useSelected((state) => state.address);
    const { stop } = board;
    const lines = linesOf(board);
    return html`<header class="board-head">
        <h1 id="board-title">${stop.name}</h1>
        <div class="board-about">
            ${lines.length > 0 && html`<ul class="board-lines" aria-label=${words.t("board.lines")}>
                ${lines.map((line) => html`<li key=${line.id}><a href=${linkToLine(address, line.id, stop.id)}>
                    <${LineBadge} line=${line} /></a></li>`)}</ul>`}
            ${stop.platform && html`<span>${words.t("board.platform", { platform: stop.platform })}</span>`}
            ${stop.code && html`<span class="small">${words.t("board.code", { code: stop.code })}</span>`}
            <${WheelchairMark} wheelchair=${stop.wheelchair} />
        </div>
        <${BoardAge} known=${known} />
        <div class="board-tools">
            <${FavouriteButton} favourite=${{ line: null, stop: stop.id, direction: null, name: stop.name }} />
            <${RowsField} rows=${rows} />
            <${ShareButton} title=${words.t("board.title_of", { stop: stop.name })} view="board" />
            <a class="button" href=${linkToWidget(address, stop.id)}>${words.t("widget.link")}</a>
        </div>
    </header>`;
}

/**
 * "Live, as of 18:05:10, 9 s ago", or that it is not.
 * @param {{ known: { value: { at: number } | null, trouble: unknown } }} given
 */
export function BoardAge({ known }) {
    const { clock, words } = useApp();
    const now = useNow(tickMilliseconds);
    if (known.value === null) return null;
    const age = words.duration((now - known.value.at) / 1000);
    const key = isOld(known, now, clock.rate) ? "old" : "live";
    return html`<p class=${`age is-${key}`}><span class="age-mark" aria-hidden="true"></span>
        <span>${words.t(`age.${key}`, { time: words.timeWithSeconds(known.value.at), age })}</span></p>`;
}

/** @param {{ rows: number }} given */
function RowsField({ rows }) {
    const { router, store, words } = useApp();
    /** @param {Event} event */
    function choose(event) {
        const boardRows = Number(/** @type {HTMLSelectElement} */ (event.currentTarget).value);
        store.dispatch({ type: "preferences", preferences: { boardRows } });
        router.change({ rows: null }, { isReplaced: true });
    }
    return html`<label class="board-rows"><span>${words.t("board.rows")}</span>
        <select value=${String(rows)} onChange=${choose}>${Array.from({ length: maxRows }, (_, n) =>
            html`<option value=${String(n + 1)}>${n + 1}</option>`)}</select></label>`;
}
