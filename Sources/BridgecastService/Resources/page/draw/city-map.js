// The maps that views show: the whole city on wide screens, a crop of each waterway on phones.
import { html } from "../vendor/preact.js";
import { useMedia } from "../core/app.js";
import { canalCrop, cityCrop, duwamishCrop, wideCanalCrop, wideDuwamishCrop } from "./crops.js";
import { WaterwayMap } from "./map.js";

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
