// The ways as ranked cards, one for each choice of bridges: how long each takes, as 20 dots on a shared axis, what it
// costs more, which bridges it crosses.
import { html } from "../../vendor/preact.js";
import { useApp } from "../../core/hooks.js";
import { Picture, Table } from "../../draw/picture.js";
import { linear, marksOn, roundStep } from "../../draw/scale.js";
import { sayReasons } from "../../model/reasons.js";
import { DirectionsInPrint } from "./directions.js";
import {
    differences, isAboutSame, mainDifference, nineInTenBy, oddsBetween, oddsInHundred, quickerBelow, roadName,
    shortName, whyRankedLower,
} from "./ways.js";

/** @typedef {import("../../core/types").RankedRoute} RankedRoute */
/** @typedef {import("./ways.js").Choice} Choice */
/**
 * @typedef {object} Shown what all cards share
 * @property {import("./ways.js").Ways} ways
 * @property {Choice[]} choices best first
 * @property {number | null} deadline the time to arrive by
 * @property {Map<string, number>} leaveByRoute when to leave by each way
 * @property {string} chosen id of the way that the map shows on top
 * @property {(id: string) => void} onChoose
 * @property {string} heading tag of the cards' headings
 */

/** @param {{ shown: Shown }} given */
export function FirstWay({ shown }) {
    return html`<ol class="trip-routes trip-first"><li><${RouteCard} shown=${shown} rank=${1} /></li></ol>`;
}

/**
 * All others, and the numbers of all pictures in one table.
 * @param {{ shown: Shown }} given
 */
export function OtherWays({ shown }) {
    const { words } = useApp();
    const routes = shown.choices.map(({ main }) => main);
    const total = routes[0].travel_quantiles_s.length;
    const rows = routes[0].travel_quantiles_s.map((_, n) => [words.t("trip.dots.place", { n: n + 1, total }),
        ...routes.map((route) => words.number(route.travel_quantiles_s[n] / 60, 1))]);
    return html`<div class="trip-others">
        ${routes.length > 1 && html`<ol class="trip-routes" start="2">${shown.choices.slice(1).map((choice, n) => html`
            <li key=${choice.main.id}><${RouteCard} shown=${shown} rank=${n + 2} /></li>`)}</ol>`}
        <${Table} title=${words.t("trip.dots.title", { n: total })} head=${[words.t("trip.dots.case"),
            ...routes.map((route) => words.t("trip.dots.minutes", { name: words.roads(shortName(route)) }))]} rows=${rows} />
    </div>`;
}

/** @param {{ shown: Shown, rank: number }} given */
function RouteCard({ shown, rank }) {
    const { words } = useApp();
    const { ways, choices, deadline, chosen, heading: Heading } = shown;
    const { main: route, others } = choices[rank - 1];
    const id = `trip-route-${rank}`;
    const leaveBy = shown.leaveByRoute.get(route.id) ?? null;
    const isChosen = [route, ...others].some((one) => one.id === chosen);
    return html`<article class=${isChosen ? "card trip-route is-chosen" : "card trip-route"} aria-labelledby=${id}>
        <div class="trip-route-head">
            <${Heading} id=${id}><span class="trip-rank">${words.number(rank)}</span> ${words.roads(shortName(route))}</${Heading}>
            <p class="trip-minutes">${words.duration(route.travel_s.p50)}</p>
        </div>
        ${rank > 1 && html`<p class="trip-more">${sayMore(words, ways, choices[0].main, route)}</p>`}
        <${RouteDots} shown=${shown} route=${route} legend=${rank === 1 ? sayLegend(words, deadline) : null} />
        ${deadline !== null && html`<p>${sayInTime(words, route, deadline)}
            ${leaveBy !== null && html` ${words.t("trip.leave_this_way", { time: words.time(leaveBy) })}`}</p>`}
        <${WhyHere} choices=${choices} route=${route} />
        ${rank === 1 && choices[1] && html`<${Against} ways=${ways} first=${route} other=${choices[1].main} />`}
        <${Crossings} route=${route} />
        <${WayFoot} shown=${shown} route=${route} />
        ${others.map((other) => html`<${Alternative} key=${other.id} shown=${shown} route=${other} than=${route} />`)}
        ${rank === 1 && html`<${DirectionsInPrint} route=${route} />`}
    </article>`;
}

/**
 * Its roads and length, and the button that shows it on the map.
 * @param {{ shown: Shown, route: RankedRoute }} given
 */
function WayFoot({ shown, route }) {
    const { words } = useApp();
    const name = shortName(route);
    const roads = route.name === name ? "" : `${words.roads(route.name)}. `;
    return html`<p class="small">${roads}${words.distance(route.metres)}.</p>
        <button type="button" aria-pressed=${route.id === shown.chosen ? "true" : "false"}
            onClick=${() => shown.onChoose(route.id)}>
            ${words.t("trip.on_map")}<span class="unseen">: ${words.roads(name)}</span></button>`;
}

/**
 * Another way over the same bridges, one tap away.
 * @param {{ shown: Shown, route: RankedRoute, than: RankedRoute }} given
 */
function Alternative({ shown, route, than }) {
    const { words } = useApp();
    const more = sayMore(words, shown.ways, than, route);
    return html`<details class="trip-alternative">
        <summary>${words.t("trip.or_by", { road: words.roads(roadName(route)), than: more })}</summary>
        <p>${sayTimes(words, shown.ways, route)}</p>
        <${WayFoot} shown=${shown} route=${route} />
    </details>`;
}

/** @param {import("../../core/words.js").Words} words @param {number | null} deadline */
const sayLegend = (words, deadline) => `${words.t("trip.dots.legend")} ${deadline === null ? words.t("trip.dots.hollow")
    : words.t("trip.dots.hollow_deadline", { time: words.time(deadline) })}`;

/**
 * @param {import("../../core/words.js").Words} words @param {import("./ways.js").Ways} ways
 * @param {RankedRoute} route
 */
const sayTimes = (words, ways, route) => words.t("trip.half_and_nine", {
    half: words.duration(route.travel_s.p50), nine: sayMost(words, route.travel_s.p90),
    time: words.time(nineInTenBy(ways, route)),
});

/**
 * Minutes without their unit, which has just been said.
 * @param {import("../../core/words.js").Words} words @param {number} seconds
 */
function sayMost(words, seconds) {
    const minutes = Math.ceil(seconds / 60);
    return minutes < 60 ? words.number(minutes) : words.duration(minutes * 60);
}

/** @param {import("../../core/words.js").Words} words @param {import("./ways.js").Ways} ways
 *  @param {RankedRoute} first @param {RankedRoute} route */
function sayMore(words, ways, first, route) {
    if (isAboutSame(ways.comparisons, first, route)) return words.t("trip.same");
    const { kind, by } = mainDifference(first, route);
    const text = words.t(kind === "half" ? `trip.${by > 0 ? "more" : "less"}`
        : `trip.against.nine.${by > 0 ? "cost" : "gain"}`, { n: Math.abs(by) });
    const why = whyRankedLower(first, route);
    return why === null ? text : words.t(`trip.less_but.${why}`, { less: text, chance: words.chance(
        route.probability_stopped ?? 0), n: Math.ceil(route.travel_s.p90 / 60) });
}

/** @param {import("../../core/words.js").Words} words @param {RankedRoute & { probability_on_time?: number }} route
 *  @param {number} deadline */
const sayInTime = (words, { probability_on_time: chance }, deadline) => (typeof chance !== "number" ? ""
    : words.t("trip.in_time", { chance: words.chance(chance), time: words.time(deadline) }));

/**
 * Why a way stands above one that is quicker half the time.
 * @param {{ choices: Choice[], route: RankedRoute }} given
 */
function WhyHere({ choices, route }) {
    const { words } = useApp();
    const quicker = quickerBelow(route, choices.map(({ main }) => main));
    if (!quicker) return null;
    const { other, by, why } = quicker;
    const minutes = (/** @type {RankedRoute} */ { travel_s }) => words.number(Math.ceil(travel_s.p90 / 60));
    const values = why === "nine" ? { own: minutes(route), there: minutes(other) }
        : { own: words.chance(route.probability_stopped ?? 0), there: words.chance(other.probability_stopped ?? 0) };
    const key = why === "stopped" && route.crossings.length === 0 ? "no_bridge" : why;
    return html`<p class="trip-why">${words.t(`trip.above.${key}`, { name: words.roads(shortName(other)), n: by, ...values })}</p>`;
}

/**
 * What the first way gains over the second, and what it costs.
 * @param {{ ways: import("./ways.js").Ways, first: RankedRoute, other: RankedRoute }} given
 */
function Against({ ways, first, other }) {
    const { words } = useApp();
    const { gains, costs } = differences(first, other);
    const odds = oddsBetween(ways.comparisons, first.id, other.id);
    /** @param {import("./ways.js").Difference} difference */
    const say = ({ kind, by }) => (kind === "stopped" ? sayStopped(words, first, other)
        : words.t(`trip.against.${kind}.${by > 0 ? "gain" : "cost"}`,
            { n: Math.abs(by), distance: words.distance(Math.abs(by)) }));
    const parts = [
        odds && words.t("trip.against.odds", oddsInHundred(odds)),
        gains.length > 0 && words.t("trip.against.gains", { list: words.list(gains.map(say)) }),
        costs.length > 0 && words.t("trip.against.costs", { list: words.list(costs.map(say)) }),
    ].filter(Boolean);
    if (parts.length === 0) return null;
    const title = words.t("trip.against.title", { name: words.roads(shortName(other)) });
    return html`<p><strong>${title}</strong> ${parts.join(" ")}</p>`;
}

/** @param {import("../../core/words.js").Words} words @param {RankedRoute} first @param {RankedRoute} other */
function sayStopped(words, first, other) {
    const kind = first.crossings.length === 0 ? "none_here" : other.crossings.length === 0 ? "none_there" : "both";
    return words.t(`trip.against.stopped.${kind}`,
        { own: words.chance(first.probability_stopped ?? 0), other: words.chance(other.probability_stopped ?? 0) });
}

/** @param {{ route: RankedRoute }} given */
function Crossings({ route }) {
    const { words } = useApp();
    if (route.crossings.length === 0) return html`<p class="small">${words.t("trip.no_bridge")}</p>`;
    return html`<ul class="trip-crossings">${route.crossings.map((crossing) => {
        const reasons = sayReasons(words, crossing.reasons ?? []).slice(0, 2);
        return html`<li>
            <p>${words.t("trip.crossing", { bridge: crossing.bridge, time: words.time(crossing.eta),
                chance: words.chance(crossing.probability_stopped) })}</p>
            ${reasons.map((reason) => html`<p class="small" lang=${reason.lang}>${reason.text}</p>`)}
        </li>`;
    })}</ul>`;
}

const wide = 320;
const left = 8;
const right = 300;
const radius = 6;
const pitch = 13;
const above = 20;
// What takes longer than this multiple of the median is shown by an arrow, else all other dots were in one column.
const maxTimesMedian = 2.2;

/**
 * The axis that all ways share, whole minutes.
 * @param {readonly import("../../core/types").RankedRoute[]} routes
 */
export function sharedMinutes(routes) {
    const all = routes.flatMap((route) => route.travel_quantiles_s).map((seconds) => seconds / 60);
    const limit = maxTimesMedian * Math.max(...routes.map((route) => route.travel_s.p50 / 60));
    const from = Math.floor(Math.min(...all) - 0.5);
    return { from: Math.max(0, from), to: Math.max(from + 8, Math.ceil(Math.min(limit, Math.max(...all)) + 0.5)) };
}

/** @param {{ shown: Shown, route: RankedRoute, legend: string | null }} given */
function RouteDots({ shown, route, legend }) {
    const { words } = useApp();
    const { ways, deadline } = shown;
    return html`<${Picture} title=${words.t("trip.dots.title", { n: route.travel_quantiles_s.length })}
        isTitleHidden=${true} sentence=${sayTimes(words, ways, route)} legend=${legend}>
        <${Dots} route=${route} minutes=${sharedMinutes(shown.choices.map(({ main }) => main))}
            deadlineMinutes=${deadline === null ? null : (deadline - ways.departure) / 60_000} />
    </${Picture}>`;
}

/**
 * Where the dots are: piled in columns a dot wide, none across a border.
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

/** @param {{ route: import("../../core/types").RankedRoute, minutes: { from: number, to: number },
 *     deadlineMinutes: number | null }} given */
function Dots({ route, minutes, deadlineMinutes }) {
    const { words } = useApp();
    const place = linear(minutes.from, minutes.to, left, right);
    const taken = route.travel_quantiles_s.map((seconds) => seconds / 60).sort((a, b) => a - b);
    const beyond = taken.filter((value) => value > minutes.to).length;
    const nine = route.travel_s.p90 / 60;
    const lateFrom = deadlineMinutes ?? nine;
    const dots = piles(taken.filter((value) => value <= minutes.to).map(place), place(lateFrom));
    const base = above + pitch * Math.max(3, ...dots.map((dot) => dot.row + 1));
    const isLate = (/** @type {number} */ n) => taken[n] > lateFrom;
    const mark = Math.min(place(nine), right);
    const end = deadlineMinutes === null ? null : place(deadlineMinutes);
    const hasEnd = end !== null && end > left + 20 && end < right + 4 && Math.abs(end - mark) > 3;
    return html`<svg viewBox=${`0 0 ${wide} ${base + 24}`} aria-hidden="true" focusable="false">
        <${MinutesAxis} minutes=${minutes} place=${place} base=${base} />
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

/** @param {{ minutes: { from: number, to: number }, place: (minutes: number) => number, base: number }} given */
function MinutesAxis({ minutes, place, base }) {
    const { words } = useApp();
    const step = Math.max(1, roundStep(minutes.to - minutes.from, 6));
    const ticks = marksOn(minutes.from, minutes.to, step);
    return html`<path class="trip-axis" d=${`M${left} ${base}H${right}`} />
        ${ticks.map((tick) => html`<path class="trip-tick" d=${`M${place(tick)} ${base}v5`} />
            <text x=${place(tick)} y=${base + 19} text-anchor=${tick === minutes.from ? "start" : "middle"}>
                ${tick === ticks.at(-1) ? words.t("unit.minutes", { n: tick }) : words.number(tick)}</text>`)}`;
}
