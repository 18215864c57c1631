// The line under a picture that says what its shapes mean, each shape beside its words. Used by pictures in draw/.
import { html } from "../vendor/preact.js";

/**
 * @param {object} given
 * @param {{ shape: "solid" | "hollow" | "dash" | "ring" | "disc" | "square" | "hatch" | "bar" | "strip", words: string,
 *     tone?: string }[]} given.items
 */
export function Key({ items }) {
    return html`<span class="key">${items.map(({ shape, words, tone }) => html`<span class="key-item">
        <svg class="key-shape" viewBox="0 0 20 14" aria-hidden="true" focusable="false">${drawn(shape, tone)}</svg>
        <span>${words}</span></span>`)}</span>`;
}

/** @param {string} shape @param {string} [tone] */
function drawn(shape, tone) {
    switch (shape) {
        case "solid": return html`<rect class="bar-solid" x="5" y="0" width="10" height="14" rx="2" />`;
        case "hollow": return html`<rect class="bar-hollow" x="6" y="1" width="8" height="12" rx="2" />`;
        case "dash": return html`<path class="usual-dash" d="M3 7h4M13 7h4" />`;
        case "ring": return html`<circle class="dot-said" cx="10" cy="7" r="5" />`;
        case "disc": return html`<circle class="dot-happened" cx="10" cy="7" r="5" />`;
        case "strip": return html`<path class="happened" d="M5 7h10" />`;
        case "bar": return html`<path class="interval" d="M2 7h16" />`;
        case "hatch": return html`<rect class="heat-none" x="3" y="0" width="14" height="14" rx="2" />
            <path class="heat-hatch" d="M3 10L13 0M7 14L17 4" />`;
        default: return html`<rect class=${tone} x="3" y="0" width="14" height="14" rx="2" />`;
    }
}
