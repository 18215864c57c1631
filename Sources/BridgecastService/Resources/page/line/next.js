// The panel of the visitor's stop: the next three arrivals, counted down, with how sure they are and what a bridge may
// add.
import { html } from "../vendor/preact.js";
import { useApp, useSelected } from "../core/hooks.js";
import { linkTo } from "../core/router.js";
import { Countdown } from "../parts/countdown.js";
import { FavouriteButton } from "../parts/favourite.js";
import { Aged } from "./said.js";

/** @typedef {import("../data/line-answers.js").Arrival} Arrival */

/**
 * @param {object} given
 * @param {import("../data/line-answers.js").LineMap | null} given.map
 * @param {string | null} given.stop
 * @param {import("../data/line.js").Known<Arrival[]>} given.arrivals
 * @param {(stop: string) => void} given.onStop
 */
export function NextArrivals({ map, stop, arrivals, onStop }) {
    const { words } = useApp();
    const address = useSelected((state) => state.address);
    const own = map?.stops.find(({ id }) => id === stop);
    return html`<section class="card line-next" aria-labelledby="line-next">
        <h2 id="line-next">${own ? words.t("line.next_at", { stop: own.name }) : words.t("line.next")}</h2>
        ${stop !== null && (map && !own
            ? html`<${Strange} map=${map} stop=${stop} arrivals=${arrivals} onStop=${onStop} />`
            : html`<${Rows} arrivals=${arrivals} />`)}
        ${map && own && html`<div class="card-buttons">
            <${FavouriteButton} favourite=${{ line: map.line.id, stop: own.id, direction: null, name: own.name }} />
            <a class="button chip" href=${linkTo(address, "board", { stop: own.id })}>${words.t("board.all")}</a></div>`}
        ${map && html`<${StopChoice} map=${map} stop=${own ? stop : null} onStop=${onStop} />`}
    </section>`;
}

/**
 * A stop that the line does not have: that, and those of the line that it may stand for.
 * @param {object} given
 * @param {import("../data/line-answers.js").LineMap} given.map
 * @param {string} given.stop
 * @param {import("../data/line.js").Known<Arrival[]>} given.arrivals
 * @param {(stop: string) => void} given.onStop
 */
function Strange({ map, stop, arrivals, onStop }) {
    const { words } = useApp();
    const { trouble } = arrivals;
    const isUnknown = trouble?.status === 404;
    const near = map.stops.filter(({ id }) => trouble?.near.includes(id));
    return html`<div class="line-strange">
        <p>${words.t(isUnknown ? "line.stop_unknown" : "line.stop_of_others", { stop, line: map.line.title })}</p>
        ${near.length > 0 && html`<p class="small">${words.t("line.stop_near")}</p>
            <ul>${near.map(({ id, name }) => html`<li key=${id}>
                <button type="button" class="chip" onClick=${() => onStop(id)}>${name}</button></li>`)}</ul>`}
    </div>`;
}

/** @param {{ arrivals: import("../data/line.js").Known<Arrival[]> }} given */
function Rows({ arrivals }) {
    const { words } = useApp();
    const { value, trouble, at } = arrivals;
    if (!value && trouble) return html`<p>${words.t("line.no_arrivals_answer")}</p>`;
    if (!value) {
        return html`<div aria-busy="true">
            ${[0, 1, 2].map((n) => html`<div key=${n} class="skeleton line-row"></div>`)}</div>`;
    }
    return html`${value.length === 0 ? html`<p>${words.t("line.no_arrivals")}</p>`
        : html`<ol class="line-rows">${value.slice(0, 3).map((arrival) =>
            html`<${Row} key=${arrival.key} arrival=${arrival} />`)}</ol>`}
        ${trouble && at !== null && html`<p class="small"><${Aged} at=${at} /></p>`}`;
}

/** @param {{ arrival: Arrival }} given */
function Row({ arrival }) {
    const { words } = useApp();
    const { bridge, confidence, headsign } = arrival;
    return html`<li class="line-row">
        <svg class="line-bus" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <path d="M5 4H19A2 2 0 0 1 21 6V17H3V6A2 2 0 0 1 5 4ZM3 12H21M7 17V20M17 17V20M7 14.5H8M16 14.5H17" /></svg>
        <${Countdown} at=${arrival.at} />
        <span class="line-to">${headsign}</span>
        <span class=${`line-sure is-${confidence.toLowerCase()}`}>${words.t(`line.sure.${confidence}`)}</span>
        ${bridge && html`<span class="line-bridge">${words.t("line.bridge", {
            wait: words.duration(bridge.seconds), chance: words.chance(bridge.chance) })}</span>`}
    </li>`;
}

/**
 * @param {object} given
 * @param {import("../data/line-answers.js").LineMap} given.map
 * @param {string | null} given.stop
 * @param {(stop: string) => void} given.onStop
 */
function StopChoice({ map, stop, onStop }) {
    const { words } = useApp();
    const names = new Map(map.stops.map(({ id, name }) => [id, name]));
    const ways = [...map.ways].reverse();
    const seen = new Set();
    const groups = ways.map(({ headsign, stops }) => ({
        headsign, stops: stops.filter(({ id }) => names.has(id) && !seen.has(id) && seen.add(id)),
    })).filter(({ stops }) => stops.length > 0);
    /** @param {Event} event */
    const choose = (event) => onStop(/** @type {HTMLSelectElement} */ (event.currentTarget).value);
    return html`<label class="line-choice"><span>${words.t("line.your_stop")}</span>
        <select value=${stop ?? ""} onChange=${choose}>
            ${stop === null && html`<option value="">${words.t("line.choose_stop")}</option>`}
            ${groups.map(({ headsign, stops }) => html`<optgroup label=${words.t("line.towards", { headsign })}>
                ${stops.map(({ id }) => html`<option value=${id}>${names.get(id)}</option>`)}</optgroup>`)}
        </select></label>`;
}
