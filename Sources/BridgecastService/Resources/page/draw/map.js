// A map of waterways with their spans, for one crop of the city: ground, waves, names, links. Used by draw/city-map.js.
import { html, useMemo } from "../vendor/preact.js";
import { useApp, useNow, useSelected } from "../core/app.js";
import { linkTo } from "../core/router.js";
import { useGeography } from "../data/geography.js";
import { findWaves } from "../model/convoy.js";
import { createProjection } from "../model/geo.js";
import { shownState, statusOf } from "../model/status.js";
import { swingBridge } from "../model/waterways.js";
import { Ground } from "./ground.js";
import { mapWords, spanWords, waveWords } from "./map-words.js";
import { Span } from "./span.js";
import { Waves } from "./wave.js";

/** @typedef {import("./crops.js").MapCrop} MapCrop */
/** @typedef {import("../core/types").State} State */

// All crops are drawn from one geometry.
const metresPerPixel = 20;
// Ages are told in minutes.
const tickMilliseconds = 10_000;

/** @param {{ crop: MapCrop }} given */
export function WaterwayMap({ crop }) {
    const { words, clock } = useApp();
    const now = useNow(tickMilliseconds);
    const state = useSelected((/** @type {State} */ whole) => whole);
    const { geography, trouble } = useGeography(metresPerPixel);
    const { board, address } = state;
    const status = statusOf(state, now, clock.rate);
    const isForecast = status.kind === "live" || status.kind === "replay";
    const waves = useMemo(() => board && isForecast
        ? crop.waterways.flatMap((waterway) => findWaves(board, waterway)) : [], [board, crop, isForecast]);
    const place = useMemo(() => percentPlaces(crop), [crop]);
    const bridges = crop.waterways.flatMap((waterway) => waterway.bridges)
        .flatMap((id) => board?.bridges.filter((bridge) => bridge.bridge_id === id) ?? [])
        .filter((bridge) => Number.isFinite(bridge.latitude) && Number.isFinite(bridge.longitude));
    const spans = bridges.map((bridge) => ({ name: bridge.bridge, state: shownState(bridge, status) }));
    const isPlain = geography === null && trouble !== null;
    const legend = isPlain ? words.t("map.plain") : waveWords(words, waves);
    return html`<div class=${`map map-${crop.id} is-${status.kind}`}>
        <div class=${`map-frame${geography || isPlain ? "" : " is-loading"}`} role="group"
            aria-label=${board ? mapWords(words, crop.waterways.length > 1 ? "city" : crop.waterways[0].id, spans)
        : words.t("headline.loading")}
            style=${{ aspectRatio: `${crop.width} / ${crop.height}` }}>
            ${(geography || isPlain) && html`<${Ground} crop=${crop} geography=${geography} />
                <${Waves} crop=${crop} geography=${geography} waves=${waves} />`}
            ${geography && crop.places.map(([key, longitude, latitude]) => html`<span class=${`map-place is-${key}`}
                aria-hidden="true" style=${place(longitude, latitude)}>${words.t(`map.place.${key}`)}</span>`)}
            ${bridges.map((bridge, n) => html`<${Span} key=${bridge.bridge_id} name=${bridge.bridge}
                label=${spanWords(words, bridge, spans[n].state, now)} state=${spans[n].state}
                word=${spans[n].state === "raised" ? words.t("map.word.raised") : ""}
                href=${linkTo(address, "bridge", { bridge: String(bridge.bridge_id) })}
                isSwing=${bridge.bridge_id === swingBridge} side=${crop.sides[bridge.bridge_id] ?? "right"}
                isCurrent=${address.view === "bridge" && address.values.bridge === String(bridge.bridge_id)}
                place=${place(bridge.longitude, bridge.latitude)} />`)}
            <a class="map-credit" href="https://www.openstreetmap.org/copyright">© OpenStreetMap</a>
        </div>
        <p class="map-legend">${legend}</p>
    </div>`;
}

/**
 * Places in hundredths of the map's width and height, which hold at any size of the drawing.
 * @param {MapCrop} crop
 */
function percentPlaces(crop) {
    const project = createProjection(crop);
    return (/** @type {number} */ longitude, /** @type {number} */ latitude) => {
        const [x, y] = project(longitude, latitude);
        return { left: `${(x / crop.width * 100).toFixed(2)}%`, top: `${(y / crop.height * 100).toFixed(2)}%` };
    };
}
