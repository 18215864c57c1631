// Counts as bars, the largest with its number; the numbers of all are a tap away.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { Picture } from "../draw/picture.js";
import { labelsThatFit, linear } from "../draw/scale.js";

/** @typedef {{ count: number, label: string, name: string }} Bar label: under it where there is room; name: in the table */

const high = 132;
const base = 106;
const top = 22;
const gapShare = 0.2;
const maxBar = 44;

/** @param {{ title: string, sentence: string, head: string, bars: Bar[] }} given */
export function CountBars({ title, sentence, head, bars }) {
    const { words } = useApp();
    const table = {
        head: [head, words.t("me.total.journeys")], rows: bars.map(({ name, count }) => [name, words.number(count)]),
    };
    return html`<${Picture} title=${title} sentence=${sentence} table=${table}>
        ${(/** @type {number} */ width) => html`<${Bars} width=${width} bars=${bars} />`}</${Picture}>`;
}

/** @param {{ width: number, bars: Bar[] }} given */
function Bars({ width, bars }) {
    const { words } = useApp();
    const max = Math.max(1, ...bars.map(({ count }) => count));
    const y = linear(0, max, base, top);
    const wide = width / bars.length;
    const thick = Math.min(maxBar, wide * (1 - gapShare));
    const middle = (/** @type {number} */ n) => (n + 0.5) * wide;
    const labels = labelsThatFit(bars.map(({ label }, n) => ({ x: middle(n), anchor: anchorOf(n, bars.length), text: label }))
        .filter(({ text }) => text !== ""));
    return html`<svg viewBox=${`0 0 ${width} ${high}`} aria-hidden="true" focusable="false">
        ${bars.map(({ count }, n) => count > 0 && html`<rect class="gain-bar" x=${middle(n) - thick / 2} y=${y(count)}
            width=${thick} height=${base - y(count)} rx="2" />`)}
        ${bars.map(({ count }, n) => count === max && html`<text class="number" x=${middle(n)} y=${y(count) - 6}
            text-anchor=${anchorOf(n, bars.length)}>${words.number(count)}</text>`)}
        <path class="axis-line" d=${`M1 ${base}H${width - 1}`} />
        ${labels.map(({ x, anchor, text }) => html`<text x=${x} y=${base + 19} text-anchor=${anchor}>${text}</text>`)}
    </svg>`;
}

/**
 * Texts at the ends stay inside.
 * @param {number} n @param {number} count @returns {import("../draw/scale.js").Anchor}
 */
const anchorOf = (n, count) => (count < 8 ? "middle" : n === 0 ? "start" : n === count - 1 ? "end" : "middle");
