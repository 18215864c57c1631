// A small drawing of a span: up, down, or not known. Its words stand beside it. Used by cards.
import { html } from "../vendor/preact.js";

/** @param {{ state: import("../core/types").BridgeState }} given */
export function SpanMark({ state }) {
    return html`<svg class=${`span-mark is-${state}`} viewBox="0 0 40 28" aria-hidden="true" focusable="false">
        <path class="span-piers" d="M4 26V18M36 26V18" />
        ${state === "raised" ? html`<path class="span-deck" d="M4 18L13 4M36 18L27 4" />`
        : state === "lowered" ? html`<path class="span-deck" d="M4 18H36" />`
            : html`<path class="span-deck" d="M4 18H8M32 18H36" /><text x="20" y="23" text-anchor="middle">?</text>`}
    </svg>`;
}
