// The map of a trip: ways, ends and bridges on water and main roads; a place can be picked. Leaflet is loaded when a
// map comes into sight.
import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { useApp, useMedia, useSelected, useStatus } from "../../core/hooks.js";
import { useGeography } from "../../data/geography.js";
import { shownState } from "../../model/status.js";
import { addStyles } from "../../parts/fallback.js";
import { whenInSight } from "../../parts/sight.js";

const metresPerPixel = 20;

/** @type {Promise<typeof import("./leaflet-map.js")> | null} */
let loaded = null;

/** The map's library and its styles, once: nothing of it travels before a map is to be seen. */
function load() {
    loaded ??= Promise.all([import("./leaflet-map.js"), addStyles("vendor/leaflet.css", "first")]).then(([layers]) => layers);
    loaded.catch(() => { loaded = null; });
    return loaded;
}

/**
 * @param {object} given
 * @param {import("../../core/types").RankedRoute[]} given.routes best first
 * @param {string} given.chosen id of the one on top
 * @param {(id: string) => void} given.onChoose
 * @param {(end: "from" | "to", place: string) => void} given.onPick
 * @param {string} given.sentence what the map shows
 * @param {string | null} given.trouble what is wrong with the place that was picked; its field says it to listeners
 */
export function TripMap({ routes, chosen, onChoose, onPick, sentence, trouble }) {
    const { words } = useApp();
    const frame = useRef(/** @type {HTMLElement | null} */ (null));
    const { geography } = useGeography(metresPerPixel);
    const board = useSelected((state) => state.board);
    const status = useStatus();
    const { drawn, hasFailed } = useLeafletMap(frame, { onChoose, onPick });

    useEffect(() => { if (geography) drawn?.showGround(geography); }, [drawn, geography]);
    useEffect(() => drawn?.showRoutes(routes, chosen), [drawn, routes, chosen]);
    useEffect(() => {
        drawn?.showBridges((board?.bridges ?? []).map((bridge) => ({ ...bridge, state: shownState(bridge, status) })));
    }, [drawn, board, status.kind]);

    if (hasFailed) return html`<p class="small">${words.t("trip.map.failed")}</p>`;
    const name = `${sentence} ${words.t("trip.map.keys")}`;
    return html`<div class="trip-map" role="application" aria-label=${name} tabindex="0" ref=${frame}></div>
        <p class=${trouble ? "words-red" : "small"}>${trouble ?? words.t("trip.map.pick")}</p>`;
}

/**
 * A map in a frame, drawn when it comes into sight.
 * @param {{ current: HTMLElement | null }} frame
 * @param {import("./leaflet-map.js").Hearing} hear
 * @returns {{ drawn: import("./leaflet-map.js").LeafletMap | null, hasFailed: boolean }}
 */
function useLeafletMap(frame, hear) {
    const { words } = useApp();
    const [drawn, setDrawn] = useState(/** @type {import("./leaflet-map.js").LeafletMap | null} */ (null));
    const [hasFailed, setFailed] = useState(false);
    const isStill = useMedia("(prefers-reduced-motion: reduce)");
    const heard = useRef(hear);
    heard.current = hear;
    useEffect(() => {
        const element = frame.current;
        if (!element) return undefined;
        let isGone = false;
        /** @type {import("./leaflet-map.js").LeafletMap | null} */
        let made = null;
        const leave = whenInSight(element, () => load().then(({ LeafletMap }) => {
            if (isGone) return;
            made = new LeafletMap(element, words, isStill, {
                onChoose: (id) => heard.current.onChoose(id), onPick: (end, place) => heard.current.onPick(end, place),
            });
            setDrawn(made);
        }, () => setFailed(true)));
        return () => {
            isGone = true;
            leave();
            made?.remove();
            setDrawn(null);
        };
    }, [words, isStill]);
    return { drawn, hasFailed };
}
