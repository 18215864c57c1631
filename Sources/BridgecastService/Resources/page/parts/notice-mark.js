// The shape of a notice beside its words. Used by the banner.
import { html } from "../vendor/preact.js";

const triangle = "M12 3L22 21H2Z M12 10V14 M12 17.5V18";
const shapes = /** @type {Record<string, string>} */ ({
    replay: "M12 4A8 8 0 1 1 5 8 M5 3V8H10 M12 8V12L15 14",
    offline: "M4 20L20 4 M4 10A11 11 0 0 1 12 7 M8 14A6 6 0 0 1 10 12.5 M15 12.8A6 6 0 0 1 16 14 "
        + "M17 9A11 11 0 0 1 20 10 M12 18V18.5",
    error: triangle, dead: triangle,
    stale: "M12 4A8 8 0 1 1 11.9 4 M12 8V12L15 14",
    silent: "M12 4A8 8 0 1 1 11.9 4 M12 8V13 M12 16V16.5",
});

/** @param {{ kind: string }} given */
export function NoticeMark({ kind }) {
    return html`<svg class="notice-mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path d=${shapes[kind] ?? triangle} /></svg>`;
}
