// The week's hours in which small boats wait, a row a day, today first and strongest. Used by a bridge's own page.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/app.js";
import { hoursInto, sayHour, sayWeekday, sayWindow, weekdayOf } from "../model/hours.js";
import { seattleDate } from "../model/seattle.js";
import { Picture } from "../parts/picture.js";
import { linear } from "./scale.js";

const left = 54;
const right = 316;
const high = 19;
const place = linear(0, 24, left, right);

/**
 * @param {object} given
 * @param {{ date: string, windows: import("../core/types").Window[] }[]} given.week
 * @param {number} given.now
 * @param {string} given.title
 */
export function WeekWindows({ week, now, title }) {
    const { words } = useApp();
    const today = seattleDate(now);
    const bottom = week.length * high + 4;
    const nowX = place(hoursInto(today, now));
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
            ${week.map(({ date, windows }, n) => {
                const isToday = date === today;
                const y = n * high + high / 2 + 2;
                return html`<text class=${isToday ? "number" : undefined} x="0" y=${y + 5}>
                        ${isToday ? words.t("bridge.today") : sayWeekday(words.locale, weekdayOf(date), "short")}</text>
                    <path class="day-line" d=${`M${left} ${y}H${right}`} />
                    ${windows.map((window) => html`<rect class=${isToday ? "wait-today" : "wait-day"}
                        x=${place(hoursInto(date, window.from))} y=${y - (isToday ? 7.5 : 5)} rx="3"
                        width=${Math.max(2, place(hoursInto(date, window.to)) - place(hoursInto(date, window.from)))}
                        height=${isToday ? 15 : 10} />`)}
                    ${isToday && html`<path class="now-line" d=${`M${nowX} ${y - 9}v18`} />`}`;
            })}
        </svg>
    </${Picture}>`;
}
