// The week of a bridge: openings by day and hour as a heat map, and the hours in which small boats wait.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { levelOf, stepEdges } from "../model/pattern.js";
import { hoursInto, sayHour, sayWeekday, sayWindow, seattleDate, weekdayOf } from "../model/time.js";
import { Key, Picture } from "./picture.js";
import { linear } from "./scale.js";

const heatLeft = 34;
const cellWide = 12.2;
const cellHigh = 17;
const heatTop = 4;
const heatBottom = heatTop + 7 * cellHigh;

const cellX = (/** @type {number} */ hour) => heatLeft + hour * cellWide;
const cellY = (/** @type {number} */ weekday) => heatTop + (weekday - 1) * cellHigh;

/**
 * @param {object} given
 * @param {import("../model/pattern.js").Cell[][]} given.grid
 * @param {(cell: import("../model/pattern.js").Cell) => number | null} given.read
 * @param {number} given.step the width of a step of colour
 * @param {import("../model/pattern.js").Cell | null} given.marked the cell that the title is about
 * @param {string} given.title
 * @param {string} given.unit what the numbers of the legend count
 * @param {string} given.none what a cell without a value means
 * @param {string} [given.sentence]
 * @param {import("./picture.js").Table} given.table
 */
export function Heat({ grid, read, step, marked, title, unit, none, sentence, table }) {
    const { words } = useApp();
    const cells = grid.flat();
    const hasNone = cells.some((cell) => read(cell) === null);
    const stroke = `l${cellWide - 5} ${7 - cellHigh}`;
    const empty = cells.filter((cell) => read(cell) === null)
        .map(({ hour, weekday }) => `M${cellX(hour) + 2} ${cellY(weekday) + cellHigh - 4}${stroke}`).join("");
    return html`<${Picture} title=${title} sentence=${sentence} table=${table}
        legend=${hasNone && html`<${Key} items=${[{ shape: "hatch", words: none }]} />`}>
        <svg viewBox=${`0 0 328 ${heatBottom + 74}`} aria-hidden="true" focusable="false">
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
            ${[0, 6, 12, 18].map((hour) => html`<path class="tick" d=${`M${cellX(hour)} ${heatBottom + 1}v4`} />
                <text x=${cellX(hour)} y=${heatBottom + 18} text-anchor=${hour === 0 ? "start" : "middle"}>
                    ${sayHour(words.locale, hour)}</text>`)}
            <${Steps} edges=${stepEdges(step, marked ? read(marked) ?? 0 : 0)} unit=${unit} />
        </svg>
    </${Picture}>`;
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
const daysRight = 316;
const dayHigh = 19;
const place = linear(0, 24, daysLeft, daysRight);

/**
 * @param {object} given
 * @param {{ date: string, windows: import("../core/types").Window[] }[]} given.week
 * @param {number} given.now
 * @param {string} given.title
 */
export function WeekWindows({ week, now, title }) {
    const { words } = useApp();
    const today = seattleDate(now);
    const bottom = week.length * dayHigh + 4;
    const table = {
        head: [words.t("bridge.day"), words.t("bridge.waits")],
        rows: week.map(({ date, windows }) => [sayWeekday(words.locale, weekdayOf(date)),
            windows.map((window) => sayWindow(words.locale, window)).join(", ") || words.t("bridge.no_waits")]),
    };
    return html`<${Picture} title=${title} table=${table} legend=${words.t("bridge.week_key")}>
        <svg viewBox=${`0 0 328 ${bottom + 22}`} aria-hidden="true" focusable="false">
            ${[0, 6, 12, 18, 24].map((hour) => html`<path class="grid-line" d=${`M${place(hour)} 2V${bottom}`} />
                ${hour < 24 && html`
                    <text x=${place(hour)} y=${bottom + 17} text-anchor="middle">
                        ${sayHour(words.locale, hour)}</text>`}`)}
            ${week.map((day, n) => html`<${DayRow} day=${day} y=${n * dayHigh + dayHigh / 2 + 2}
                nowX=${day.date === today ? place(hoursInto(today, now)) : null} />`)}
        </svg>
    </${Picture}>`;
}

/**
 * @param {object} given
 * @param {{ date: string, windows: import("../core/types").Window[] }} given.day
 * @param {number} given.y
 * @param {number | null} given.nowX where now is on the row of today; null on the others
 */
function DayRow({ day, y, nowX }) {
    const { words } = useApp();
    const { date, windows } = day;
    const isToday = nowX !== null;
    return html`<text class=${isToday ? "number" : undefined} x="0" y=${y + 5}>
            ${isToday ? words.t("bridge.today") : sayWeekday(words.locale, weekdayOf(date), "short")}</text>
        <path class="day-line" d=${`M${daysLeft} ${y}H${daysRight}`} />
        ${windows.map((window) => html`<rect class=${isToday ? "wait-today" : "wait-day"}
            x=${place(hoursInto(date, window.from))} y=${y - (isToday ? 7.5 : 5)} rx="3"
            width=${Math.max(2, place(hoursInto(date, window.to)) - place(hoursInto(date, window.from)))}
            height=${isToday ? 15 : 10} />`)}
        ${isToday && html`<path class="now-line" d=${`M${nowX} ${y - 9}v18`} />`}`;
}
