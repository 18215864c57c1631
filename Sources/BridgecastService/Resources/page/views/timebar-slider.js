// The slider over a day's minutes, with its openings above and its hours below. Used by views/timebar.js.
import { html } from "../vendor/preact.js";
import { useApp, useMedia, useNow } from "../core/app.js";
import { DayMarks } from "../draw/day-marks.js";
import { daySpan } from "../model/day.js";
import { seattleMoment } from "../model/seattle.js";

const minute = 60_000;
const markedHours = ["00", "06", "12", "18"];

/** @param {{ date: string, day: import("../core/types").DayDocument | null, isPlaying: boolean }} given */
export function TimeSlider({ date, day, isPlaying }) {
    const { words, replay } = useApp();
    const now = useNow(isPlaying ? 250 : 1000);
    // Where there is room each row has its bridge's name beside it.
    const rowHeight = useMedia("(min-width: 720px)") ? 13 : 4;
    const span = daySpan(date);
    if (!span) return null;
    // The last minute begins at the right end; a day may have 23 or 25 hours.
    const minutes = Math.round((span.to - span.from) / minute) - 1;
    const end = span.from + minutes * minute;
    /** @param {Event} event */
    const seek = (event) =>
        replay.seek(span.from + Number(/** @type {HTMLInputElement} */ (event.currentTarget).value) * minute);
    return html`<div class="timebar-slider">
        <div class="timebar-names" aria-hidden="true">
            ${day?.bridges.map((entry) => html`<span>${entry.bridge}</span>`)}
        </div>
        <div class="timebar-track">
            ${day ? html`<${DayMarks} day=${day} from=${span.from} to=${end} moment=${now} rowHeight=${rowHeight} />`
        : html`<div class="skeleton day-marks"></div>`}
            <input type="range" min="0" max=${minutes} step="1" value=${Math.floor((now - span.from) / minute)}
                aria-label=${words.t("replay.time")} aria-valuetext=${words.time(now)} onInput=${seek} />
            <div class="timebar-hours" aria-hidden="true">
                ${markedHours.map((hour) => {
        const moment = seattleMoment(`${date}T${hour}:00`) ?? span.from;
        const left = `${(100 * (moment - span.from)) / (end - span.from)}%`;
        return html`<span style=${{ left }}>${words.hour(moment)}</span>`;
    })}
            </div>
        </div>
    </div>`;
}
