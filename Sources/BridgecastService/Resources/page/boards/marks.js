// Small marks with their words: how full, how sure, which service, for wheelchairs. Each is a shape or a word, never a
// colour alone.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { crowdingKey } from "./words.js";

const filled = /** @type {Record<string, number>} */ ({ low: 1, moderate: 2, high: 3, full: 4, closed: 0 });

const person = "M5 1.5A2.5 2.5 0 0 1 5 6.5A2.5 2.5 0 0 1 5 1.5Z"
    + "M1.5 16.5V11A3 3 0 0 1 4.5 8H5.5A3 3 0 0 1 8.5 11V16.5Z";

/** @param {{ crowding: string | null }} given */
export function CrowdingMark({ crowding }) {
    const { words } = useApp();
    const key = crowdingKey(crowding);
    if (key === null) return null;
    return html`<span class=${`board-mark is-${key}`}>
        <svg class="crowding-mark" viewBox="0 0 42 18" aria-hidden="true" focusable="false">
            ${[0, 1, 2, 3].map((n) => html`<path class=${n < filled[key] ? "is-taken" : ""} key=${n}
                transform=${`translate(${n * 10.5} 0)`} d=${person} />`)}
        </svg> ${words.t(`line.crowding.${key}`)}</span>`;
}

/** @param {{ confidence: import("../data/board.js").Confidence }} given */
export function TrustMark({ confidence }) {
    const { words } = useApp();
    return html`<span class=${`trust-mark is-${confidence.toLowerCase()}`}>
        <span class="unseen">${words.t("board.trust")} </span>${words.t(`line.sure.${confidence}`)}</span>`;
}

/** @param {{ serviceClass: import("../data/board.js").ServiceClass | null }} given */
export function ClassMark({ serviceClass }) {
    const { words } = useApp();
    return serviceClass && html`<span class=${`class-mark is-${serviceClass}`}>
        ${words.t(`board.class.${serviceClass}`)}</span>`;
}

/** @param {{ wheelchair: import("../data/board.js").Wheelchair }} given nothing where that is not known */
export function WheelchairMark({ wheelchair }) {
    const { words } = useApp();
    if (wheelchair === "unknown") return null;
    const name = words.t(`board.wheelchair.${wheelchair}`);
    return html`<span class="board-mark"><svg class="wheelchair-mark" viewBox="0 0 20 20" role="img" aria-label=${name}>
        <title>${name}</title>
        <path d="M8 3.5H8.1M8 6.5V11.5H13L15.5 16.5H17.5M8 9H12.5M6 9.5A4.5 4.5 0 1 0 11.5 15.5" />
        ${wheelchair === "inaccessible" && html`<path class="is-no" d="M2.5 2.5L17.5 17.5" />`}
    </svg></span>`;
}

const problemPaths = /** @type {Record<string, string>} */ ({
    noLocation: "M14 3A8 8 0 0 1 22 11C22 17 14 25 14 25C14 25 6 17 6 11A8 8 0 0 1 14 3M14 8V12M14 15.5V15.6M4 4L24 24",
    cacheStale: "M14 4A10 10 0 1 1 13.9 4M14 8V14L18 17",
    noStation: "M14 3A8 8 0 0 1 22 11C22 17 14 25 14 25C14 25 6 17 6 11A8 8 0 0 1 14 3M10.5 11H17.5",
    noData: "M7 5H21V20H7ZM7 13H21M10 20V23M18 20V23M10.5 16.5H10.6M17.4 16.5H17.5M4 3L24 25",
    apiError: "M14 4L25 23H3ZM14 11V16M14 19.5V19.6",
});

/** @param {{ code: import("./problems.js").ProblemCode }} given */
export const ProblemMark = ({ code }) => html`<svg class="notice-mark" viewBox="0 0 28 28" aria-hidden="true"
    focusable="false"><path d=${problemPaths[code]} /></svg>`;
