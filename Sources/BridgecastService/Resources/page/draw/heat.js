// A week as a map of 7 days and 24 hours, darker where there is more. Used by a bridge's own page.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/app.js";
import { sayHour, sayWeekday } from "../model/hours.js";
import { levelOf, stepEdges } from "../model/pattern.js";
import { Picture } from "../parts/picture.js";
import { Key } from "./key.js";

const left = 34;
const wide = 12.2;
const high = 17;
const top = 4;
const bottom = top + 7 * high;

/**
 * @param {object} given
 * @param {import("../model/pattern.js").Cell[][]} given.grid
 * @param {(cell: import("../model/pattern.js").Cell) => number | null} given.read
 * @param {number} given.step the width of a step of colour
 * @param {import("../model/pattern.js").Cell | null} given.marked the cell that the title tells of
 * @param {string} given.title
 * @param {string} given.unit what the numbers of the legend count
 * @param {string} given.none what a cell without a value means
 * @param {string} [given.sentence]
 * @param {import("../parts/picture.js").Table} given.table
 */
export function Heat({ grid, read, step, marked, title, unit, none, sentence, table }) {
    const { words } = useApp();
    const cells = grid.flat();
    const hasNone = cells.some((cell) => read(cell) === null);
    const stroke = `l${wide - 5} ${7 - high}`;
    const empty = cells.filter((cell) => read(cell) === null)
        .map((cell) => `M${left + cell.hour * wide + 2} ${top + cell.weekday * high - 4}${stroke}`).join("");
    return html`<${Picture} title=${title} sentence=${sentence} table=${table}
        legend=${hasNone && html`<${Key} items=${[{ shape: "hatch", words: none }]} />`}>
        <svg viewBox=${`0 0 328 ${bottom + 74}`} aria-hidden="true" focusable="false">
            ${grid.map((_, day) => html`<text x="0" y=${top + day * high + 13}>
                ${sayWeekday(words.locale, day + 1, "short")}</text>`)}
            ${cells.map((cell) => {
                const value = read(cell);
                return html`<rect class=${value === null ? "heat-none" : `heat-${levelOf(value, step)}`}
                    x=${left + cell.hour * wide} y=${top + (cell.weekday - 1) * high}
                    width=${wide - 1} height=${high - 1.5} rx="2" />`;
            })}
            <path class="heat-hatch" d=${empty} />
            ${marked && html`<rect class="heat-marked" x=${left + marked.hour * wide - 1}
                y=${top + (marked.weekday - 1) * high - 1} width=${wide + 1} height=${high + 0.5} rx="3" />`}
            ${[0, 6, 12, 18].map((hour) => html`<path class="tick" d=${`M${left + hour * wide} ${bottom + 1}v4`} />
                <text x=${left + hour * wide} y=${bottom + 18} text-anchor=${hour === 0 ? "start" : "middle"}>
                    ${sayHour(words.locale, hour)}</text>`)}
            <${Steps} edges=${stepEdges(step, marked ? read(marked) ?? 0 : 0)} unit=${unit} />
        </svg>
    </${Picture}>`;
}

/** @param {{ edges: number[], unit: string }} given */
function Steps({ edges, unit }) {
    const { words } = useApp();
    const y = bottom + 28;
    const size = 40;
    return html`${[0, 1, 2, 3, 4].map((level) => html`<rect class=${`heat-${level}`} x=${left + level * size} y=${y}
            width=${size - 1} height="10" rx="2" />`)}
        ${edges.map((edge, level) => html`<text x=${left + level * size} y=${y + 25}
            text-anchor=${level === 0 ? "start" : "middle"}>${words.number(edge, 2)}</text>`)}
        <text x=${left} y=${y + 42}>${unit}</text>`;
}
