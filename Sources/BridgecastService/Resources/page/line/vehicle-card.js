// A vehicle that was chosen: its number, how full it is, its next stops, and when it is at the visitor's.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { Countdown } from "../parts/countdown.js";
import { sayCrowding, sayDelay, sayName } from "./words.js";

/**
 * @param {object} given
 * @param {import("../data/line-answers.js").Vehicle} given.vehicle
 * @param {string | null} given.stopName of the visitor's stop
 * @param {boolean} given.isFollowed
 * @param {() => void} given.onFollow
 * @param {() => void} given.onClose
 */
export function VehicleCard({ vehicle, stopName, isFollowed, onFollow, onClose }) {
    const { words } = useApp();
    const { band, crowding, isCrowded, nextStops, atStop } = vehicle;
    return html`<section class="card line-vehicle" aria-labelledby="line-vehicle">
        <h2 id="line-vehicle">${sayName(words, vehicle)}</h2>
        <p class=${`line-delay is-${band ?? "unknown"}`}>${sayDelay(words, vehicle)}</p>
        ${crowding !== null && html`<p class=${`line-crowding${isCrowded ? " is-crowded" : ""}`}>
            <svg viewBox="0 0 20 20" aria-hidden="true" focusable="false">
                <path d="M10 9A3.5 3.5 0 1 0 9.9 9ZM3.5 18A6.5 6.5 0 0 1 16.5 18Z" /></svg>
            ${sayCrowding(words, vehicle)}</p>`}
        ${nextStops.length > 0 && html`<ol class="line-stops">${nextStops.map((stop) => html`<li key=${stop.id}>
            <span>${stop.name}</span> <${Countdown} at=${stop.arrivesAt} /></li>`)}</ol>`}
        ${stopName !== null && html`<p class="line-at">${atStop
            ? html`${words.t("line.at_stop", { stop: stopName })} <${Countdown} at=${atStop.at} />`
            : words.t("line.not_at_stop", { stop: stopName })}</p>`}
        <div class="card-buttons">
            <button type="button" aria-pressed=${isFollowed ? "true" : "false"} onClick=${onFollow}>
                ${words.t("line.follow")}</button>
            <button type="button" onClick=${onClose}>${words.t("line.close")}</button>
        </div>
    </section>`;
}
