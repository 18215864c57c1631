// The time bar: a button that opens a past day; then its clock, its slider, and what happened. Used by views/app.js.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { useApp, useMedia, useNow, useSelected } from "../core/app.js";
import { dayEnd, firstDate, shiftDate } from "../model/day.js";
import { seattleClock, seattleDate } from "../model/seattle.js";
import { DayRecord, DayTrouble } from "./timebar-day.js";
import { TimeSlider } from "./timebar-slider.js";

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
    // On a phone the table stands above the bar, in the page: the bar is to leave room for what it is about.
    return html`${played && !isRoomy && html`<div class="timebar-record"><${DayRecord} day=${played.day} /></div>`}
    <section ref=${bar} class=${`timebar${played ? " is-open" : ""}`} aria-label=${words.t("replay.label")}>
        ${played ? html`<${Player} played=${played} isRoomy=${isRoomy} onLeave=${leave} />`
        : html`<button type="button" onClick=${openYesterday}>${words.t("replay.open")}</button>`}
        <${Printed} />
    </section>`;
}

/** @param {{ played: import("../core/types").Replay, isRoomy: boolean, onLeave: () => void }} given */
function Player({ played, isRoomy, onLeave }) {
    const { clock, words, replay } = useApp();
    const { date, day, isPlaying, speed, trouble } = played;
    const name = words.t(isPlaying ? "replay.pause" : "replay.play");
    const typing = useRef(0);
    useEffect(() => () => clearTimeout(typing.current), []);
    /** @param {Event} event */
    const chooseDate = (event) => {
        const { value } = /** @type {HTMLInputElement} */ (event.currentTarget);
        clearTimeout(typing.current);
        // A year is typed digit by digit, and each is a date.
        typing.current = setTimeout(() => {
            if (value !== "" && value !== date) replay.open(value, seattleClock(clock.now()));
        }, typingMilliseconds);
    };
    /** @param {Event} event */
    const chooseSpeed = (event) =>
        replay.setSpeed(Number(/** @type {HTMLSelectElement} */ (event.currentTarget).value));
    return html`
        <div class="timebar-controls">
            <button type="button" class="timebar-play" aria-label=${name}
                onClick=${() => (isPlaying ? replay.pause() : replay.play())}>
                <${PlayMark} isPlaying=${isPlaying} /><span>${name}</span></button>
            <${PlayedTime} />
            <label><span class="unseen">${words.t("replay.speed")}</span>
                <select value=${String(speed)} onChange=${chooseSpeed}>
                    ${speeds.map((n) => html`<option value=${String(n)}>${words.t("replay.times", { n })}</option>`)}
                </select></label>
            <button type="button" class="timebar-leave" onClick=${onLeave}>${words.t("replay.back")}</button>
        </div>
        <${TimeSlider} date=${date} day=${day} isPlaying=${isPlaying} />
        <div class="timebar-day">
            <label class="timebar-date"><span class="unseen">${words.t("replay.date")}</span>
                <input type="date" value=${date} min=${firstDate} max=${seattleDate(clock.serviceNow())}
                    onChange=${chooseDate} /></label>
            ${trouble && html`<${DayTrouble} trouble=${trouble} />`}
            ${isRoomy && html`<${DayRecord} day=${day} />`}
            <${DayEnd} date=${date} />
        </div>`;
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

/** On paper nobody can ask what time it was. */
function Printed() {
    const { words } = useApp();
    const isPlayed = useSelected((state) => state.replay !== null);
    const now = useNow(1000);
    return html`<p class="printed">${words.t(isPlayed ? "replay.printed_past" : "replay.printed",
        { day: words.day(now), time: words.time(now) })}</p>`;
}
