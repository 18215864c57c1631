// The week of a bridge: openings by day and hour as a heat map, and the hours in which small boats wait.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { levelOf, stepEdges } from "../model/pattern.js";
import { hoursInto, sayHour, sayWeekday, sayWindow, seattleDate, weekdayOf } from "../model/time.js";
import { Key, Picture } from "./picture.js";
import { labelsThatFit, linear } from "./scale.js";

const heatLeft = 34;
const cellHigh = 17;
const heatTop = 4;
const heatBottom = heatTop + 7 * cellHigh;

const cellY = (/** @type {number} */ weekday) => heatTop + (weekday - 1) * cellHigh;

/** @typedef {import("../model/pattern.js").Cell} Cell */
/** @typedef {(cell: Cell) => number | null} Read */

/**
 * @param {object} given
 * @param {Cell[][]} given.grid
 * @param {Read} given.read
 * @param {number} given.step the width of a step of colour
 * @param {Cell | null} given.marked the cell that the title is about
 * @param {string} given.title
 * @param {string} given.unit what the numbers of the legend count
 * @param {string} given.none what a cell without a value means
 * @param {string} [given.sentence]
 * @param {import("./picture.js").Table} given.table
 */
export function Heat({ grid, read, step, marked, title, unit, none, sentence, table }) {
    const hasNone = grid.flat().some((cell) => read(cell) === null);
    return html`<${Picture} title=${title} sentence=${sentence} table=${table}
        legend=${hasNone && html`<${Key} items=${[{ shape: "hatch", words: none }]} />`}>
        ${(/** @type {number} */ width) => html`<svg viewBox=${`0 0 ${width} ${heatBottom + 74}`} aria-hidden="true"
            focusable="false">
            <${HeatCells} width=${width} grid=${grid} read=${read} step=${step} marked=${marked} />
            <${Steps} edges=${stepEdges(step, marked ? read(marked) ?? 0 : 0)} unit=${unit} />
        </svg>`}
    </${Picture}>`;
}

/** @param {{ width: number, grid: Cell[][], read: Read, step: number, marked: Cell | null }} given */
function HeatCells({ width, grid, read, step, marked }) {
    const { words } = useApp();
    const cellWide = (width - heatLeft - 1) / 24;
    const cellX = (/** @type {number} */ hour) => heatLeft + hour * cellWide;
    const hours = [0, 12, 6, 18].map((hour) => ({
        x: cellX(hour), anchor: /** @type {import("./scale.js").Anchor} */ (hour === 0 ? "start" : "middle"),
        text: sayHour(words.locale, hour),
    }));
    const cells = grid.flat();
    const empty = cells.filter((cell) => read(cell) === null).map(({ hour, weekday }) =>
        `M${cellX(hour) + 2} ${cellY(weekday) + cellHigh - 4}l${cellWide - 5} ${7 - cellHigh}`).join("");
    return html`
        ${grid.map((_, day) => html`<text x="0" y=${heatTop + day * cellHigh + 13}>
            ${sayWeekday(words.locale, day + 1, "short")}</text>`)}
        ${cells.map((cell) => {
            const value = read(cell);
            return html`<rect class=${value === null ? "heat-none" : `heat-${levelOf(value, step)}`}
                x=${cellX(cell.hour)} y=${cellY(cell.weekday)}
                width=${cellWide - 1} height=${cellHigh - 1.5} rx="2" />`;
        })}
        <path class="heat-hatch" d=${empty} />
        ${marked && html`<rect class="heat-marked" x=${cellX(marked.hour) - 1} y=${cellY(marked.weekday) - 1}
            width=${cellWide + 1} height=${cellHigh + 0.5} rx="3" />`}
        ${hours.map(({ x }) => html`<path class="tick" d=${`M${x} ${heatBottom + 1}v4`} />`)}
        ${labelsThatFit(hours).map(({ x, anchor, text }) =>
            html`<text x=${x} y=${heatBottom + 18} text-anchor=${anchor}>${text}</text>`)}`;
}

/** @param {{ edges: number[], unit: string }} given */
function Steps({ edges, unit }) {
    const { words } = useApp();
    const y = heatBottom + 28;
    const size = 40;
    return html`${[0, 1, 2, 3, 4].map((level) => html`<rect class=${`heat-${level}`} x=${heatLeft + level * size} y=${y}
            width=${size - 1} height="10" rx="2" />`)}
        ${edges.map((edge, level) => html`<text x=${heatLeft + level * size} y=${y + 25}
            text-anchor=${level === 0 ? "start" : "middle"}>${words.number(edge, 2)}</text>`)}
        <text x=${heatLeft} y=${y + 42}>${unit}</text>`;
}

const daysLeft = 54;
// Room for half of an hour's name.
const daysRightGap = 12;
const dayHigh = 19;

/**
 * @param {object} given
 * @param {{ date: string, windows: import("../core/types").Window[] }[]} given.week
 * @param {number} given.now
 * @param {string} given.title
 */
export function WeekWindows({ week, now, title }) {
    const { words } = useApp();
    const table = {
        head: [words.t("bridge.day"), words.t("bridge.waits")],
        rows: week.map(({ date, windows }) => [sayWeekday(words.locale, weekdayOf(date)),
            windows.map((window) => sayWindow(words.locale, window)).join(", ") || words.t("bridge.no_waits")]),
    };
    return html`<${Picture} title=${title} table=${table} legend=${words.t("bridge.week_key")}>
        ${(/** @type {number} */ width) => html`<${Days} width=${width} week=${week} now=${now} />`}
    </${Picture}>`;
}

/** @param {{ width: number, week: { date: string, windows: import("../core/types").Window[] }[], now: number }} given */
function Days({ width, week, now }) {
    const { words } = useApp();
    const today = seattleDate(now);
    const right = width - daysRightGap;
    const place = linear(0, 24, daysLeft, right);
    const bottom = week.length * dayHigh + 4;
    return html`<svg viewBox=${`0 0 ${width} ${bottom + 22}`} aria-hidden="true" focusable="false">
        ${[0, 6, 12, 18, 24].map((hour) => html`<path class="grid-line" d=${`M${place(hour)} 2V${bottom}`} />
            ${hour < 24 && html`
                <text x=${place(hour)} y=${bottom + 17} text-anchor="middle">
                    ${sayHour(words.locale, hour)}</text>`}`)}
        ${week.map((day, n) => html`<${DayRow} day=${day} y=${n * dayHigh + dayHigh / 2 + 2} place=${place} right=${right}
            nowX=${day.date === today ? place(hoursInto(today, now)) : null} />`)}
    </svg>`;
}

/**
 * @param {object} given
 * @param {{ date: string, windows: import("../core/types").Window[] }} given.day
 * @param {number} given.y
 * @param {(hours: number) => number} given.place
 * @param {number} given.right
 * @param {number | null} given.nowX where now is on the row of today; null on the others
 */
function DayRow({ day, y, place, right, nowX }) {
    const { words } = useApp();
    const { date, windows } = day;
    const isToday = nowX !== null;
    return html`<text class=${isToday ? "number" : undefined} x="0" y=${y + 5}>
            ${isToday ? words.t("bridge.today") : sayWeekday(words.locale, weekdayOf(date), "short")}</text>
        <path class="day-line" d=${`M${daysLeft} ${y}H${right}`} />
        ${windows.map((window) => html`<rect class=${isToday ? "wait-today" : "wait-day"}
            x=${place(hoursInto(date, window.from))} y=${y - (isToday ? 7.5 : 5)} rx="3"
            width=${Math.max(2, place(hoursInto(date, window.to)) - place(hoursInto(date, window.from)))}
            height=${isToday ? 15 : 10} />`)}
        ${isToday && html`<path class="now-line" d=${`M${nowX} ${y - 9}v18`} />`}`;
}
