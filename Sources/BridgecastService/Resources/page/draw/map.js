// The maps of waterways with their bridges: the whole city on wide screens, a crop of each waterway on phones.
import { html, useMemo } from "../vendor/preact.js";
import { useApp, useMedia, useNow, useSelected } from "../core/hooks.js";
import { linkTo } from "../core/router.js";
import { useGeography } from "../data/geography.js";
import { createProjection } from "../model/geo.js";
import { sayCount } from "../model/headline.js";
import { shownState, statusOf } from "../model/status.js";
import { findWaves, swingBridge } from "../model/waterways.js";
import { canalCrop, cityCrop, duwamishCrop, wideCanalCrop, wideDuwamishCrop } from "./crops.js";
import { Ground, Waves } from "./ground.js";

/** @typedef {import("./crops.js").MapCrop} MapCrop */
/** @typedef {import("../core/types").State} State */

// All crops are drawn from one geometry.
const metresPerPixel = 20;
// Ages are shown in minutes.
const tickMilliseconds = 10_000;

/** @param {{ crop: MapCrop }} given */
function WaterwayMap({ crop }) {
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
    const bridges = bridgesOn(crop, board);
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
            ${bridges.map((bridge, n) => html`<${Span} key=${bridge.bridge_id} bridge=${bridge}
                state=${spans[n].state} now=${now} address=${address} side=${crop.sides[bridge.bridge_id] ?? "right"}
                place=${place(bridge.longitude, bridge.latitude)} />`)}
            <a class="map-credit" href="https://www.openstreetmap.org/copyright">© OpenStreetMap</a>
        </div>
        <p class="map-legend">${legend}</p>
    </div>`;
}

/** @param {MapCrop} crop @param {State["board"]} board */
const bridgesOn = (crop, board) => crop.waterways.flatMap((waterway) => waterway.bridges)
    .flatMap((id) => board?.bridges.filter((bridge) => bridge.bridge_id === id) ?? [])
    .filter((bridge) => Number.isFinite(bridge.latitude) && Number.isFinite(bridge.longitude));

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

const wideColumn = "(min-width: 600px)";

/** All seven bridges with the main roads. */
export function CityMap() {
    return html`<${WaterwayMap} crop=${cityCrop} />`;
}

/** Ballard, Fremont, University, Montlake. */
export function CanalMap() {
    return html`<${WaterwayMap} crop=${useMedia(wideColumn) ? wideCanalCrop : canalCrop} />`;
}

/** Lower Spokane St, 1st Ave South, South Park. */
export function DuwamishMap() {
    return html`<${WaterwayMap} crop=${useMedia(wideColumn) ? wideDuwamishCrop : duwamishCrop} />`;
}

/**
 * A bridge's span on the map, not to scale: up, down or not known; and a link to the bridge.
 * @param {object} given
 * @param {import("../core/types").Bridge} given.bridge
 * @param {import("../core/types").BridgeState} given.state the one that is shown
 * @param {number} given.now
 * @param {import("../core/types").Address} given.address
 * @param {import("./crops.js").Side} given.side where the name is
 * @param {{ left: string, top: string }} given.place
 */
function Span({ bridge, state, now, address, side, place }) {
    const { words } = useApp();
    const id = String(bridge.bridge_id);
    const isCurrent = address.view === "bridge" && address.values.bridge === id;
    return html`<a class=${`span is-${state} name-${side}`} href=${linkTo(address, "bridge", { bridge: id })}
        style=${place} aria-label=${spanWords(words, bridge, state, now)}
        aria-current=${isCurrent ? "page" : undefined}>
        <svg viewBox="0 0 44 44" aria-hidden="true">
            <circle class="span-disc" cx="22" cy="22" r="20" />
            ${bridge.bridge_id === swingBridge ? html`<${Swing} />` : html`<${Bascule} />`}
            <circle class="span-ring" cx="22" cy="22" r="20" />
            ${state === "unknown" && html`<text class="span-question" x="22" y="20">?</text>`}
        </svg>
        <span class="span-name">${bridge.bridge}${state === "raised"
            && html`<span class="span-word">${words.t("map.word.raised")}</span>`}</span>
    </a>`;
}

/** From the side: two piers, and two leaves that turn up. */
function Bascule() {
    return html`
        <path class="span-water" d="M5.3 33A20 20 0 0 0 38.7 33Z" />
        <path class="span-fixed" d="M3.5 27H9V36M40.5 27H35V36" />
        <${Leaf} name="left" path="M9 27H21" /><${Leaf} name="right" path="M35 27H23" />`;
}

/** From above: two leaves, each on a pier that it turns about. */
function Swing() {
    return html`
        <path class="span-water" d="M15 3.3A20 20 0 0 1 29 3.3V40.7A20 20 0 0 1 15 40.7Z" />
        <${Leaf} name="west" path="M5 27H21" /><${Leaf} name="east" path="M23 27H39" />
        <circle class="span-pier" cx="13" cy="27" r="3" /><circle class="span-pier" cx="31" cy="27" r="3" />`;
}

/** @param {{ name: string, path: string }} given */
function Leaf({ name, path }) {
    return html`<g class=${`leaf leaf-${name}`}>
        <path class="leaf-casing" d=${path} /><path class="leaf-deck" d=${path} />
    </g>`;
}

/** @typedef {import("../core/words.js").Words} Words */
/** @typedef {{ name: string, state: import("../core/types").BridgeState }} Shown */

/**
 * "Ballard: raised for 3 min".
 * @param {Words} words @param {import("../core/types").Bridge} bridge
 * @param {import("../core/types").BridgeState} state the one that is shown @param {number} now
 */
function spanWords(words, bridge, state, now) {
    const since = Date.parse(bridge.since ?? "");
    const isTimed = state !== "unknown" && state === bridge.state && Number.isFinite(since) && now >= since;
    const values = { bridge: bridge.bridge, age: isTimed ? words.duration((now - since) / 1000) : "" };
    return words.t(`map.span.${state}${isTimed ? "_for" : ""}`, values);
}

/**
 * "Ship Canal: Ballard up, three down, University not known": without a verb, for it may be past.
 * @param {Words} words @param {string} mapId @param {Shown[]} spans
 */
function mapWords(words, mapId, spans) {
    const named = (/** @type {Shown["state"]} */ state) =>
        spans.filter((span) => span.state === state).map((span) => span.name);
    const said = (/** @type {string} */ key, /** @type {string[]} */ names) =>
        words.t(key, { n: names.length, bridges: words.list(names) });
    const [raised, lowered, unknown] = [named("raised"), named("lowered"), named("unknown")];
    const parts = [];
    if (raised.length > 0) parts.push(said("map.some_up", raised));
    if (unknown.length === spans.length) parts.push(words.t("map.none_known"));
    else if (lowered.length === spans.length) parts.push(words.t("map.all_down"));
    else if (lowered.length === 1) parts.push(words.t("map.one_down", { bridge: lowered[0] }));
    else if (lowered.length > 1) {
        parts.push(words.t("map.some_down", { count: sayCount(words, lowered.length) }));
    }
    if (unknown.length > 0 && unknown.length < spans.length) parts.push(said("map.some_unknown", unknown));
    return words.t("map.name", { map: words.t(`map.title.${mapId}`), states: parts.join(", ") });
}

/**
 * What the shade means; empty while there is none.
 * @param {Words} words @param {import("../model/waterways.js").Wave[]} waves
 */
function waveWords(words, waves) {
    const names = [...new Set(waves.map((wave) => wave.bridge))];
    return names.length > 0 ? words.t("map.wave", { bridges: words.list(names) }) : "";
}
