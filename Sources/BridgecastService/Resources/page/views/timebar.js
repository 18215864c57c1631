// The time bar: a button that opens a past day; then its clock, its slider with the openings, and what happened.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { useApp, useMedia, useNow, useSelected } from "../core/hooks.js";
import { isFinal } from "../data/api.js";
import { DayMarks } from "../draw/day-marks.js";
import { dayEnd, daySpan, firstDate, shiftDate } from "../model/day.js";
import { sayTrouble } from "../model/notice.js";
import { seattleClock, seattleDate, seattleTime } from "../model/time.js";

const speeds = [1, 10, 60, 300];
const typingMilliseconds = 600;

export function TimeBar() {
    const { clock, words, replay } = useApp();
    const isRoomy = useMedia("(min-width: 720px)");
    const played = useSelected((state) => state.replay);
    const [isPressed, setPressed] = useState(false);
    /** @type {{ current: HTMLElement | null }} */
    const bar = useRef(null);
    // The button that was pressed is gone: the keyboard goes on at the one in its place.
    useEffect(() => {
        if (!isPressed) return;
        bar.current?.querySelector("button")?.focus({ preventScroll: true });
        setPressed(false);
    }, [played === null]);
    const openYesterday = () => {
        setPressed(true);
        const now = clock.serviceNow();
        replay.open(shiftDate(seattleDate(now), -1), seattleClock(now));
    };
    const leave = () => {
        setPressed(true);
        replay.stop();
    };
    // On a phone the table is above the bar, in the page: the bar leaves room for what it is about.
    return html`${played && !isRoomy && html`<div class="timebar-record"><${DayRecord} day=${played.day} /></div>`}
    <section ref=${bar} class=${`timebar${played ? " is-open" : ""}`} aria-label=${words.t("replay.label")}>
        ${played ? html`<${Player} played=${played} isRoomy=${isRoomy} onLeave=${leave} />`
        : html`<button type="button" onClick=${openYesterday}>${words.t("replay.open")}</button>`}
        <${Printed} />
    </section>`;
}

/** @param {{ played: import("../core/types").Replay, isRoomy: boolean, onLeave: () => void }} given */
function Player({ played, isRoomy, onLeave }) {
    const { date, day, isPlaying, speed, trouble } = played;
    return html`
        <${PlayerControls} isPlaying=${isPlaying} speed=${speed} onLeave=${isRoomy ? null : onLeave} />
        <${TimeSlider} date=${date} day=${day} isPlaying=${isPlaying} />
        <div class="timebar-day">
            <${DateField} date=${date} />
            ${trouble && html`<${DayTrouble} trouble=${trouble} />`}
            ${isRoomy && html`<${DayRecord} day=${day} />`}
            <${DayEnd} date=${date} />
        </div>`;
}

/**
 * @param {{ isPlaying: boolean, speed: number, onLeave: (() => void) | null }} given the way back, where the banner has
 *     none
 */
function PlayerControls({ isPlaying, speed, onLeave }) {
    const { words, replay } = useApp();
    const name = words.t(isPlaying ? "replay.pause" : "replay.play");
    /** @param {Event} event */
    const chooseSpeed = (event) =>
        replay.setSpeed(Number(/** @type {HTMLSelectElement} */ (event.currentTarget).value));
    return html`<div class="timebar-controls">
        <button type="button" class="timebar-play" aria-label=${name}
            onClick=${() => (isPlaying ? replay.pause() : replay.play())}>
            <${PlayMark} isPlaying=${isPlaying} /><span>${name}</span></button>
        <${PlayedTime} />
        <label><span class="unseen">${words.t("replay.speed")}</span>
            <select value=${String(speed)} onChange=${chooseSpeed}>
                ${speeds.map((n) => html`<option value=${String(n)}>${words.t("replay.times", { n })}</option>`)}
            </select></label>
        ${onLeave && html`<button type="button" class="timebar-leave" onClick=${onLeave}>
            ${words.t("replay.back")}</button>`}
    </div>`;
}

/** @param {{ date: string }} given */
function DateField({ date }) {
    const { clock, words, replay } = useApp();
    const typing = useRef(0);
    useEffect(() => () => clearTimeout(typing.current), []);
    /** @param {Event} event */
    const choose = (event) => {
        const { value } = /** @type {HTMLInputElement} */ (event.currentTarget);
        clearTimeout(typing.current);
        // A year is typed digit by digit, and each is a date.
        typing.current = setTimeout(() => {
            if (value !== "" && value !== date) replay.open(value, seattleClock(clock.now()));
        }, typingMilliseconds);
    };
    return html`<label class="timebar-date"><span class="unseen">${words.t("replay.date")}</span>
        <input type="date" value=${date} min=${firstDate} max=${seattleDate(clock.serviceNow())}
            onChange=${choose} /></label>`;
}

function PlayedTime() {
    const { clock, words } = useApp();
    useNow(250);
    return html`<span class="timebar-time">${words.time(clock.now())}</span>`;
}

/** @param {{ isPlaying: boolean }} given */
function PlayMark({ isPlaying }) {
    return html`<svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" class="timebar-mark">
        ${isPlaying ? html`<path d="M5 3V15M13 3V15" />` : html`<path d="M5 3L14 9L5 15Z" class="is-filled" />`}
    </svg>`;
}

/**
 * The last minute is shown, and the next day begins at the press of a button.
 * @param {{ date: string }} given
 */
function DayEnd({ date }) {
    const { clock, words, replay } = useApp();
    const { isOver, next } = dayEnd(date, useNow(1000), clock.serviceNow());
    if (!isOver) return null;
    /** @param {Event} event */
    const goOn = (event) => {
        // This button goes: the keyboard stays in the bar.
        const bar = /** @type {HTMLElement} */ (event.currentTarget).closest(".timebar");
        /** @type {HTMLElement | null | undefined} */ (bar?.querySelector(".timebar-play"))?.focus();
        if (next) replay.open(next.date, "00:00");
        replay.play();
    };
    return html`<p class="timebar-note timebar-end" role="status">${words.t("replay.ended")}
        ${next && html` <button type="button" onClick=${goOn}>
            ${words.t("replay.next_day", { day: words.shortDay(next.from) })}</button>`}</p>`;
}

/** The time for a printed page, which has no clock. */
function Printed() {
    const { words } = useApp();
    const isPlayed = useSelected((state) => state.replay !== null);
    const now = useNow(1000);
    return html`<p class="printed">${words.t(isPlayed ? "replay.printed_past" : "replay.printed",
        { day: words.day(now), time: words.time(now) })}</p>`;
}

const minute = 60_000;
const markedHours = ["00", "06", "12", "18"];

/** @param {{ date: string, day: import("../core/types").DayDocument | null, isPlaying: boolean }} given */
function TimeSlider({ date, day, isPlaying }) {
    const { words, replay } = useApp();
    const now = useNow(isPlaying ? 250 : 1000);
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
            <span>${words.t("map.title.canal")}</span><span>${words.t("map.title.duwamish")}</span>
        </div>
        <div class="timebar-track">
            ${day ? html`<${DayMarks} day=${day} from=${span.from} to=${end} now=${now} />`
        : html`<div class="skeleton day-marks"></div>`}
            <input type="range" min="0" max=${minutes} step="1" value=${Math.floor((now - span.from) / minute)}
                aria-label=${words.t("replay.time")} aria-valuetext=${words.time(now)} onInput=${seek} />
            <${DayHours} date=${date} from=${span.from} to=${end} />
        </div>
    </div>`;
}

/** @param {{ date: string, from: number, to: number }} given the slider's ends */
function DayHours({ date, from, to }) {
    const { words } = useApp();
    return html`<div class="timebar-hours" aria-hidden="true">${markedHours.map((hour) => {
        const time = seattleTime(`${date}T${hour}:00`) ?? from;
        const left = `${(100 * (time - from)) / (to - from)}%`;
        return html`<span style=${{ left }}>${words.hour(time)}</span>`;
    })}</div>`;
}

/** @param {{ day: import("../core/types").DayDocument | null }} given */
function DayRecord({ day }) {
    const { words } = useApp();
    const rows = (day?.bridges ?? [])
        .flatMap((entry) => entry.openings.map((opening) => ({ ...opening, bridge: entry.bridge })))
        .sort((one, other) => Date.parse(one.opened_at) - Date.parse(other.opened_at));
    return html`
        ${day && !day.covered && html`<p class="timebar-note">${words.t("replay.uncovered")}</p>`}
        ${day && day.covered && html`<details class="timebar-table">
            <summary>${words.t("replay.openings", { n: rows.length })}</summary>
            <div class="scrolled" tabindex="0" role="region" aria-label=${words.t("replay.table")}><table>
                <caption class="unseen">${words.t("replay.table")}</caption>
                <thead><tr>${["up", "bridge", "down", "long"].map((name) => html`
                    <th scope="col">${words.t(`replay.${name}`)}</th>`)}</tr></thead>
                <tbody>${rows.map((row) => html`<${OpeningRow} ...${row} />`)}</tbody>
            </table></div>
        </details>`}`;
}

/** @param {import("../core/types").Opening & { bridge: string }} given */
function OpeningRow({ bridge, opened_at: openedAt, closed_at: closedAt }) {
    const { words } = useApp();
    return html`<tr>
        <th scope="row">${words.time(openedAt)}</th>
        <td>${bridge}</td>
        <td>${closedAt === null ? words.t("replay.goes_on") : words.time(closedAt)}</td>
        <td>${closedAt === null ? "–" : words.duration((Date.parse(closedAt) - Date.parse(openedAt)) / 1000)}</td>
    </tr>`;
}

/** @param {{ trouble: import("../core/types").Trouble }} given */
function DayTrouble({ trouble }) {
    const { words, replay } = useApp();
    const more = trouble.kind === "offline" ? ` ${words.t("replay.kept")}` : isFinal(trouble) ? ""
        : ` ${words.t("trouble.again")}`;
    return html`<p class="timebar-note"><span class="words-red">${sayTrouble(words, trouble)}${more}</span>
        ${trouble.detail && html` <span class="small" lang="en">${trouble.detail}.</span>`}
        ${" "}<button type="button" onClick=${() => replay.retry()}>${words.t("notice.try_now")}</button></p>`;
}
