// One of a few as radio buttons in a row: arrows go along them. Used by the trip's form.
import { html } from "../vendor/preact.js";

/**
 * @param {object} given
 * @param {string} given.name
 * @param {string} given.legend
 * @param {string} given.chosen
 * @param {{ value: string, label: string }[]} given.options
 * @param {(value: string) => void} given.onChoose
 */
export function Choices({ name, legend, chosen, options, onChoose }) {
    return html`<fieldset class="segments">
        <legend class="unseen">${legend}</legend>
        ${options.map(({ value, label }) => html`<label>
            <input type="radio" class="unseen" name=${name} value=${value} checked=${value === chosen}
                onChange=${() => onChoose(value)} /><span>${label}</span></label>`)}
    </fieldset>`;
}
