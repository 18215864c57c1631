// The openings of a played day on the time bar's line: a lane for each waterway, red while one of its bridges was up.
import { html, useMemo } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { lanesOf } from "../model/day.js";

/** Pixels. */
const laneHigh = 12;
const markHigh = 8;

/**
 * @param {object} given
 * @param {import("../core/types").DayDocument} given.day
 * @param {number} given.from the time at the left end, milliseconds since 1970
 * @param {number} given.to that of the right end
 * @param {number} given.now the time that is shown
 */
export function DayMarks({ day, from, to, now }) {
    const { words } = useApp();
    const share = (/** @type {number} */ time) => Math.min(1, Math.max(0, (time - from) / (to - from)));
    const at = (/** @type {number} */ time) => `${(100 * share(time)).toFixed(2)}%`;
    // A day has hundreds of marks, and only the line of the clock moves.
    const lanes = useMemo(() => lanesOf(day), [day]);
    const drawn = useMemo(() => lanes.map(({ openings, gaps }, n) => {
        const y = n * laneHigh + (laneHigh - markHigh) / 2;
        const middle = (n + 0.5) * laneHigh;
        return html`<g>
            <line x1="0%" x2=${at(Math.min(to, Date.parse(day.to)))} y1=${middle} y2=${middle} class="day-row" />
            ${gaps.map((gap) => html`<line x1=${at(gap.from)} x2=${at(gap.to)} y1=${middle} y2=${middle}
                class="day-gap" />`)}
            ${openings.map((opening) => html`<rect x=${at(opening.from)} y=${y} height=${markHigh} class="day-opening"
                style=${{ width: `max(3px, ${100 * (share(opening.to) - share(opening.from))}%)` }}>
                <title>${sayOpening(words, opening)}</title></rect>`)}
        </g>`;
    }), [lanes, from, to, words]);
    const high = lanes.length * laneHigh;
    const hasGaps = lanes.some(({ gaps }) => gaps.length > 0);
    const legend = words.t("replay.legend") + (hasGaps ? ` ${words.t("replay.legend_gap")}` : "");
    return html`<p class="timebar-legend" aria-hidden="true">${legend}</p>
    <svg class="day-marks" width="100%" height=${high} role="img" aria-label=${`${words.t("replay.table")}. ${legend}`}>
        ${drawn}
        <line x1=${at(now)} x2=${at(now)} y1="0" y2=${high} class="day-now" />
    </svg>`;
}

/**
 * Ballard, 3:37 PM: 4 min.
 * @param {import("../core/words.js").Words} words
 * @param {{ bridge: string, from: number, to: number }} opening
 */
const sayOpening = (words, { bridge, from, to }) =>
    `${bridge}, ${words.time(from)}: ${words.duration((to - from) / 1000)}`;
