// What an agency has riders know of a stop, a line or a run, in its own words.
import { html } from "../vendor/preact.js";

/** @param {{ alerts: readonly import("../data/reading.js").Alert[] }} given */
export const Alerts = ({ alerts }) => alerts.map(({ header, description }) => html`
    <div class="transit-alert" lang="en">
        <p><strong>${header}</strong></p>
        ${description !== "" && html`<p class="small">${description}</p>`}</div>`);
