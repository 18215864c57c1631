// The chance of being stopped over two hours: 24 bars next to the usual for the hour.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { barCount, barsAhead, barsOf, halfStepMilliseconds, sayOutlook } from "../model/forecast.js";
import { Key, Picture } from "./picture.js";
import { linear } from "./scale.js";

const left = 28;
const right = 326;
const top = 26;
const base = 100;
// Room for the axis's unit, over the number of the highest bar.
const above = 10;
const overTop = 7;
// Nothing is shown as never.
const minHigh = 4;
// The same on every card, so that cards compare.
const maxChance = 0.2;
const step = (right - left) / barCount;
const stripHigh = 12;

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
    const strip = stripOf(happened, bars[0].at);
    const low = strip === "" ? 0 : stripHigh;
    const table = {
        head: [words.t("bars.time"), words.t("bars.chance"), words.t("bars.usual")],
        rows: bars.map((bar) => [words.time(bar.at), words.chance(bar.chance), words.chance(bar.usual)]),
    };
    return html`<${Picture} title=${words.t("bars.title", { bridge: bridge.bridge, summary })} table=${table}
        sentence=${isLive ? undefined : words.t("bars.usual_only")} isTitleHidden=${isTitleHidden}
        legend=${isLegendHidden ? undefined : html`<${Key} items=${keyItems(words, isLive, strip !== "")} />`}>
        <svg viewBox=${`0 ${-above} 328 ${122 + low + above}`} aria-hidden="true" focusable="false">
            <${Frame} bars=${bars} low=${low} isNow=${Math.abs(bars[0].at - clock.now()) < halfStepMilliseconds} />
            <${Bars} bars=${bars} hasUsual=${isLive} />
            <path class="happened" d=${strip} />
        </svg>
    </${Picture}>`;
}

/** @param {import("../core/words.js").Words} words @param {boolean} isLive @param {boolean} hasStrip */
const keyItems = (words, isLive, hasStrip) => /** @type {const} */ ([
    ...(isLive ? [{ shape: "solid", words: words.t("bars.key_solid") }] : []),
    { shape: "hollow", words: words.t(isLive ? "bars.key_hollow" : "bars.key_usual") },
    ...(isLive ? [{ shape: "dash", words: words.t("bars.key_usual") }] : []),
    ...(hasStrip ? [{ shape: "strip", words: words.t("bars.key_happened") }] : []),
]);

const height = linear(0, maxChance, base, top);

/**
 * A line under the axis for each time that the bridge was up.
 * @param {import("../core/types").Opening[]} happened @param {number} start
 */
function stripOf(happened, start) {
    const end = start + barCount * 300_000;
    const x = linear(start, end, left, right);
    return happened
        .map((opening) => ({
            from: Date.parse(opening.opened_at), to: opening.closed_at ? Date.parse(opening.closed_at) : end }))
        .filter(({ from, to }) => from < end && to > start)
        .map(({ from, to }) => `M${x(Math.max(from, start))} ${base + 9}H${x(Math.min(to, end))}`).join("");
}

/** @param {{ bars: ReturnType<typeof barsOf>, isNow: boolean, low: number }} given */
function Frame({ bars, isNow, low }) {
    const { words } = useApp();
    const start = bars[0].at;
    const marks = [0, 30, 60, 120].map((minutes) => ({
        x: left + (minutes / 5) * step,
        anchor: minutes === 0 ? "start" : minutes === 120 ? "end" : "middle",
        text: minutes === 0 && isNow ? words.t("bars.now") : words.time(start + minutes * 60_000),
    }));
    return html`
        ${[0.1, 0.2].map((chance) => html`<path class="grid-line" d=${`M${left} ${height(chance)}H${right}`} />`)}
        ${[0, 0.1, 0.2].map((chance) => html`<text x=${left - 6} y=${height(chance) + 4} text-anchor="end">
            ${words.number(chance * 100)}</text>`)}
        <text x=${right} y="2" text-anchor="end">${words.t("bars.unit")}</text>
        ${marks.map(({ x, anchor, text }) => html`<path class="tick" d=${`M${x} ${base + 1}v5`} />
            <text x=${x} y=${119 + low} text-anchor=${anchor}>${text}</text>`)}`;
}

/** @param {{ bars: ReturnType<typeof barsOf>, hasUsual: boolean }} given */
function Bars({ bars, hasUsual }) {
    const { words } = useApp();
    const most = Math.max(...bars.map((bar) => bar.chance));
    const highest = bars.findIndex((bar) => bar.chance === most);
    const wide = step - 3.4;
    const shapes = bars.map((bar, n) => {
        const isCut = bar.chance > maxChance;
        const y = isCut ? top - overTop : Math.min(base - minHigh, height(bar.chance));
        const x = left + n * step + 1.7;
        return html`${bar.isSolid
            ? html`<rect class="bar-solid" x=${x} y=${y} width=${wide} height=${base - y} rx="2" />`
            : html`<path class="bar-hollow" d=${`M${x + 1} ${base}V${y + 1}H${x + wide - 1}V${base}`} />`}
            ${isCut && html`<path class="bar-cut" d=${`M${x - 2} ${top + 4}l${wide + 4} -6`} />`}`;
    });
    const dashes = bars.map((bar, n) => {
        const y = Math.min(base - minHigh, height(Math.min(bar.usual, maxChance)));
        return `M${left + n * step + 4} ${y}h${step - 8}`;
    }).join("");
    const numberX = Math.min(right - 12, Math.max(left + 10, left + (highest + 0.5) * step));
    const numberY = most > maxChance ? top - overTop - 4 : height(most) - 5;
    return html`<g>${shapes}</g>
        ${hasUsual && html`<path class="usual-halo" d=${dashes} /><path class="usual-dash" d=${dashes} />`}
        <path class="axis-line" d=${`M${left} ${base + 1.25}H${right}`} />
        ${most >= 0.05 && html`<text class="number" x=${numberX} y=${numberY} text-anchor="middle">
            ${words.number(Math.min(99, Math.round(most * 100)))}</text>`}`;
}
