// The line as a list and as a table, for those who do not see the picture: vehicles in the order of the line, stops
// with what comes there next.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { inOrder, nextAt } from "../model/line-order.js";
import { Countdown } from "../parts/countdown.js";
import { sayVehicle } from "./words.js";

/** @typedef {import("../data/line-answers.js").Vehicle} Vehicle */
/** @typedef {import("../data/line-answers.js").LineMap} LineMap */

/**
 * @param {object} given
 * @param {readonly Vehicle[]} given.vehicles
 * @param {string | null} given.chosen
 * @param {(id: string) => void} given.onChoose
 */
export function VehicleList({ vehicles, chosen, onChoose }) {
    const { words } = useApp();
    if (vehicles.length === 0) return null;
    return html`<section class="line-vehicles" aria-labelledby="line-vehicles">
        <h2 id="line-vehicles">${words.t("line.vehicles")}</h2>
        <ul>${inOrder(vehicles).map((vehicle) => html`<li key=${vehicle.id}>
            <button type="button" class=${`chip is-${vehicle.band ?? "unknown"}`}
                aria-pressed=${vehicle.id === chosen ? "true" : "false"}
                onFocus=${() => onChoose(vehicle.id)} onClick=${() => onChoose(vehicle.id)}>
                ${sayVehicle(words, vehicle)}</button></li>`)}</ul>
    </section>`;
}

/** @param {{ map: LineMap, vehicles: readonly Vehicle[] }} given */
export function StopTable({ map, vehicles }) {
    const { words } = useApp();
    const names = new Map(map.stops.map(({ id, name }) => [id, name]));
    const ways = map.ways.filter(({ isMain }) => isMain);
    return html`<details class="line-table"><summary>${words.t("line.table")}</summary>
        ${ways.map((way) => html`<table key=${way.pattern}>
            <caption>${words.t("line.towards", { headsign: way.headsign })}</caption>
            <thead><tr><th scope="col">${words.t("line.stop")}</th><th scope="col">${words.t("line.next_vehicle")}</th>
                <th scope="col">${words.t("line.in")}</th></tr></thead>
            <tbody>${way.stops.map(({ id }) => {
                const next = nextAt(vehicles, id);
                return html`<tr key=${id}><th scope="row">${names.get(id) ?? id}</th>
                    <td>${next ? next.vehicle.label : "–"}</td>
                    <td>${next ? html`<${Countdown} at=${next.arrivesAt} />` : "–"}</td></tr>`;
            })}</tbody></table>`)}
    </details>`;
}
