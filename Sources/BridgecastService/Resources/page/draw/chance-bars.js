// The chance of being stopped over two hours: 24 bars next to the usual for the hour.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { axisOf, barCount, barsAhead, barsOf, halfStepMilliseconds, sayOutlook } from "../model/forecast.js";
import { shownState } from "../model/status.js";
import { Key, Picture } from "./picture.js";
import { labelsThatFit, linear } from "./scale.js";

const left = 30;
const top = 26;
const base = 100;
// Room for the axis's unit, over the number of the highest bar.
const above = 10;
const overTop = 7;
// Nothing is shown as never.
const minHigh = 4;
const stripHigh = 12;
const gap = 3.4;

/**
 * @typedef {object} Plot
 * @property {number} right
 * @property {number} step from bar to bar
 * @property {(chance: number) => number} y
 * @property {ReturnType<typeof axisOf>} axis
 * @property {number} low room for what happened
 */

/**
 * @param {object} given
 * @param {import("../core/types").Bridge} given.bridge
 * @param {import("../model/status.js").Status} given.status dead: the usual for the hour alone
 * @param {boolean} [given.isTitleHidden] where the context says the chances already
 * @param {boolean} [given.isLegendHidden] where a picture next to it has the legend
 * @param {import("../core/types").Opening[]} [given.happened] openings of a past day, under what was forecast
 */
export function ChanceBars(given) {
    const { bridge, status, isTitleHidden = false, isLegendHidden = false, happened = [] } = given;
    const { words, clock } = useApp();
    const bars = barsOf(bridge.outlook ?? [], status.kind === "dead");
    if (bars.length === 0) return html`<p class="small">${words.t("bars.none")}</p>`;
    const isLive = bars.some((bar) => bar.isSolid);
    const ahead = barsAhead(bridge, clock.now(), status);
    const summary = sayOutlook(words, ahead.length > 0 ? ahead : bars);
    const axis = axisOf(bars, shownState(bridge, status) === "raised");
    const shown = shownOf(happened, bars[0].at);
    const table = {
        head: [words.t("bars.time"), words.t("bars.chance"), words.t("bars.usual")],
        rows: bars.map((bar) => [words.time(bar.at), words.chance(bar.chance), words.chance(bar.usual)]),
    };
    return html`<${Picture} title=${words.t("bars.title", { bridge: bridge.bridge, summary })} table=${table}
        sentence=${isLive ? undefined : words.t("bars.usual_only")} isTitleHidden=${isTitleHidden}
        legend=${legendOf(words, { isLegendHidden, isLive, hasStrip: shown.length > 0, axis })}>
        ${(/** @type {number} */ width) => html`<${Drawing} width=${width} bars=${bars} axis=${axis} happened=${shown}
            hasUsual=${isLive} isNow=${Math.abs(bars[0].at - clock.now()) < halfStepMilliseconds} />`}
    </${Picture}>`;
}

/**
 * @param {import("../core/words.js").Words} words
 * @param {{ isLegendHidden: boolean, isLive: boolean, hasStrip: boolean, axis: ReturnType<typeof axisOf> }} about
 */
function legendOf(words, { isLegendHidden, isLive, hasStrip, axis }) {
    if (isLegendHidden && !axis.isWhole) return undefined;
    return html`${axis.isWhole && html`<span class="axis-note">${words.t("bars.whole_axis")}</span>`}
        ${!isLegendHidden && html`<${Key} items=${keyItems(words, isLive, hasStrip)} />`}`;
}

/** @param {import("../core/words.js").Words} words @param {boolean} isLive @param {boolean} hasStrip */
const keyItems = (words, isLive, hasStrip) => /** @type {const} */ ([
    ...(isLive ? [{ shape: "solid", words: words.t("bars.key_solid") }] : []),
    { shape: "hollow", words: words.t(isLive ? "bars.key_hollow" : "bars.key_usual") },
    ...(isLive ? [{ shape: "dash", words: words.t("bars.key_usual") }] : []),
    ...(hasStrip ? [{ shape: "strip", words: words.t("bars.key_happened") }] : []),
]);

const spanMilliseconds = barCount * 300_000;

/**
 * The times that the bridge was up, as shares of the axis.
 * @param {import("../core/types").Opening[]} happened @param {number} start
 */
function shownOf(happened, start) {
    const share = (/** @type {string} */ time) => Math.min(1, Math.max(0, (Date.parse(time) - start) / spanMilliseconds));
    return happened
        .map(({ opened_at, closed_at }) => ({ from: share(opened_at), to: closed_at ? share(closed_at) : 1 }))
        .filter(({ from, to }) => from < 1 && to > 0);
}

/**
 * @param {object} given
 * @param {number} given.width
 * @param {ReturnType<typeof barsOf>} given.bars
 * @param {ReturnType<typeof axisOf>} given.axis
 * @param {{ from: number, to: number }[]} given.happened
 * @param {boolean} given.hasUsual
 * @param {boolean} given.isNow whether the first bar is that of now
 */
function Drawing({ width, bars, axis, happened, hasUsual, isNow }) {
    const right = width - 2;
    const low = happened.length > 0 ? stripHigh : 0;
    /** @type {Plot} */
    const plot = { right, step: (right - left) / barCount, y: linear(0, axis.max, base, top), axis, low };
    const x = linear(0, 1, left, right);
    const strip = happened.map(({ from, to }) => `M${x(from)} ${base + 9}H${x(to)}`).join("");
    return html`<svg viewBox=${`0 ${-above} ${width} ${122 + low + above}`} aria-hidden="true" focusable="false">
        <${Frame} bars=${bars} plot=${plot} isNow=${isNow} />
        <${Bars} bars=${bars} plot=${plot} hasUsual=${hasUsual} />
        <path class="happened" d=${strip} />
    </svg>`;
}

/** @param {{ bars: ReturnType<typeof barsOf>, plot: Plot, isNow: boolean }} given */
function Frame({ bars, plot, isNow }) {
    const { words } = useApp();
    const { right, step, y, axis, low } = plot;
    const start = bars[0].at;
    const marks = [0, 120, 60, 30].map((minutes) => ({
        x: left + (minutes / 5) * step,
        anchor: /** @type {import("./scale.js").Anchor} */ (minutes === 0 ? "start" : minutes === 120 ? "end" : "middle"),
        text: minutes === 0 && isNow ? words.t("bars.now") : words.time(start + minutes * 60_000),
    }));
    return html`
        ${axis.marks.slice(1).map((chance) => html`<path class="grid-line" d=${`M${left} ${y(chance)}H${right}`} />`)}
        ${axis.marks.map((chance) => html`<text x=${left - 6} y=${y(chance) + 4} text-anchor="end"
            class=${axis.isWhole ? "number" : undefined}>${words.number(chance * 100)}</text>`)}
        <text x="0" y="2">${words.t("bars.unit")}</text>
        ${marks.map(({ x }) => html`<path class="tick" d=${`M${x} ${base + 1}v5`} />`)}
        ${labelsThatFit(marks).map(({ x, anchor, text }) =>
            html`<text x=${x} y=${119 + low} text-anchor=${anchor}>${text}</text>`)}`;
}

/** @param {{ bars: ReturnType<typeof barsOf>, plot: Plot, hasUsual: boolean }} given */
function Bars({ bars, plot, hasUsual }) {
    const { step, y: height, axis } = plot;
    const wide = step - gap;
    const shapes = bars.map((bar, n) => {
        const isCut = bar.chance > axis.max;
        const y = isCut ? top - overTop : Math.min(base - minHigh, height(bar.chance));
        const x = left + n * step + gap / 2;
        return html`${bar.isSolid
            ? html`<rect class="bar-solid" x=${x} y=${y} width=${wide} height=${base - y} rx="2" />`
            : html`<path class="bar-hollow" d=${`M${x + 1} ${base}V${y + 1}H${x + wide - 1}V${base}`} />`}
            ${isCut && html`<path class="bar-cut" d=${`M${x - 2} ${top + 4}l${wide + 4} -6`} />`}`;
    });
    const dashes = bars.map((bar, n) => {
        const y = Math.min(base - minHigh, height(Math.min(bar.usual, axis.max)));
        return `M${left + n * step + 4} ${y}h${step - 8}`;
    }).join("");
    return html`<g>${shapes}</g>
        ${hasUsual && html`<path class="usual-halo" d=${dashes} /><path class="usual-dash" d=${dashes} />`}
        <path class="axis-line" d=${`M${left} ${base + 1.25}H${plot.right}`} />
        <${HighestNumber} bars=${bars} plot=${plot} />`;
}

// Lower bars have their number on the axis next to them.
const minNumbered = 0.05;

/** @param {{ bars: ReturnType<typeof barsOf>, plot: Plot }} given */
function HighestNumber({ bars, plot }) {
    const { words } = useApp();
    const most = Math.max(...bars.map((bar) => bar.chance));
    if (most < minNumbered) return null;
    const highest = bars.findIndex((bar) => bar.chance === most);
    const x = Math.min(plot.right - 12, Math.max(left + 10, left + (highest + 0.5) * plot.step));
    const y = most > plot.axis.max ? top - overTop - 4 : plot.y(most) - 5;
    const cases = words.number(Math.min(99, Math.round(most * 100)));
    return html`<text class="number" x=${x} y=${y} text-anchor="middle">${most > 0.99 ? `>${cases}` : cases}</text>`;
}
