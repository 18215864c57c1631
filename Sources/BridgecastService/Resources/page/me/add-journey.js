// A journey that nothing recorded, entered by hand after it has ended.
import { html, useEffect, useState } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { ModeField } from "./add-favourite.js";
import { focusOn } from "./hooks.js";
import { PlaceField } from "./place-field.js";
import { personZone } from "./words.js";

/** @typedef {import("./session.js").MeSession} MeSession */

const blank = {
    favourite: "", from: "", to: "", mode: "car", departed: "", arrived: "", minutes: "", stopped: "",
};
/** @typedef {typeof blank} Fields as they were typed */

/**
 * The time of a field, which is by the clock of this device.
 * @param {string} text such as 2026-02-20T17:50
 * @returns {string | null} RFC 3339
 */
export function readFieldTime(text) {
    const time = Date.parse(text);
    return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) && Number.isFinite(time) ? new Date(time).toISOString() : null;
}

/**
 * What is sent to the service; null while something is missing.
 * @param {Fields} fields
 * @returns {Record<string, string> | null}
 */
export function readForm({ favourite, from, to, mode, departed, arrived, minutes, stopped }) {
    /** @type {Record<string, string> | null} */
    const target = favourite !== "" ? { favourite } : from !== "" && to !== "" ? { from, to, mode } : null;
    const [began, ended] = [readFieldTime(departed), readFieldTime(arrived)];
    if (!target || began === null || ended === null) return null;
    const known = Object.entries({ minutes, stopped }).filter(([, value]) => value !== "");
    return { ...target, departed: began, arrived: ended, ...Object.fromEntries(known) };
}

/** @param {{ me: MeSession, onClose: () => void }} given */
export function AddJourney({ me, onClose }) {
    const { words } = useApp();
    const [fields, setFields] = useState(blank);
    useEffect(() => focusOn("me-add-journey-title"), []);
    const set = (/** @type {Partial<Fields>} */ changes) => setFields((before) => ({ ...before, ...changes }));
    const form = readForm(fields);

    function close() {
        onClose();
        focusOn("me-add-journey");
    }
    /** @param {Event} event */
    async function add(event) {
        event.preventDefault();
        if (form && await me.addJourney(form, words.t("me.journey.added"))) close();
    }
    return html`<div class="me-add" role="group" aria-labelledby="me-add-journey-title">
        <h3 id="me-add-journey-title" tabindex="-1">${words.t("me.journeys.add")}</h3>
        <${TargetFields} me=${me} fields=${fields} onChange=${set} />
        <form class="me-fields" onSubmit=${add}>
            <${TimeFields} fields=${fields} onChange=${set} />
            <p class="small me-whole">${words.t("me.zone", { zone: personZone().replaceAll("_", " ") })}</p>
            <p class="me-buttons me-whole">
                <button type="submit" disabled=${!form || me.isWorking}>${words.t("me.add")}</button>
                <button type="button" class="is-plain" onClick=${close}>${words.t("me.cancel")}</button></p>
        </form>
    </div>`;
}

/**
 * A favourite, or another trip.
 * @param {{ me: MeSession, fields: Fields, onChange: (changes: Partial<Fields>) => void }} given
 */
function TargetFields({ me, fields, onChange }) {
    const { words } = useApp();
    const favourites = me.favourites.map(({ id, name }) => [id, name]);
    return html`<div class="me-fields">
        ${favourites.length > 0 && html`<${Select} id="me-past-favourite" label=${words.t("me.favourite")}
            value=${fields.favourite} options=${[["", words.t("me.other_trip")], ...favourites]}
            onChange=${(/** @type {string} */ favourite) => onChange({ favourite })} />`}
        ${fields.favourite === "" && html`<${PlaceField} id="me-past-from" label=${words.t("trip.from")} value=${fields.from}
                onChange=${(/** @type {string} */ from) => onChange({ from })} />
            <${PlaceField} id="me-past-to" label=${words.t("trip.to")} value=${fields.to}
                onChange=${(/** @type {string} */ to) => onChange({ to })} />
            <${ModeField} id="me-past-mode" value=${fields.mode}
                onChange=${(/** @type {string} */ mode) => onChange({ mode })} />`}
    </div>`;
}

/**
 * When it was made, and how it went.
 * @param {{ fields: Fields, onChange: (changes: Partial<Fields>) => void }} given
 */
function TimeFields({ fields, onChange }) {
    const { words } = useApp();
    return html`<${Field} id="me-departed" type="datetime-local" label=${words.t("me.departed")} value=${fields.departed}
            onChange=${(/** @type {string} */ departed) => onChange({ departed })} />
        <${Field} id="me-arrived" type="datetime-local" label=${words.t("me.arrived_at")} value=${fields.arrived}
            onChange=${(/** @type {string} */ arrived) => onChange({ arrived })} />
        <${Field} id="me-planned" type="number" label=${words.t("me.planned_minutes")} value=${fields.minutes}
            onChange=${(/** @type {string} */ minutes) => onChange({ minutes })} />
        <${Select} id="me-was-stopped" label=${words.t("me.was_stopped")} value=${fields.stopped}
            options=${[["", words.t("me.unknown")], ["false", words.t("me.no")], ["true", words.t("me.yes")]]}
            onChange=${(/** @type {string} */ stopped) => onChange({ stopped })} />`;
}

/**
 * @param {object} given
 * @param {string} given.id
 * @param {"datetime-local" | "number"} given.type a time is required, and minutes are those of a day
 * @param {string} given.label
 * @param {string} given.value
 * @param {(value: string) => void} given.onChange
 */
function Field({ id, type, label, value, onChange }) {
    const limits = type === "number" ? { min: "0", max: "1440" } : { required: true };
    return html`<div class="me-field"><label for=${id}>${label}</label>
        <input id=${id} type=${type} value=${value} ...${limits}
            onInput=${(/** @type {any} */ event) => onChange(event.currentTarget.value)} /></div>`;
}

/**
 * @param {object} given
 * @param {string} given.id
 * @param {string} given.label
 * @param {string} given.value
 * @param {string[][]} given.options value and text
 * @param {(value: string) => void} given.onChange
 */
function Select({ id, label, value, options, onChange }) {
    return html`<div class="me-field"><label for=${id}>${label}</label>
        <select id=${id} value=${value} onChange=${(/** @type {any} */ event) => onChange(event.currentTarget.value)}>
            ${options.map(([key, text]) => html`<option key=${key} value=${key}>${text}</option>`)}</select></div>`;
}
