// The next arrivals at the visitor's favourite stop, on the first view: loaded only for those who have one.
import { html } from "../vendor/preact.js";
import { useApp, useSelected } from "../core/hooks.js";
import { readBoard } from "../data/board.js";
import { favouriteBoard } from "../model/favourites.js";
import { Countdown } from "../parts/countdown.js";
import { LineBadge } from "./badge.js";
import { isWorthSaying, sayAdded } from "./bridge-words.js";
import { isOld } from "./freshness.js";
import { BoardAge } from "./head.js";
import { TrustMark } from "./marks.js";
import { linkToBoard, linkToLine, linkToRun, nextPath } from "./paths.js";
import { useFollowed } from "./use-feed.js";

const shownCount = 3;

export function NextCard() {
    const favourite = useSelected((state) => favouriteBoard(state.preferences));
    return favourite && html`<${Next} key=${favourite.stop} favourite=${favourite} />`;
}

/** @param {{ favourite: import("../core/types").Favourite }} given */
function Next({ favourite }) {
    const { clock, words } = useApp();
    const address = useSelected((state) => state.address);
    const known = useFollowed(nextPath(favourite, shownCount), readBoard);
    const departures = known.value?.departures.filter(({ at }) => at !== null) ?? [];
    const line = departures.map((departure) => departure.line).find(({ id }) => id !== "");
    return html`<section class="card next-card" aria-labelledby="next-title">
        <h2 id="next-title"><a href=${linkToBoard(address, favourite.stop)}>
            ${words.t("line.next_at", { stop: favourite.name })}</a></h2>
        ${known.value === null && known.trouble === null
            && html`<div class="skeleton board-skeleton" aria-busy="true"></div>`}
        ${known.value === null && known.trouble !== null && html`<p>${words.t("board.problem.apiError")}</p>`}
        ${known.value !== null && departures.length === 0 && html`<p>${words.t("board.nothing")}</p>`}
        <ol>${departures.map((departure) => html`<li key=${departure.key} class="next-row">
            <${LineBadge} line=${departure.line} />
            <a href=${linkToRun(address, departure)}>${departure.headsign || departure.line.title}</a>
            <${TrustMark} confidence=${departure.confidence} />
            <${Countdown} at=${departure.at} />
            ${departure.bridges.filter(isWorthSaying).slice(0, 1).map((bridge) => html`<span key=${bridge.id}
                class="board-added">
                ${words.t("bridge.heading", { bridge: bridge.name })}: ${sayAdded(words, bridge)}</span>`)}
        </li>`)}</ol>
        ${line && html`<p><a class="button chip" href=${linkToLine(address, line.id, favourite.stop)}>
            ${words.t("run.to_line", { line: line.title })}</a></p>`}
        ${isOld(known, clock.now(), clock.rate) && html`<${BoardAge} known=${known} />`}
    </section>`;
}
