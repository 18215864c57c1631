// A run: where it goes, how late it is, its map, and its stops.
import { html, useEffect } from "../vendor/preact.js";
import { useApp, useNow, useSelected } from "../core/hooks.js";
import { linkTo } from "../core/router.js";
import { addMessages } from "../core/words.js";
import { keptToken } from "../data/me-token.js";
import { readRun } from "../data/run.js";
import { Alerts } from "../parts/alerts.js";
import { addStyles, later } from "../parts/fallback.js";
import { PastDay } from "../parts/past-day.js";
import { ShareButton } from "../parts/share.js";
import { LineBadge } from "./badge.js";
import { BoardAge } from "./head.js";
import { ClassMark, WheelchairMark } from "./marks.js";
import { linkToLine, runPath } from "./paths.js";
import { Problem } from "./problem.js";
import { problemOfTrouble } from "./problems.js";
import { RunMap } from "./run-map.js";
import { RunStops } from "./run-stops.js";
import { passedCount, stageOf } from "./run-rows.js";
import { feedOf, useFollowed } from "./use-feed.js";
import { sayRun, sayStatus } from "./words.js";

/** @typedef {import("../data/run.js").Run} Run */

const redrawMilliseconds = 5_000;
/** Fetched where a person has a token: no other has a journal. */
const KeepRide = later(() => Promise.all([
    import("./keep-ride.js"), addStyles("style/me.css", "last"), addMessages("me"),
]).then(([module]) => module.KeepRide), false);
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

export function RunView() {
    const { words } = useApp();
    const { run, date = "" } = useSelected((state) => state.address.values);
    const isLive = useSelected((state) => state.replay === null);
    if (!isLive) {
        return html`<section class="card board-nothing"><h1>${words.t("run.title")}</h1>
            <${PastDay} what="run" /></section>`;
    }
    if (run === undefined) return html`<${NoRun} />`;
    const path = runPath(run, dayPattern.test(date) ? date : null);
    return html`<${Followed} key=${path} path=${path} />`;
}

/** An address without a run. */
function NoRun() {
    const { words } = useApp();
    const address = useSelected((state) => state.address);
    return html`<section class="card board-nothing"><h1>${words.t("run.title")}</h1><p>${words.t("run.none")}</p>
        <a class="button" href=${linkTo(address, "board")}>${words.t("board.title")}</a></section>`;
}

/** @param {{ path: string }} given */
function Followed({ path }) {
    const app = useApp();
    const { words } = app;
    const known = useFollowed(path, readRun);
    const run = known.value;
    useRunTitle(run);
    if (!run && !known.trouble) {
        return html`<div class="run" aria-busy="true"><h1>${words.t("run.title")}</h1>
            <p class="small">${words.t("run.loading")}</p>
            <div class="skeleton run-map"></div></div>`;
    }
    const retry = () => feedOf(app).retry(path);
    if (!run) {
        const code = problemOfTrouble(known.trouble);
        return html`<div class="run"><h1>${words.t("run.title")}</h1>
            <${Problem} code=${code === "noStation" ? "noData" : code} detail=${known.trouble?.detail} onRetry=${retry}
                onPlace=${retry} /></div>`;
    }
    const hasPlaces = run.stops.filter(({ place }) => place !== null).length > 1;
    return html`<article class="run" aria-labelledby="run-title">
        <${RunHead} run=${run} known=${known} />
        <${Alerts} alerts=${run.alerts} />
        ${keptToken() !== null && html`<${KeepRide} run=${run} path=${path} />`}
        <div class="run-parts">
            ${hasPlaces && html`<${RunMap} run=${run} />`}
            <${RunStops} run=${run} />
        </div>
    </article>`;
}

/** @param {{ run: Run, known: import("../data/transit-feed.js").Known<Run> }} given */
function RunHead({ run, known }) {
    const { words } = useApp();
    const address = useSelected((state) => state.address);
    const day = run.date === null ? null : words.day(`${run.date}T12:00:00-08:00`);
    return html`<header class="board-head">
        <h1 id="run-title"><${LineBadge} line=${run.line} />
            ${" "}${words.t("board.to", { headsign: run.headsign || "–" })}</h1>
        <p class="board-about">
            ${run.number && html`<span>${run.number}</span>`}
            <${ClassMark} serviceClass=${run.serviceClass} />
            ${day && html`<span>${day}</span>`}
            <${WheelchairMark} wheelchair=${run.wheelchair} />
        </p>
        <${Stage} run=${run} />
        <${BoardAge} known=${known} />
        <div class="board-tools">
            ${run.line.id !== "" && html`<a class="button" href=${linkToLine(address, run.line.id)}>${
                words.t("run.to_line", { line: run.line.title })}</a>`}
            <${ShareButton} title=${sayRun(words, run)} view="run" />
        </div>
    </header>`;
}

/** @param {{ run: Run }} given */
function Stage({ run }) {
    const { words } = useApp();
    const now = useNow(redrawMilliseconds);
    if (run.isCancelled) return html`<p class="board-status is-cancelled">${words.t("board.status.cancelled")}</p>`;
    const stage = stageOf(run.stops, now);
    const next = run.stops[passedCount(run.stops, now)];
    return html`<p class="run-stage"><span>${words.t(`run.stage.${stage}`, { stop: next?.name ?? "" })}</span>
        ${next && html` <span class=${`board-status is-${next.status}`}>${sayStatus(words, next)}</span>`}</p>`;
}

/** @param {Run | null} run */
function useRunTitle(run) {
    const { store, words } = useApp();
    const title = run ? sayRun(words, run) : null;
    useEffect(() => {
        store.dispatch({ type: "line", line: title === null ? null : { title, stop: null, arrivesAt: null } });
    }, [title]);
    useEffect(() => () => store.dispatch({ type: "line", line: null }), []);
}
