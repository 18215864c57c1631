// What a visitor sees before there is a trip: an invitation with trips to look at. Used by views/trip.js.
import { html } from "../vendor/preact.js";
import { useApp, useSelected } from "../core/app.js";
import { linkTo } from "../core/router.js";
import { modes, sayPlace } from "../model/trip.js";

const examples = [
    { from: "Ballard", to: "Downtown", mode: "car" },
    { from: "University District", to: "Capitol Hill", mode: "bike" },
    { from: "West Seattle", to: "Downtown", mode: "car" },
];

/** @param {{ last: Record<string, string> | null }} given the trip that was asked before */
export function TripStart({ last }) {
    const { words } = useApp();
    const address = useSelected((state) => state.address);
    /** @param {Record<string, string>} trip */
    const link = (trip) => linkTo(address, address.view === "now" ? "now" : "trip", trip);
    /** @param {Record<string, string>} trip */
    const name = ({ from, to, mode }) => words.t("trip.ways", {
        from: sayPlace(words, from), to: sayPlace(words, to),
        by: words.t(`trip.by.${modes.find((one) => one === mode) ?? "car"}`),
    });
    return html`<div class="trip-start card">
        <p>${words.t("trip.start")}</p>
        ${last?.from && last.to && html`<p>
            <a href=${link(last)}>${words.t("trip.start.last", { trip: name(last) })}</a></p>`}
        <p class="small">${words.t("trip.start.examples")}</p>
        <ul>${examples.map((trip) => html`<li><a href=${link(trip)}>${name(trip)}</a></li>`)}</ul>
    </div>`;
}
