// The journey that has not ended: since when, what was forecast, and how it ends.
import { html } from "../vendor/preact.js";
import { useApp, useNow } from "../core/hooks.js";
import { focusOn } from "./hooks.js";
import { sayElapsed, sayForecast, sayJourney, sayTime } from "./words.js";

/** @typedef {import("../data/me-answers.js").Journey} Journey */

const tickMilliseconds = 1_000;

/** @param {{ me: import("./session.js").MeSession, journey: Journey }} given */
export function UnderWay({ me, journey }) {
    const { words } = useApp();
    const text = words.t("me.stopped.undo", { name: journey.name.replace("->", "→") });
    const { forecast } = journey;
    const hasNoBridge = forecast?.bridges.length === 0;
    /** @param {Record<string, string>} end */
    const end = (end) => async () => {
        await me.stop(end, text);
        focusOn("me-undo");
    };
    return html`<section class="card me-under-way" aria-labelledby="me-under-way-title">
        <h2 id="me-under-way-title" tabindex="-1">${words.t("me.under_way", { journey: sayJourney(words, journey) })}</h2>
        <p>${words.t("me.began", { time: sayTime(words, journey.began) })} ${
            forecast?.way ? words.t("me.way", { way: words.roads(forecast.way) }) : ""}</p>
        <${Elapsed} journey=${journey} />
        ${forecast && html`<p>${sayForecast(words, forecast)}</p>`}
        <p class="me-buttons">
            ${hasNoBridge ? html`<button type="button" disabled=${me.isWorking} onClick=${end({})}>
                ${words.t("me.arrived")}</button>`
            : html`<button type="button" disabled=${me.isWorking} onClick=${end({ stopped: "false" })}>
                ${words.t("me.arrived_free")}</button>
            <button type="button" disabled=${me.isWorking} onClick=${end({ stopped: "true" })}>
                ${words.t("me.arrived_stopped")}</button>`}
            <button type="button" class="is-plain" disabled=${me.isWorking} onClick=${end({ abandoned: "true" })}>
                ${words.t("me.give_up")}</button>
        </p>
    </section>`;
}

/**
 * How long it has taken, against what was expected.
 * @param {{ journey: Journey }} given
 */
function Elapsed({ journey }) {
    const { clock, words } = useApp();
    useNow(tickMilliseconds);
    const seconds = (clock.serviceNow() - journey.began) / 1000;
    const expected = journey.forecast?.expected ?? (journey.plannedArrival - journey.began) / 1000;
    const nine = journey.forecast?.nine ?? expected;
    const whole = Math.max(nine * 1.15, seconds, 1);
    const share = (/** @type {number} */ part) => `${(100 * Math.min(1, Math.max(0, part / whole))).toFixed(2)}%`;
    return html`<p class="me-elapsed"><span class="countdown" role="timer">${sayElapsed(seconds)}</span>
            <span class="small">${words.t("me.planned", { time: sayTime(words, journey.plannedArrival) })}</span></p>
        <svg class="me-track" width="100%" height="20" aria-hidden="true" focusable="false">
            <line class="me-track-whole" x1="0%" x2="100%" y1="10" y2="10" />
            <line class="me-track-gone" x1="0%" x2=${share(seconds)} y1="10" y2="10" />
            <line class="tick" x1=${share(expected)} x2=${share(expected)} y1="1" y2="19" />
            ${journey.forecast && html`<line class="tick me-track-nine" x1=${share(nine)} x2=${share(nine)} y1="1" y2="19" />`}
        </svg>
        ${journey.forecast && html`<p class="small" aria-hidden="true">${words.t("me.track_key")}</p>`}`;
}
