// When to leave or to be there, and how sure to be of it. Used by views/trip-form.js.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/app.js";
import { farthestMilliseconds, levelName, levels, proposedMoment, wallText } from "../model/trip.js";
import { Choices } from "../parts/choices.js";

// A time to leave at that is nearer is no time to arrive by.
const leastTripMilliseconds = 45 * 60_000;

/**
 * @param {object} given
 * @param {import("../model/trip.js").Trip} given.trip
 * @param {import("./trip-form.js").Change} given.onChange
 * @param {import("./trip-trouble.js").SaidTrouble | null} given.trouble
 * @param {boolean} given.isOwnDoing
 */
export function TripWhen({ trip, onChange, trouble, isOwnDoing }) {
    const { clock, words } = useApp();
    const { when, moment } = trip;
    const now = clock.now();
    const kept = moment !== null && moment > now ? wallText(moment) : null;
    const isAhead = moment !== null && moment > now + leastTripMilliseconds;

    /** @param {string} chosen */
    function choose(chosen) {
        const leave = chosen === "leave" ? kept ?? proposedMoment("leave", now) : null;
        const arrive = chosen === "arrive" ? (isAhead ? kept : proposedMoment("arrive", now)) : null;
        onChange({ leave, arrive });
    }

    /** @param {Event} event */
    function setTime(event) {
        const text = /** @type {HTMLInputElement} */ (event.currentTarget).value;
        // A time that is half typed is none.
        if (text !== "") onChange({ [when]: text.slice(0, 16) }, true);
    }

    function leaveNow() {
        // The button goes away with the trouble.
        const first = document.querySelector("input[name=trip-when]");
        if (first instanceof HTMLElement) first.focus();
        onChange({ leave: null, arrive: null });
    }

    return html`<div class="trip-when">
        <${Choices} name="trip-when" legend=${words.t("trip.when")} chosen=${when} onChoose=${choose}
            options=${["now", "leave", "arrive"].map((value) => ({ value, label: words.t(`trip.when.${value}`) }))} />
        ${when !== "now" && html`<div class="trip-time">
            <label for="trip-time">${words.t(`trip.time.${when}`)}</label>
            <input id="trip-time" type="datetime-local" value=${moment === null ? "" : wallText(moment)}
                min=${wallText(now)} max=${wallText(now + farthestMilliseconds)} required
                aria-invalid=${trouble ? "true" : undefined}
                aria-describedby=${trouble ? "trip-time-trouble" : undefined} onChange=${setTime} />
        </div>`}
        ${when === "arrive" && html`<div class="trip-time">
            <label for="trip-sure">${words.t("trip.sure")}</label>
            <select id="trip-sure" value=${String(trip.sure)} onChange=${(/** @type {Event} */ event) =>
                onChange({ sure: /** @type {HTMLSelectElement} */ (event.currentTarget).value }, true)}>
                ${levels.map((level) => html`<option value=${String(level)}>
                    ${words.t(`trip.sure.${levelName(level)}`)}</option>`)}
            </select>
        </div>`}
        ${trouble && html`<div id="trip-time-trouble" class="trip-trouble" role=${isOwnDoing ? "alert" : undefined}>
            <p class="words-red">${trouble.text}</p>
            <p><button type="button" onClick=${leaveNow}>
                ${words.t("trip.when.now")}</button></p>
        </div>`}
    </div>`;
}
