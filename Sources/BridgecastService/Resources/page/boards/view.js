// Boards of stops: that of the address, the nearest one, or the visitor's favourite; and ways to another.
import { html, useEffect, useRef } from "../vendor/preact.js";
import { useApp, useRedraw, useSelected } from "../core/hooks.js";
import { readRows } from "../core/preferences.js";
import { readBoard } from "../data/board.js";
import { readPlace } from "../data/place.js";
import { favouriteBoard } from "../model/favourites.js";
import { PastDay } from "../parts/past-day.js";
import { changesOf } from "./board-changes.js";
import { Board } from "./board.js";
import { nextOf } from "./columns.js";
import { Favourites, NearHere, Nearby, StopField } from "./finder.js";
import { boardPath, nearestPath } from "./paths.js";
import { Problem } from "./problem.js";
import { problemOfPlace, problemOfTrouble } from "./problems.js";
import { feedOf, useFollowed } from "./use-feed.js";
import { sayPlatform, sayRun } from "./words.js";

/** @typedef {import("../data/transit-feed.js").Known<import("../data/board.js").StopBoard>} KnownBoard */

export function BoardView() {
    const { router } = useApp();
    const redraw = useRedraw();
    const { values } = useSelected((state) => state.address);
    const preferences = useSelected((state) => state.preferences);
    const isLive = useSelected((state) => state.replay === null);
    const rows = readRows(values.rows) ?? preferences.boardRows;
    const isNear = values.near !== undefined;
    const stop = values.stop ?? (isNear ? null : favouriteBoard(preferences)?.stop ?? null);
    const kept = isNear && stop === null ? readPlace() : null;
    const isArrivals = values.arrivals === "true";
    const path = stop !== null ? boardPath(stop, rows, isArrivals)
        : kept?.place ? nearestPath(kept.place, rows) : null;
    const goNear = () => {
        router.change({ stop: null, near: "here", arrivals: null });
        redraw();
    };
    const problem = kept ? problemOfPlace(kept) : null;
    return html`<div class="board-view">
        ${!isLive ? html`<section class="card board-nothing"><${Heading} /><${PastDay} what="departures" /></section>`
        : path !== null
            ? html`<${Followed} key=${`${stop ?? "near"} ${isArrivals}`} path=${path} rows=${rows}
                isArrivals=${isArrivals} onPlace=${goNear} />` : null}
        ${isLive && problem && html`<div><${Heading} />
            <${Problem} code=${problem} onRetry=${redraw} onPlace=${goNear} /></div>`}
        <${Ways} isStart=${path === null && problem === null} onNear=${problem === null ? goNear : null} />
    </div>`;
}

/** What heads the view while there is no board. */
function Heading() {
    const { words } = useApp();
    return html`<h1>${words.t("board.title")}</h1>`;
}

/** @param {{ isStart: boolean, onNear: (() => void) | null }} given near: null where that is offered already */
function Ways({ isStart, onNear }) {
    const { router, words } = useApp();
    const go = (/** @type {string} */ id) => router.change({ stop: id, near: null, arrivals: null });
    return html`<aside class="board-ways" aria-label=${words.t("board.ways")}>
        ${isStart && html`<${Heading} /><p>${words.t("board.start")}</p>`}
        <${StopField} onStop=${go} />
        ${onNear && html`<${NearHere} onNear=${onNear} />`}
        <${Favourites} />
    </aside>`;
}

/** @param {{ path: string, rows: number, isArrivals: boolean, onPlace: () => void }} given */
function Followed({ path, rows, isArrivals, onPlace }) {
    const app = useApp();
    const known = useKept(useFollowed(path, readBoard));
    const retry = () => feedOf(app).retry(path);
    const board = known.value;
    useBoardTitle(board);
    useSaid(known);
    if (!board && !known.trouble) return html`<${Skeleton} />`;
    if (!board) {
        const detail = known.trouble?.detail ?? null;
        const code = problemOfTrouble(known.trouble);
        return html`<div><${Heading} />
            <${Problem} code=${code} detail=${detail} onRetry=${retry} onPlace=${onPlace} /></div>`;
    }
    return html`<${Board} board=${board} known=${known} path=${path} rows=${rows} isArrivals=${isArrivals}
            onRetry=${retry} />
        <${Nearby} stops=${board.nearby} />`;
}

/**
 * The last board stays until there is one with other rows.
 * @param {KnownBoard} known
 */
function useKept(known) {
    const last = useRef(/** @type {import("../data/board.js").StopBoard | null} */ (null));
    if (known.value) last.current = known.value;
    return { ...known, value: known.value ?? last.current };
}

function Skeleton() {
    const { words } = useApp();
    return html`<div class="board" aria-busy="true"><${Heading} /><p class="small">${words.t("board.loading")}</p>
        <div class="board-columns">${[0, 1].map((n) => html`<div class="card board-column" key=${n}>
            ${[0, 1, 2].map((row) => html`<div class="skeleton board-skeleton" key=${row}></div>`)}
        </div>`)}</div></div>`;
}

/**
 * Has the document's title count down to the next departure.
 * @param {import("../data/board.js").StopBoard | null} board
 */
function useBoardTitle(board) {
    const { clock, store } = useApp();
    const next = board ? nextOf(board.departures, clock.now()) : null;
    const [stop, title, at] = [board?.stop.name ?? null, next?.line.title ?? "", next?.at ?? null];
    useEffect(() => {
        store.dispatch({ type: "line", line: stop === null ? null : { title, stop, arrivesAt: at } });
    }, [stop, title, at]);
    useEffect(() => () => store.dispatch({ type: "line", line: null }), []);
}

/**
 * Says what has changed to those who do not see it.
 * @param {KnownBoard} known
 */
function useSaid({ value, trouble }) {
    const { announcer, words } = useApp();
    const last = useRef({ value, isLost: trouble !== null });
    useEffect(() => {
        const before = last.current;
        last.current = { value, isLost: trouble !== null };
        if (!value || !before.value) return;
        const hasTurned = before.isLost !== (trouble !== null);
        if (hasTurned) announcer.say(words.t(trouble ? "board.said.lost" : "board.said.back"));
        for (const { kind, departure } of changesOf(before.value.departures, value.departures)) {
            announcer.say(words.t(`board.said.${kind}`, {
                run: sayRun(words, departure), platform: sayPlatform(words, departure)?.text ?? "" }));
        }
    }, [value, trouble]);
}
