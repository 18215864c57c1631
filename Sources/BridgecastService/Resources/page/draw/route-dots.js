// How long a way takes, as 20 dots: each is one time in twenty. Used by the trip's cards, all on one axis.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/app.js";
import { Picture } from "../parts/picture.js";
import { linear, marksOn, roundStep } from "./scale.js";

const wide = 320;
const left = 8;
const right = 300;
const radius = 6;
const pitch = 13;
const above = 20;
// What takes longer than so many times the usual is told by an arrow, else all others stood in one place.
const mostTimesMedian = 2.2;

/**
 * The axis that all ways share, whole minutes.
 * @param {readonly import("../core/types").RankedRoute[]} routes
 */
export function sharedMinutes(routes) {
    const all = routes.flatMap((route) => route.travel_quantiles_s).map((seconds) => seconds / 60);
    const limit = mostTimesMedian * Math.max(...routes.map((route) => route.travel_s.p50 / 60));
    const from = Math.floor(Math.min(...all) - 0.5);
    return { from: Math.max(0, from), to: Math.max(from + 8, Math.ceil(Math.min(limit, Math.max(...all)) + 0.5)) };
}

/**
 * @param {object} given
 * @param {import("../core/types").RankedRoute} given.route
 * @param {{ from: number, to: number }} given.minutes the shared axis
 * @param {number | null} given.deadlineMinutes when one wants to be there, minutes after leaving
 * @param {string} given.sentence what the card says of it
 */
export function RouteDots({ route, minutes, deadlineMinutes, sentence }) {
    const { words } = useApp();
    const total = route.travel_quantiles_s.length;
    const rows = route.travel_quantiles_s.map((seconds, n) =>
        [words.t("trip.dots.place", { n: n + 1, total }), words.number(seconds / 60, 1)]);
    return html`<${Picture} title=${words.t("trip.dots.title", { n: total })} isTitleHidden=${true} sentence=${sentence}
        table=${{ head: [words.t("trip.dots.case"), words.t("trip.dots.minutes")], rows }}>
        <${Drawing} route=${route} minutes=${minutes} deadlineMinutes=${deadlineMinutes} />
    </${Picture}>`;
}

/**
 * Where the dots stand: piled in columns a dot wide, none across a border.
 * @param {readonly number[]} places across, smallest first
 * @param {number} border a place that separates columns
 */
export function piles(places, border) {
    /** @type {Map<number, number>} */
    const heights = new Map();
    return places.map((place) => {
        const column = Math.ceil((place - border) / pitch) - 1;
        const row = heights.get(column) ?? 0;
        heights.set(column, row + 1);
        return { x: border + (column + 0.5) * pitch, row };
    });
}

/** @param {{ route: import("../core/types").RankedRoute, minutes: { from: number, to: number },
 *     deadlineMinutes: number | null }} given */
function Drawing({ route, minutes, deadlineMinutes }) {
    const { words } = useApp();
    const place = linear(minutes.from, minutes.to, left, right);
    const taken = route.travel_quantiles_s.map((seconds) => seconds / 60).sort((a, b) => a - b);
    const beyond = taken.filter((value) => value > minutes.to).length;
    const nine = route.travel_s.p90 / 60;
    const lateFrom = deadlineMinutes ?? nine;
    const dots = piles(taken.filter((value) => value <= minutes.to).map(place), place(lateFrom));
    const base = above + pitch * Math.max(3, ...dots.map((dot) => dot.row + 1));
    const step = Math.max(1, roundStep(minutes.to - minutes.from, 6));
    const ticks = marksOn(minutes.from, minutes.to, step);
    const isLate = (/** @type {number} */ n) => taken[n] > lateFrom;
    const mark = Math.min(place(nine), right);
    const end = deadlineMinutes === null ? null : place(deadlineMinutes);
    const hasEnd = end !== null && end > left + 20 && end < right + 4 && Math.abs(end - mark) > 3;
    return html`<svg viewBox=${`0 0 ${wide} ${base + 24}`} aria-hidden="true" focusable="false">
        <path class="trip-axis" d=${`M${left} ${base}H${right}`} />
        ${ticks.map((tick) => html`<path class="trip-tick" d=${`M${place(tick)} ${base}v5`} />
            <text x=${place(tick)} y=${base + 19} text-anchor=${tick === minutes.from ? "start" : "middle"}>
                ${tick === ticks.at(-1) ? words.t("unit.minutes", { n: tick }) : words.number(tick)}</text>`)}
        <path class="trip-nine" d=${`M${mark} ${above - 4}V${base}`} />
        <text class="trip-mark" x=${mark} y=${above - 8} text-anchor=${mark > wide - 60 ? "end" : "middle"}>
            ${words.t("trip.dots.nine")}</text>
        ${hasEnd && html`<path class="trip-deadline" d=${`M${end} ${above - 4}V${base}`} />`}
        ${dots.map((dot, n) => html`<circle class=${isLate(n) ? "trip-dot is-late" : "trip-dot"}
            cx=${dot.x} cy=${base - 3 - pitch * (dot.row + 0.5)} r=${isLate(n) ? radius - 1.2 : radius} />`)}
        ${beyond > 0 && html`<path class="trip-beyond" d=${`M${right + 4} ${base - 8}h12m-5 -5l5 5l-5 5`} />
            <text x=${wide} y=${base - 18} text-anchor="end">+${words.number(beyond)}</text>`}
    </svg>`;
}
