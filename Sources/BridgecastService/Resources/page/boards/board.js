// The board itself: a column for each direction, or what is known where nothing comes.
import { html } from "../vendor/preact.js";
import { useApp, useNow, useSelected } from "../core/hooks.js";
import { linkTo } from "../core/router.js";
import { readBoard } from "../data/board.js";
import { Alerts } from "../parts/alerts.js";
import { quietBridges } from "./bridge-words.js";
import { columnsOf } from "./columns.js";
import { isOld } from "./freshness.js";
import { BoardHead } from "./head.js";
import { firstPath } from "./paths.js";
import { Problem } from "./problem.js";
import { DepartureRow } from "./row.js";
import { useFollowed } from "./use-feed.js";
import { sayClock, sayTowards } from "./words.js";

/** @typedef {import("../data/board.js").StopBoard} StopBoard */

const checkMilliseconds = 5_000;

/**
 * @param {object} given
 * @param {StopBoard} given.board
 * @param {import("../data/transit-feed.js").Known<StopBoard>} given.known
 * @param {string} given.path what was asked
 * @param {number} given.rows
 * @param {boolean} given.isArrivals
 * @param {() => void} given.onRetry
 */
export function Board({ board, known, path, rows, isArrivals, onRetry }) {
    const { clock, words } = useApp();
    const now = useNow(checkMilliseconds);
    const columns = columnsOf(board, rows);
    const quiet = quietBridges(columns.flatMap(({ departures }) => departures));
    const looks = `board${isOld(known, now, clock.rate) ? " is-old" : ""}`;
    return html`<article class=${looks} aria-labelledby="board-title">
        <${BoardHead} board=${board} known=${known} rows=${rows} />
        <${KindSwitch} stop=${board.stop.id} isArrivals=${isArrivals} />
        ${board.problem && html`<${Problem} code=${board.problem.code} detail=${board.problem.message}
            onRetry=${onRetry} onPlace=${onRetry} />`}
        <${Alerts} alerts=${board.alerts} />
        ${columns.length === 0 ? html`<${Nothing} board=${board} isArrivals=${isArrivals} />`
        : html`<div class="board-columns">${columns.map((column) => html`<${Column} key=${column.direction}
            column=${column} isArrivals=${isArrivals} zone=${board.zone} isAlone=${columns.length === 1}
            where=${{ path, stop: board.stop.name }} />`)}</div>`}
        ${quiet.length > 0 && html`<p class="small">${words.t("board.bridge.quiet", {
            bridges: words.list(quiet.map((bridge) => words.t("bridge.heading", { bridge }))), n: quiet.length })}</p>`}
    </article>`;
}

/**
 * Departures, or arrivals: at the end of a line there is nothing else.
 * @param {{ stop: string, isArrivals: boolean }} given
 */
function KindSwitch({ stop, isArrivals }) {
    const { words } = useApp();
    const address = useSelected((state) => state.address);
    const { rows } = address.values;
    const link = linkTo(address, "board", { stop, ...(rows && { rows }), arrivals: isArrivals ? null : "true" });
    return html`<p class="board-kind"><strong>${words.t(isArrivals ? "board.arrivals" : "board.departures")}</strong>
        <a href=${link}>${words.t(isArrivals ? "board.show_departures" : "board.show_arrivals")}</a></p>`;
}

/**
 * @param {object} given
 * @param {import("./columns.js").Column} given.column
 * @param {boolean} given.isArrivals
 * @param {string | null} given.zone
 * @param {boolean} given.isAlone
 * @param {import("./arrival.js").Where} given.where
 */
function Column({ column, isArrivals, zone, isAlone, where }) {
    const { words } = useApp();
    const { name, departures, direction } = column;
    const heading = name !== null ? sayTowards(words, name)
        : words.t(!isAlone && direction === null ? "board.others"
            : isArrivals ? "board.arrivals" : "board.departures");
    return html`<section class="card board-column">
        <h2>${heading}</h2>
        <ol class="board-rows-list">${departures.map((departure) => html`<${DepartureRow} key=${departure.key}
            departure=${departure} zone=${zone} where=${where} />`)}</ol>
    </section>`;
}

/**
 * Nothing in the next hours: when the first one comes, or why none does.
 * @param {{ board: StopBoard, isArrivals: boolean }} given
 */
function Nothing({ board, isArrivals }) {
    const { words } = useApp();
    const { value, trouble } = useFollowed(board.noService === null ? firstPath(board.stop.id, isArrivals) : null, readBoard);
    const first = value?.departures[0]?.at ?? null;
    const kind = isArrivals ? "_arriving" : "";
    const isSought = board.noService === null && value === null && trouble === null;
    return html`<section class="card board-nothing" aria-busy=${isSought ? "true" : undefined}>
        <p><strong>${first === null ? words.t(`board.nothing${kind}`) : words.t(`board.nothing_first${kind}`, {
            time: sayFirst(words, first, board) })}</strong></p>
        ${board.noService && html`<p class="small" lang="en">${board.noService}</p>`}
    </section>`;
}

const dayMilliseconds = 12 * 3_600_000;

/** @param {import("../core/words.js").Words} words @param {number} time @param {StopBoard} board */
const sayFirst = (words, time, board) => (time - board.at < dayMilliseconds ? sayClock(words, time, board.zone)
    : `${words.weekday(time)} ${sayClock(words, time, board.zone)}`);
