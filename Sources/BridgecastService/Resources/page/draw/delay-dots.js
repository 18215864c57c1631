// How long the wait is, as 20 dots of which each is one case in twenty.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { cleanQuantiles, dotsOf, sayDots } from "../model/dots.js";
import { Picture } from "./picture.js";
import { linear } from "./scale.js";

const maxMinutes = 15;
// Below this chance nearly all dots would be at "no wait", and the picture would say never.
const minChanceForAll = 0.1;
const noWaitWide = 3;
// Room for the unit and for those beyond the axis.
const rightGap = 32;
const tallest = 140;

/**
 * @param {object} given
 * @param {number[] | null | undefined} given.quantilesSeconds the wait of an arrival, stopped or not
 * @param {number[] | null | undefined} given.quantilesIfStoppedSeconds the wait of one that is stopped
 * @param {number} given.probabilityStopped
 */
export function DelayDots({ quantilesSeconds, quantilesIfStoppedSeconds, probabilityStopped }) {
    const { words } = useApp();
    const isIfStopped = probabilityStopped < minChanceForAll;
    const quantiles = cleanQuantiles(isIfStopped ? quantilesIfStoppedSeconds : quantilesSeconds);
    const chance = words.chance(probabilityStopped);
    if (quantiles.length === 0) return html`<p class="small">${words.t("dots.unknown", { chance })}</p>`;
    const dots = dotsOf(quantiles, maxMinutes, isIfStopped);
    const rows = [
        ...(isIfStopped ? [] : [[words.t("dots.no_wait"), dots.noWait]]),
        ...dots.columns.map((count, n) => [words.t("dots.minutes_range", { from: n, to: n + 1 }), count]),
        ...(dots.beyond > 0 ? [[words.t("dots.over", { n: maxMinutes }), dots.beyond]] : []),
    ].filter((row) => Number(row[1]) > 0);
    const title = words.t(isIfStopped ? "dots.title_if_stopped" : "dots.title_all", { chance });
    return html`<${Picture} title=${title} sentence=${sayDots(words, quantiles, isIfStopped)}
        legend=${words.t("dots.key", { n: quantiles.length })}
        table=${{ head: [words.t("dots.wait"), words.t("dots.cases", { n: quantiles.length })], rows }}>
        ${(/** @type {number} */ width) => html`<${Drawing} width=${width} dots=${dots} hasNoWait=${!isIfStopped} />`}
    </${Picture}>`;
}

/** @param {{ width: number, dots: import("../model/dots.js").Dots, hasNoWait: boolean }} given */
function Drawing({ width, dots, hasNoWait }) {
    const { words } = useApp();
    const left = hasNoWait ? 74 : 10;
    const right = width - rightGap;
    const place = linear(0, maxMinutes, left, right);
    const rows = Math.max(3, Math.ceil(dots.noWait / noWaitWide), ...dots.columns);
    const pitch = Math.min(14.5, tallest / rows);
    const radius = pitch / 2 - 0.9;
    const base = rows * pitch + 8;
    const y = (/** @type {number} */ row) => base - 4 - pitch * (row + 0.5);
    const disc = (/** @type {number} */ x, /** @type {number} */ row, /** @type {string} */ kind) =>
        html`<circle class=${kind} cx=${x} cy=${y(row)} r=${radius} />`;
    const waiting = dots.columns.flatMap((count, n) =>
        Array.from({ length: count }, (_, row) => disc(place(n + 0.5), row, "dot-wait")));
    const free = Array.from({ length: dots.noWait }, (_, n) =>
        disc(30 + ((n % noWaitWide) - 1) * pitch, Math.floor(n / noWaitWide), "dot-free"));
    return html`<svg viewBox=${`0 0 ${width} ${base + 24}`} aria-hidden="true" focusable="false">
        ${hasNoWait && html`<path class="axis-line" d=${`M6 ${base}H54`} />
            <text x="30" y=${base + 19} text-anchor="middle">${words.t("dots.no_wait")}</text>`}
        <path class="axis-line" d=${`M${left} ${base}H${right}`} />
        ${[0, 5, 10, 15].map((minutes) => html`<path class="tick" d=${`M${place(minutes)} ${base}v5`} />
            <text x=${place(minutes)} y=${base + 19} text-anchor=${minutes === 0 && !hasNoWait ? "start" : "middle"}>
                ${minutes === maxMinutes ? words.t("unit.minutes", { n: minutes }) : words.number(minutes)}</text>`)}
        ${free}${waiting}
        ${dots.beyond > 0 && html`<path class="arrow-beyond" d=${`M${right + 2} ${y(0)}h11m-5 -6l6 6l-6 6`} />
            <text class="number" x=${width - 1} y=${y(0) - 12} text-anchor="end">+${words.number(dots.beyond)}</text>`}
    </svg>`;
}
