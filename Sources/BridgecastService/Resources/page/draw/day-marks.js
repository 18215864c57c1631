// A day's openings above the slider, a row a bridge: where something happened, where nobody looked. For the time bar.
import { html, useMemo } from "../vendor/preact.js";
import { openingsOf, uncovered } from "../model/day.js";

/**
 * @param {object} given
 * @param {import("../core/types").DayDocument} given.day
 * @param {number} given.from the place of the slider's left end, milliseconds since 1970
 * @param {number} given.to that of its right end
 * @param {number} given.moment the one that is shown
 * @param {number} given.rowHeight pixels
 */
export function DayMarks({ day, from, to, moment, rowHeight }) {
    const share = (/** @type {number} */ time) => Math.min(1, Math.max(0, (time - from) / (to - from)));
    const place = (/** @type {number} */ time) => `${(100 * share(time)).toFixed(2)}%`;
    const height = day.bridges.length * rowHeight;
    // A day has hundreds of marks, and only the line of the clock moves.
    const rows = useMemo(() => day.bridges.map((entry, n) => {
        const y = (n + 0.5) * rowHeight;
        const recorded = Math.min(to, Date.parse(day.to));
        return html`<g>
            <line x1="0%" x2=${place(recorded)} y1=${y} y2=${y} class="day-row" />
            ${uncovered(day, entry).map((gap) => html`<line x1=${place(gap.from)} x2=${place(gap.to)} y1=${y} y2=${y}
                class="day-gap" />`)}
            ${openingsOf(day, entry).map((opening) => html`<line x1=${place(opening.from)} x2=${place(opening.to)}
                y1=${y} y2=${y} class="day-opening" />`)}
        </g>`;
    }), [day, from, to, rowHeight]);
    return html`<svg class="day-marks" width="100%" height=${height} aria-hidden="true">
        ${rows}
        <line x1=${place(moment)} x2=${place(moment)} y1="0" y2=${height} class="day-now" />
    </svg>`;
}
