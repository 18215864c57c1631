// The stops of a run as a list: times as planned and as expected apart, platforms, bridges between, and where it is.
import { html } from "../vendor/preact.js";
import { useApp, useNow, useSelected } from "../core/hooks.js";
import { linkTo } from "../core/router.js";
import { isWorthSaying, sayAdded, sayBridgeAhead } from "./bridge-words.js";
import { CrowdingMark, WheelchairMark } from "./marks.js";
import { linkToBoard } from "./paths.js";
import { rowsOf } from "./run-rows.js";
import { sayClock, sayPlatform, sayStatus } from "./words.js";

/** @typedef {import("../data/run.js").Run} Run */

const redrawMilliseconds = 5_000;

/** @param {{ run: Run }} given */
export function RunStops({ run }) {
    const { words } = useApp();
    const now = useNow(redrawMilliseconds);
    const rows = rowsOf(run, now);
    return html`<section class="card run-card">
        <h2>${words.t("run.stops")}</h2>
        <ol class="run-stops">${rows.map((row) => row.kind === "stop"
            ? html`<${StopRow} key=${`${row.stop.sequence} ${row.stop.id}`} stop=${row.stop} isPassed=${row.isPassed}
                isNews=${row.isNews} zone=${run.zone} />`
            : row.kind === "bridge" ? html`<${BridgeRow} key=${`bridge ${row.bridge.id}`} bridge=${row.bridge}
                now=${now} zone=${run.zone} />`
                : html`<${HereRow} key="here" run=${run} isSeen=${row.isSeen} />`)}</ol>
    </section>`;
}

/**
 * @param {object} given
 * @param {import("../data/run.js").RunStop} given.stop
 * @param {boolean} given.isPassed
 * @param {boolean} given.isNews whether its lateness is another than before
 * @param {string | null} given.zone
 */
function StopRow({ stop, isPassed, isNews, zone }) {
    const { words } = useApp();
    const address = useSelected((state) => state.address);
    const platform = sayPlatform(words, stop);
    return html`<li class=${`run-stop${isPassed ? " is-passed" : ""}`}>
        <${StopTimes} stop=${stop} zone=${zone} />
        <div>
            <a href=${linkToBoard(address, stop.id)}>${stop.name}</a>
            ${isPassed && html`<span class="unseen"> (${words.t("run.passed")})</span>`}
            <p class="board-facts">
                ${isNews && html`<span class=${`board-status is-${stop.status}`}>${sayStatus(words, stop)}</span>`}
                ${platform && html`<span class=${platform.isChanged ? "board-changed" : ""}>${platform.text}</span>`}
                ${!isPassed && html`<${CrowdingMark} crowding=${stop.crowding} />`}
                <${WheelchairMark} wheelchair=${stop.wheelchair} />
            </p>
        </div>
    </li>`;
}

/** @param {{ stop: import("../data/run.js").RunStop, zone: string | null }} given */
function StopTimes({ stop, zone }) {
    const { words } = useApp();
    const scheduled = sayClock(words, stop.scheduledAt, zone);
    const expected = sayClock(words, stop.at, zone);
    const isOther = stop.at !== null && stop.isPredicted && expected !== scheduled;
    return html`<p class="run-times">
        ${isOther && html`<strong><span class="unseen">${words.t("run.expected")} </span>${expected}</strong>`}
        ${stop.at === null || isOther ? html`<s class="small">
            <span class="unseen">${words.t("board.scheduled_for")} </span>${scheduled}</s>`
        : html`<span>${expected}</span>`}
    </p>`;
}

/** @param {{ bridge: import("../data/board.js").BridgeAhead, now: number, zone: string | null }} given */
function BridgeRow({ bridge, now, zone }) {
    const { words } = useApp();
    const name = words.t("bridge.heading", { bridge: bridge.name });
    const address = useSelected((state) => state.address);
    const sayTime = (/** @type {number} */ time) => sayClock(words, time, zone);
    return html`<li class=${`run-bridge${bridge.isWaiting ? " is-waiting" : ""}`}>
        <p class="run-times">${bridge.at === null ? "" : sayTime(bridge.at)}</p>
        <p><a href=${linkTo(address, "bridge", { bridge: String(bridge.id) })}>${name}</a>
            ${isWorthSaying(bridge) ? html` <span>
                ${bridge.isWaiting ? sayBridgeAhead(words, bridge, now, sayTime) : ""}</span>
                <span class="board-added">${sayAdded(words, bridge)}</span>`
        : html` <span class="small">${bridge.chance === null ? words.t("run.bridge_unknown")
            : words.t("run.bridge_chance", { chance: words.chance(bridge.chance) })}</span>`}</p>
    </li>`;
}

/** @param {{ run: Run, isSeen: boolean }} given */
function HereRow({ run, isSeen }) {
    const { words } = useApp();
    const seconds = run.vehicle?.ageSeconds ?? null;
    const said = !isSeen ? words.t("run.here_timetable")
        : seconds === null ? words.t("run.here") : words.t("run.here_seen", { age: words.duration(seconds) });
    return html`<li class="run-here"><p class="run-times"></p><p><strong>${said}</strong></p></li>`;
}
