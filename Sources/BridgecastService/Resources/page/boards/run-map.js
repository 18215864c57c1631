// The map of a run: drawn when it comes into sight, and destroyed with the view.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { useApp, useMedia, useSelected, useStatus } from "../core/hooks.js";
import { useGeography } from "../data/geography.js";
import { readRunMap } from "../data/run.js";
import { shownState } from "../model/status.js";
import { addStyles } from "../parts/fallback.js";
import { whenInSight } from "../parts/sight.js";
import { runPath } from "./paths.js";
import { useFollowed } from "./use-feed.js";

/** @typedef {import("./run-layers.js").RunLayers} RunLayers */

const metresPerPixel = 20;

/** @type {Promise<typeof import("./run-layers.js")> | null} */
let loaded = null;

/** The map's library and its styles, once. */
function load() {
    loaded ??= Promise.all([import("./run-layers.js"), addStyles("vendor/leaflet.css", "first")])
        .then(([layers]) => layers);
    loaded.catch(() => { loaded = null; });
    return loaded;
}

/** @param {any} document */
function readMap(document) {
    const map = readRunMap(document);
    const at = Date.parse(document?.valid_at);
    return map && Number.isFinite(at) ? { ...map, at } : null;
}

/** @param {{ run: import("../data/run.js").Run }} given */
export function RunMap({ run }) {
    const { words } = useApp();
    const { value } = useFollowed(runPath(run.trip, run.date, "/map"), readMap);
    if (!value) return null;
    return html`<section class="card run-card"><h2>${words.t("run.map")}</h2>
        <${Frame} run=${run} drawn=${value} />
        ${value.isApproximate && html`<p class="small">${words.t("run.map.approximate")}</p>`}</section>`;
}

/** @param {{ run: import("../data/run.js").Run, drawn: import("../data/run.js").RunMap }} given */
function Frame({ run, drawn }) {
    const { words } = useApp();
    const frame = useRef(/** @type {HTMLElement | null} */ (null));
    const { geography } = useGeography(metresPerPixel);
    const bridges = useSelected((state) => state.board?.bridges ?? null);
    const status = useStatus();
    const { layers, hasFailed } = useLayers(frame);
    useEffect(() => { if (geography) layers?.showGround(geography); }, [layers, geography]);
    useEffect(() => layers?.showRun(drawn, (id) => {
        const bridge = bridges?.find(({ bridge_id }) => bridge_id === id);
        return bridge ? shownState(bridge, status) : "unknown";
    }), [layers, drawn, bridges, status.kind]);
    if (hasFailed) return html`<p class="small">${words.t("trip.map.failed")}</p>`;
    const name = words.t(drawn.vehicle ? "run.map.name_vehicle" : "run.map.name", {
        n: run.stops.length, from: run.stops[0].name, to: run.stops[run.stops.length - 1].name });
    return html`<div class="run-map" role="application" aria-label=${name} tabindex="0" ref=${frame}></div>`;
}

/**
 * @param {{ current: HTMLElement | null }} frame
 * @returns {{ layers: RunLayers | null, hasFailed: boolean }}
 */
function useLayers(frame) {
    const [layers, setLayers] = useState(/** @type {RunLayers | null} */ (null));
    const [hasFailed, setFailed] = useState(false);
    const isStill = useMedia("(prefers-reduced-motion: reduce)");
    useEffect(() => {
        const element = frame.current;
        if (!element) return undefined;
        let isGone = false;
        /** @type {RunLayers | null} */
        let made = null;
        const leave = whenInSight(element, () => load().then(({ RunLayers }) => {
            if (isGone) return;
            made = new RunLayers(element, isStill);
            setLayers(made);
        }, () => { if (!isGone) setFailed(true); }));
        return () => {
            isGone = true;
            leave();
            made?.remove();
            setLayers(null);
        };
    }, [isStill]);
    return { layers, hasFailed };
}
