// The journeys that are kept, the latest first; removing one, and adding one that nothing recorded.
import { html, useEffect, useState } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { readJourneys } from "../data/me-answers.js";
import { ModeField } from "./add-favourite.js";
import { focusOn, useMine } from "./hooks.js";
import { PlaceField } from "./place-field.js";
import { Refusal } from "./refusal.js";
import { personZone, sayDay, sayForecast, sayJourney, sayMeTrouble, sayOutcome, sayTime } from "./words.js";

/** @typedef {import("../data/me-answers.js").Journey} Journey */
/** @typedef {import("./session.js").MeSession} MeSession */

const pageSize = 10;
const morePages = 4;
// The service answers with no more.
const maxShown = 1000;

/** @param {{ me: MeSession }} given */
export function Journal({ me }) {
    const { words } = useApp();
    const [limit, setLimit] = useState(pageSize);
    const [isAdding, setAdding] = useState(false);
    const { value, trouble } = useMine(me, `/journeys?limit=${limit}`, readJourneys);
    const note = trouble && sayMeTrouble(words, trouble);
    const hasMore = limit < maxShown && (me.person?.journeys ?? 0) > limit;
    return html`<section class="card me-journal" aria-labelledby="me-journal-title">
        <h2 id="me-journal-title">${words.t("me.journeys")}</h2>
        <${Refusal} note=${note} />
        ${value === null ? !note && html`<div class="skeleton" aria-busy="true"></div>`
        : value.length === 0 ? html`<p>${words.t("me.journeys.none")}</p>`
        : html`<ol>${value.map((journey) => html`<${Row} key=${journey.id} me=${me} journey=${journey} />`)}</ol>`}
        <p class="me-buttons">
            ${hasMore && html`<button type="button" onClick=${() => setLimit(Math.min(maxShown, limit + morePages * pageSize))}>
                ${words.t("me.journeys.more")}</button>`}
            ${!isAdding && html`<button type="button" id="me-add-journey" onClick=${() => setAdding(true)}>
                ${words.t("me.journeys.add")}</button>`}
        </p>
        ${isAdding && html`<${AddJourney} me=${me} onClose=${() => setAdding(false)} />`}
    </section>`;
}

/** @param {{ me: MeSession, journey: Journey }} given */
function Row({ me, journey }) {
    const { words } = useApp();
    const name = sayJourney(words, journey);
    const day = sayDay(words, journey.began);
    const { forecast } = journey;
    async function remove() {
        await me.removeJourney(journey, words.t("me.journey.removed", { journey: name, day }));
        focusOn("me-undo");
    }
    return html`<li><p><b>${name}</b></p>
        <p class="small">${words.t("me.day_time", { day, time: sayTime(words, journey.began) })}: ${sayOutcome(words, journey)}</p>
        ${forecast && html`<p class="small">${sayForecast(words, forecast)}</p>`}
        <button type="button" class="chip" disabled=${me.isWorking} onClick=${remove}>${words.t("me.remove")}
            <span class="unseen">: ${name}, ${day}</span></button></li>`;
}

/**
 * The time of a field, which is by the clock of this device.
 * @param {string} text such as 2026-02-20T17:50
 * @returns {string | null} RFC 3339
 */
export function readFieldTime(text) {
    const time = Date.parse(text);
    return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) && Number.isFinite(time) ? new Date(time).toISOString() : null;
}

/** @param {{ me: MeSession, onClose: () => void }} given */
function AddJourney({ me, onClose }) {
    const { words } = useApp();
    const [fields, setFields] = useState({
        favourite: "", from: "", to: "", mode: "car", departed: "", arrived: "", minutes: "", stopped: "" });
    useEffect(() => focusOn("me-add-journey-title"), []);
    const set = (/** @type {Partial<typeof fields>} */ changes) => setFields((before) => ({ ...before, ...changes }));
    const [departed, arrived] = [readFieldTime(fields.departed), readFieldTime(fields.arrived)];
    /** @type {Record<string, string> | null} */
    const target = fields.favourite !== "" ? { favourite: fields.favourite }
        : fields.from !== "" && fields.to !== "" ? { from: fields.from, to: fields.to, mode: fields.mode } : null;

    function close() {
        onClose();
        focusOn("me-add-journey");
    }
    /** @param {Event} event */
    async function add(event) {
        event.preventDefault();
        if (!target || !departed || !arrived) return;
        const further = Object.fromEntries(/** @type {const} */ (["minutes", "stopped"])
            .filter((name) => fields[name] !== "").map((name) => [name, fields[name]]));
        if (await me.addJourney({ ...target, departed, arrived, ...further }, words.t("me.journey.added"))) close();
    }
    return html`<div class="me-add" role="group" aria-labelledby="me-add-journey-title">
        <h3 id="me-add-journey-title" tabindex="-1">${words.t("me.journeys.add")}</h3>
        <div class="me-fields">
            ${me.favourites.length > 0 && html`<${Select} id="me-past-favourite" label=${words.t("me.favourite")} value=${fields.favourite}
                options=${[["", words.t("me.other_trip")], ...me.favourites.map(({ id, name }) => [id, name])]}
                onChange=${(/** @type {string} */ favourite) => set({ favourite })} />`}
            ${fields.favourite === "" && html`<${PlaceField} id="me-past-from" label=${words.t("trip.from")} value=${fields.from}
                    onChange=${(/** @type {string} */ from) => set({ from })} />
                <${PlaceField} id="me-past-to" label=${words.t("trip.to")} value=${fields.to}
                    onChange=${(/** @type {string} */ to) => set({ to })} />
                <${ModeField} id="me-past-mode" value=${fields.mode} onChange=${(/** @type {string} */ mode) => set({ mode })} />`}
        </div>
        <form class="me-fields" onSubmit=${add}>
            <${Field} id="me-departed" type="datetime-local" label=${words.t("me.departed")} value=${fields.departed} isRequired=${true}
                onChange=${(/** @type {string} */ value) => set({ departed: value })} />
            <${Field} id="me-arrived" type="datetime-local" label=${words.t("me.arrived_at")} value=${fields.arrived} isRequired=${true}
                onChange=${(/** @type {string} */ value) => set({ arrived: value })} />
            <${Field} id="me-planned" type="number" label=${words.t("me.planned_minutes")} value=${fields.minutes} isRequired=${false}
                onChange=${(/** @type {string} */ value) => set({ minutes: value })} />
            <${Select} id="me-was-stopped" label=${words.t("me.was_stopped")} value=${fields.stopped}
                options=${[["", words.t("me.unknown")], ["false", words.t("me.no")], ["true", words.t("me.yes")]]}
                onChange=${(/** @type {string} */ stopped) => set({ stopped })} />
            <p class="small me-whole">${words.t("me.zone", { zone: personZone().replaceAll("_", " ") })}</p>
            <p class="me-buttons me-whole"><button type="submit" disabled=${!target || !departed || !arrived || me.isWorking}>${words.t("me.add")}</button>
                <button type="button" class="is-plain" onClick=${close}>${words.t("me.cancel")}</button></p>
        </form>
    </div>`;
}

/**
 * @param {object} given
 * @param {string} given.id
 * @param {string} given.type
 * @param {string} given.label
 * @param {string} given.value
 * @param {boolean} given.isRequired
 * @param {(value: string) => void} given.onChange
 */
function Field({ id, type, label, value, isRequired, onChange }) {
    return html`<div class="me-field"><label for=${id}>${label}</label><input id=${id} type=${type} value=${value}
        required=${isRequired} min=${type === "number" ? "0" : undefined} max=${type === "number" ? "1440" : undefined}
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
