// The first way's directions: on paper, where the map is not.
import { html } from "../../vendor/preact.js";
import { useApp } from "../../core/hooks.js";
import { asList } from "../../core/checks.js";

// A shorter step would be "0 mi".
const minMetres = 81;

/** @typedef {{ manoeuvre: string, name: string, metres: number }} Step */

/**
 * The steps that can be said.
 * @param {unknown} directions
 * @returns {Step[]}
 */
export function readDirections(directions) {
    return asList(directions).filter((step) => typeof step?.manoeuvre === "string" && typeof step.name === "string"
        && Number.isFinite(step.metres));
}

/**
 * "Left on Denny Way, 0.2 mi".
 * @param {import("../../core/words.js").Words} words @param {Step} step
 */
export function sayStep(words, { manoeuvre, name, metres }) {
    const key = `trip.step.${manoeuvre}`;
    const street = name === "" ? words.t("trip.step.unnamed") : name;
    const text = words.has(key) ? words.t(key, { street }) : street;
    return metres >= minMetres ? words.t("trip.step.for", { step: text, distance: words.distance(metres) }) : text;
}

/** @param {{ route: import("../../core/types").RankedRoute }} given */
export function DirectionsInPrint({ route }) {
    const { words } = useApp();
    const steps = readDirections(route.directions);
    if (steps.length === 0) return null;
    return html`<ol class="printed trip-directions">
        ${steps.map((step) => html`<li>${sayStep(words, step)}</li>`)}</ol>`;
}
