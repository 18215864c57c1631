// A bridge's span on the map: up, down or not known, and a link to the bridge. Not to scale. Used by draw/map.js.
import { html } from "../vendor/preact.js";

/**
 * @param {object} given
 * @param {string} given.name the bridge's, as it stands on the map
 * @param {string} given.label in words what is shown: "Ballard: raised for 3 min"
 * @param {string} given.word under the name; empty while there is nothing to say
 * @param {string} given.href
 * @param {import("../core/types").BridgeState} given.state
 * @param {boolean} given.isSwing seen from above, because it turns
 * @param {boolean} given.isCurrent whether the page shows this bridge
 * @param {import("./crops.js").Side} given.side where the name stands
 * @param {{ left: string, top: string }} given.place
 */
export function Span({ name, label, word, href, state, isSwing, isCurrent, side, place }) {
    return html`<a class=${`span is-${state} name-${side}`} href=${href} style=${place} aria-label=${label}
        aria-current=${isCurrent ? "page" : undefined}>
        <svg viewBox="0 0 44 44" aria-hidden="true">
            <circle class="span-disc" cx="22" cy="22" r="20" />
            ${isSwing ? html`<${Swing} />` : html`<${Bascule} />`}
            <circle class="span-ring" cx="22" cy="22" r="20" />
            ${state === "unknown" && html`<text class="span-question" x="22" y="20">?</text>`}
        </svg>
        <span class="span-name">${name}${word && html`<span class="span-word">${word}</span>`}</span>
    </a>`;
}

/** From the side: two piers, and two leaves that turn up. */
function Bascule() {
    return html`
        <path class="span-water" d="M5.3 33A20 20 0 0 0 38.7 33Z" />
        <path class="span-fixed" d="M3.5 27H9V36M40.5 27H35V36" />
        <${Leaf} name="left" path="M9 27H21" /><${Leaf} name="right" path="M35 27H23" />`;
}

/** From above: two leaves, each on a pier that it turns about. */
function Swing() {
    return html`
        <path class="span-water" d="M15 3.3A20 20 0 0 1 29 3.3V40.7A20 20 0 0 1 15 40.7Z" />
        <${Leaf} name="west" path="M5 27H21" /><${Leaf} name="east" path="M23 27H39" />
        <circle class="span-pier" cx="13" cy="27" r="3" /><circle class="span-pier" cx="31" cy="27" r="3" />`;
}

/** @param {{ name: string, path: string }} given */
function Leaf({ name, path }) {
    return html`<g class=${`leaf leaf-${name}`}>
        <path class="leaf-casing" d=${path} /><path class="leaf-deck" d=${path} />
    </g>`;
}
