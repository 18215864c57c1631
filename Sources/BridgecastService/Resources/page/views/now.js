// The first view: which bridges are up, how fresh that is, the next arrivals at a favourite stop, the maps, and a card a
// bridge. Next to a trip or a bridge on a wide screen it is the answer alone.
import { html } from "../vendor/preact.js";
import { NextSlot } from "../boards/views.js";
import { useApp, useMedia, useNow, useSelected, useStatus } from "../core/hooks.js";
import { CanalMap, DuwamishMap } from "../draw/map.js";
import { headlineOf, sayHeadline, sayNext } from "../model/headline.js";
import { sayKnown } from "../model/notice.js";
import { isPastTense } from "../model/status.js";
import { AgeLine } from "../parts/state.js";
import { CardList } from "../parts/card-list.js";

// Chances follow the clock even where no new board comes.
const redrawMilliseconds = 20_000;
const duwamish = "Duwamish Waterway";

export function NowView() {
    const { store, words } = useApp();
    const isWide = useMedia("(min-width: 1024px)");
    const board = useSelected((state) => state.board);
    const pinned = useSelected((state) => state.preferences.pinned);
    const isAlone = useSelected((state) => state.address.view === "now");
    useSelected((state) => state.trouble === null);
    const now = useNow(redrawMilliseconds);
    const status = useStatus();
    const headline = headlineOf(store.state, status, now);
    const next = sayNext(words, headline, status.kind === "replay");
    // Next to a trip or a bridge the page is about that.
    const Heading = useSelected((state) => state.address.view === "now") ? "h1" : "h2";
    const looks = `headline is-${headline.kind}${status.kind === "stale" ? " is-old" : ""}`;
    return html`<div class="now">
        <div class="answer">
            <${Heading} class=${looks}>${sayHeadline(words, headline, isPastTense(status))}</${Heading}>
            ${next && html`<p class="next">${next}</p>`}
            <${AgeLine} />
        </div>
        ${isAlone && html`<${NextSlot} />`}
        ${!isAlone ? null : !isWide ? html`<${Waterways} board=${board} status=${status} first=${pinned[0]} />`
            : board ? html`<${CardList} bridges=${board.bridges} status=${status} label=${words.t("now.bridges")} />`
                : html`<${Skeletons} count=${7} />`}
        ${isAlone && html`<p class="small known">${sayKnown(words, board?.known)}</p>`}
    </div>`;
}

/**
 * The phone's maps, each with its cards; that of the bridge pinned first comes first.
 * @param {object} given
 * @param {import("../core/types").Board | null} given.board
 * @param {import("../model/status.js").Status} given.status
 * @param {number | undefined} given.first
 */
function Waterways({ board, status, first }) {
    const { words } = useApp();
    const bridges = board?.bridges ?? [];
    const areas = [
        { key: "canal", Map: CanalMap, count: 4, own: bridges.filter((bridge) => bridge.waterway !== duwamish) },
        { key: "duwamish", Map: DuwamishMap, count: 3, own: bridges.filter((bridge) => bridge.waterway === duwamish) },
    ];
    if (areas[1].own.some((bridge) => bridge.bridge_id === first)) areas.reverse();
    return areas.map(({ key, Map, count, own }, place) => html`<div key=${key} class="waterway">
        <${Map} />
        ${board ? html`<${CardList} bridges=${own} status=${status} label=${words.t(`now.${key}`)}
            isLegendHidden=${place > 0} />`
        : html`<${Skeletons} count=${count} />`}
    </div>`);
}

/** @param {{ count: number }} given as many grey cards */
function Skeletons({ count }) {
    return html`<div class="cards" aria-hidden="true">${Array.from({ length: count }, (_, n) =>
        html`<div class="card skeleton-card" key=${n}><div class="skeleton"></div></div>`)}</div>`;
}
