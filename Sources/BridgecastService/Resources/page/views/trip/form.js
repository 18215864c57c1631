// From where, to where, by what and when: a change goes to the address at once.
import { html, useCallback, useState } from "../../vendor/preact.js";
import { useApp } from "../../core/hooks.js";
import { Combobox } from "../../parts/combobox.js";
import { farthestMilliseconds, levelName, levels, modes, proposedTime, sayPlace, wallText } from "./question.js";

/** @typedef {import("./question.js").ShownTrouble} ShownTrouble */
/** @typedef {(changes: Record<string, string | null>, isReplaced?: boolean) => void} Change */

/**
 * "Ballard to Downtown by car, leave now".
 * @param {import("../../core/words.js").Words} words @param {import("./question.js").Trip} trip @param {number} now
 * @param {import("./question.js").Corners} corners
 */
export function sayTrip(words, trip, now, corners) {
    const name = words.t("trip.ways", {
        from: sayPlace(words, trip.from, corners), to: sayPlace(words, trip.to, corners),
        by: words.t(`trip.by.${trip.mode}`) });
    const when = words.t(`trip.folded.${trip.when}`, { time: words.timeOrDay(Number(trip.time), now) });
    return words.t("trip.folded", { trip: name, when });
}

/**
 * The trip in a line, which opens the form again.
 * @param {object} given
 * @param {import("./question.js").Trip} given.trip
 * @param {import("./question.js").Corners} given.corners
 * @param {number} given.now
 * @param {string} given.heading
 * @param {() => void} given.onOpen
 */
export function FoldedForm({ trip, corners, now, heading, onOpen }) {
    const { words } = useApp();
    return html`<div class="trip-folded">
        <${heading} id="trip-title">${sayTrip(words, trip, now, corners)}</${heading}>
        <button type="button" id="trip-change" onClick=${onOpen}>${words.t("trip.change")}</button>
    </div>`;
}

/**
 * @param {object} given
 * @param {import("./question.js").Trip} given.trip
 * @param {import("./question.js").Corners} given.corners
 * @param {Change} given.onChange
 * @param {ShownTrouble | null} given.trouble what is wrong with what has been asked
 * @param {boolean} given.isOwnDoing whether the visitor has just changed something
 * @param {(() => void) | null} given.onFold where it can be folded
 */
export function TripForm({ trip, corners, onChange, trouble, isOwnDoing, onFold }) {
    const { words } = useApp();
    /** @param {Event} event */
    const submit = (event) => event.preventDefault();
    const given = { trip, corners, onChange, isOwnDoing };
    return html`<form id="trip-form" class="trip-form" tabindex="-1" onSubmit=${submit}
        aria-label=${words.t("trip.form")}>
        <div class="trip-ends">
            <${TripEnd} ...${given} end="from" trouble=${trouble?.place === "from" ? trouble : null}><${HereButton}
                onPlace=${(/** @type {string} */ place) => onChange({ from: place })} /></${TripEnd}>
            <${TripEnd} ...${given} end="to" trouble=${trouble?.place === "to" ? trouble : null} />
            <button type="button" class="trip-swap" disabled=${trip.from === "" && trip.to === ""}
                onClick=${() => onChange({ from: trip.to, to: trip.from })}>
                <span aria-hidden="true">⇅</span><span class="unseen">${words.t("trip.swap")}</span></button>
        </div>
        <${Choices} name="trip-mode" legend=${words.t("trip.mode")} chosen=${trip.mode}
            options=${modes.map((mode) => ({ value: mode, label: words.t(`trip.mode.${mode}`) }))}
            onChoose=${(/** @type {string} */ mode) => onChange({ mode: mode === "car" ? null : mode })} />
        <${TripWhen} ...${given} trouble=${trouble?.place === "when" ? trouble : null} />
        ${onFold && html`<button type="button" class="trip-fold" onClick=${onFold}>${words.t("trip.fold")}</button>`}
    </form>`;
}

/**
 * One end of the trip: a field that completes, and what is wrong with the place in it.
 * @param {object} given
 * @param {"from" | "to"} given.end
 * @param {import("./question.js").Trip} given.trip
 * @param {import("./question.js").Corners} given.corners
 * @param {Change} given.onChange
 * @param {ShownTrouble | null} given.trouble
 * @param {boolean} given.isOwnDoing
 * @param {any} [given.children] buttons next to the field
 */
function TripEnd({ end, trip, corners, onChange, trouble, isOwnDoing, children }) {
    const { api, words } = useApp();
    const suggest = useCallback((/** @type {string} */ text, /** @type {AbortSignal} */ signal) =>
        api.get(`places?q=${encodeURIComponent(text)}&limit=8`, signal).then(namedPlaces), [api]);
    /** @param {string} kind */
    const sayKind = (kind) => (words.has(`trip.kind.${kind}`) ? words.t(`trip.kind.${kind}`) : "");
    /** @param {string} name */
    const change = (name) => onChange({ [end]: name });
    const corner = trouble === null ? corners[trip[end]] ?? null : null;
    const about = trouble ? `trip-${end}-trouble` : corner ? `trip-${end}-corner` : null;
    return html`<div class="trip-end">
        <${Combobox} id=${`trip-${end}`} label=${words.t(`trip.${end}`)} value=${trip[end]} suggest=${suggest}
            sayKind=${sayKind} isInvalid=${trouble !== null} describedBy=${about}
            onCommit=${change}>${children}</${Combobox}>
        ${corner && html`<p id=${about} class="small">${words.t("trip.point_near", { corner })}</p>`}
        ${trouble && html`<${EndTrouble} id=${`trip-${end}`} trouble=${trouble} isOwnDoing=${isOwnDoing}
            onChoose=${change} />`}
    </div>`;
}

/** @param {{ id: string, trouble: ShownTrouble, isOwnDoing: boolean, onChoose: (name: string) => void }} given */
function EndTrouble({ id, trouble, isOwnDoing, onChoose }) {
    /** @param {string} name */
    function choose(name) {
        // The button goes away with the trouble; the field keeps the focus.
        document.getElementById(id)?.focus();
        onChoose(name);
    }
    return html`<div id=${`${id}-trouble`} class="trip-trouble" role=${isOwnDoing ? "alert" : undefined}>
        <p class="words-red">${trouble.text}</p>
        ${trouble.near.length > 0 && html`<ul class="trip-near">${trouble.near.map((name) => html`<li>
            <button type="button" onClick=${() => choose(name)}>${name}</button></li>`)}</ul>`}
        ${trouble.hint && html`<p class="small">${trouble.hint}</p>`}
    </div>`;
}

/** @param {any} document @returns {import("../../core/types").Place[]} */
function namedPlaces(document) {
    const places = Array.isArray(document?.places) ? document.places : [];
    return places.filter((/** @type {any} */ place) => typeof place?.name === "string");
}

// A time to leave at that is nearer is no time to arrive by.
const minTripMilliseconds = 45 * 60_000;

/**
 * @param {object} given
 * @param {import("./question.js").Trip} given.trip
 * @param {Change} given.onChange
 * @param {ShownTrouble | null} given.trouble
 * @param {boolean} given.isOwnDoing
 */
function TripWhen({ trip, onChange, trouble, isOwnDoing }) {
    const { clock, words } = useApp();
    const { when, time } = trip;
    const now = clock.now();
    const kept = time !== null && time > now ? wallText(time) : null;
    const isAhead = time !== null && time > now + minTripMilliseconds;

    /** @param {string} chosen */
    function choose(chosen) {
        const leave = chosen === "leave" ? kept ?? proposedTime("leave", now) : null;
        const arrive = chosen === "arrive" ? (isAhead ? kept : proposedTime("arrive", now)) : null;
        onChange({ leave, arrive });
    }

    return html`<div class="trip-when">
        <${Choices} name="trip-when" legend=${words.t("trip.when")} chosen=${when} onChoose=${choose}
            options=${["now", "leave", "arrive"].map((value) => ({ value, label: words.t(`trip.when.${value}`) }))} />
        ${when !== "now" && html`<${TimeField} trip=${trip} now=${now} onChange=${onChange}
            isWrong=${trouble !== null} />`}
        ${when === "arrive" && html`<${SureField} sure=${trip.sure} onChange=${onChange} />`}
        ${trouble && html`<${TimeTrouble} text=${trouble.text} isOwnDoing=${isOwnDoing} onChange=${onChange} />`}
    </div>`;
}

/** @param {{ trip: import("./question.js").Trip, now: number, onChange: Change, isWrong: boolean }} given */
function TimeField({ trip, now, onChange, isWrong }) {
    const { words } = useApp();
    const { when, time } = trip;
    /** @param {Event} event */
    function setTime(event) {
        const text = /** @type {HTMLInputElement} */ (event.currentTarget).value;
        // A time that is half typed is none.
        if (text !== "") onChange({ [when]: text.slice(0, 16) }, true);
    }
    return html`<div class="trip-time">
        <label for="trip-time">${words.t(`trip.time.${when}`)}</label>
        <input id="trip-time" type="datetime-local" value=${time === null ? "" : wallText(time)}
            min=${wallText(now)} max=${wallText(now + farthestMilliseconds)} required
            aria-invalid=${isWrong ? "true" : undefined}
            aria-describedby=${isWrong ? "trip-time-trouble" : undefined} onChange=${setTime} />
    </div>`;
}

/** @param {{ sure: number, onChange: Change }} given */
function SureField({ sure, onChange }) {
    const { words } = useApp();
    /** @param {Event} event */
    const choose = (event) =>
        onChange({ sure: /** @type {HTMLSelectElement} */ (event.currentTarget).value }, true);
    return html`<div class="trip-time">
        <label for="trip-sure">${words.t("trip.sure")}</label>
        <select id="trip-sure" value=${String(sure)} onChange=${choose}>
            ${levels.map((level) => html`<option value=${String(level)}>
                ${words.t(`trip.sure.${levelName(level)}`)}</option>`)}
        </select>
    </div>`;
}

/** @param {{ text: string, isOwnDoing: boolean, onChange: Change }} given */
function TimeTrouble({ text, isOwnDoing, onChange }) {
    const { words } = useApp();
    function leaveNow() {
        // The button goes away with the trouble.
        const first = document.querySelector("input[name=trip-when]");
        if (first instanceof HTMLElement) first.focus();
        onChange({ leave: null, arrive: null });
    }
    return html`<div id="trip-time-trouble" class="trip-trouble" role=${isOwnDoing ? "alert" : undefined}>
        <p class="words-red">${text}</p>
        <p><button type="button" onClick=${leaveNow}>${words.t("trip.when.now")}</button></p>
    </div>`;
}

// A little more than the city: the service says itself where its roads end.
const seattle = { south: 47.45, north: 47.78, west: -122.5, east: -122.2 };
const patienceMilliseconds = 15_000;

/** @param {{ onPlace: (place: string) => void }} given */
function HereButton({ onPlace }) {
    const { words } = useApp();
    const [said, setSaid] = useState(/** @type {"" | "asking" | "outside" | "refused" | "unknown"} */ (""));
    if (!isSecureContext || !navigator.geolocation) return null;

    /** @param {GeolocationPosition} position */
    function take({ coords }) {
        const { latitude, longitude } = coords;
        const isInside = latitude > seattle.south && latitude < seattle.north
            && longitude > seattle.west && longitude < seattle.east;
        setSaid(isInside ? "" : "outside");
        if (isInside) onPlace(`${latitude.toFixed(5)},${longitude.toFixed(5)}`);
    }

    function ask() {
        setSaid("asking");
        navigator.geolocation.getCurrentPosition(take,
            (error) => setSaid(error.code === error.PERMISSION_DENIED ? "refused" : "unknown"),
            { timeout: patienceMilliseconds, maximumAge: 60_000, enableHighAccuracy: true });
    }

    return html`<button type="button" onClick=${ask} disabled=${said === "asking"}>${words.t("trip.here")}</button>
        ${said !== "" && html`<p class=${said === "asking" ? "small trip-said" : "words-red trip-said"}
            role=${said === "asking" ? undefined : "alert"}>${words.t(`trip.here.${said}`)}</p>`}`;
}

/**
 * @param {object} given
 * @param {string} given.name
 * @param {string} given.legend
 * @param {string} given.chosen
 * @param {{ value: string, label: string }[]} given.options
 * @param {(value: string) => void} given.onChoose
 */
function Choices({ name, legend, chosen, options, onChoose }) {
    return html`<fieldset class="segments">
        <legend class="unseen">${legend}</legend>
        ${options.map(({ value, label }) => html`<label>
            <input type="radio" class="unseen" name=${name} value=${value} checked=${value === chosen}
                onChange=${() => onChoose(value)} /><span>${label}</span></label>`)}
    </fieldset>`;
}
