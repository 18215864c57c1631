// How fresh the vehicles are and what is wrong, with what the visitor can do about it.
import { html } from "../vendor/preact.js";
import { useApp, useNow } from "../core/hooks.js";

const tickMilliseconds = 1_000;

/** @typedef {import("../data/line.js").LineState} LineState */

/** @param {{ at: number }} given milliseconds since 1970 */
export function Aged({ at }) {
    const { words } = useApp();
    const now = useNow(tickMilliseconds);
    return words.t("line.aged", { time: words.timeWithSeconds(at), age: words.duration((now - at) / 1000) });
}

/**
 * @param {object} given
 * @param {LineState} given.state
 * @param {() => void} given.onRetry
 */
export function Said({ state, onRetry }) {
    const { words } = useApp();
    const { maps, positions } = state;
    // A service without a feed of vehicles says so; that is nothing that fails.
    const hasNoFeed = positions.trouble?.code === "noData";
    const trouble = hasNoFeed ? maps.trouble : positions.trouble ?? maps.trouble;
    const retry = html`<button type="button" onClick=${onRetry}>${words.t("line.retry")}</button>`;
    if (trouble) {
        return html`<div class="line-said is-wrong"><p>${words.t("line.no_positions")}
            ${positions.value && positions.at !== null && html` <${Aged} at=${positions.at} />`}</p>${retry}</div>`;
    }
    if (!positions.value && !hasNoFeed) return html`<p class="line-said">${words.t("line.fetching")}</p>`;
    const { vehicles, validAt } = positions.value ?? { vehicles: [], validAt: 0 };
    if (vehicles.length === 0) return html`<div class="line-said"><p>${words.t("line.none_tracked")}</p>${retry}</div>`;
    return html`<p class="line-said is-live">${words.t("line.tracked", { n: vehicles.length })}
        ${" "}<${Aged} at=${validAt} /></p>`;
}
