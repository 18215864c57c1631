// Reminders to leave: what there is, switching them on and off, and a new one.
import { html, useEffect, useState } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { readReminders } from "../data/alert-answers.js";
import { readSettings } from "../data/me-answers.js";
import { sayNext, sayReminder } from "./alert-words.js";
import { ChoiceField, ClockField, DayFields, MinutesField, daysForm } from "./day-fields.js";
import { focusOn, useMine } from "./hooks.js";
import { personZone, sayPercent } from "./words.js";

/** @typedef {import("./session.js").MeSession} MeSession */
/** @typedef {import("../data/alert-answers.js").Reminder} Reminder */
/** @typedef {import("../data/me-answers.js").Favourite} Favourite */
/**
 * @typedef {{ favourite: string, time: string, days: string[], confidence: string, walk: string, lead: string | null }}
 *   ReminderFields lead: null for the person's setting
 */

/** @param {{ me: MeSession }} given */
export function Reminders({ me }) {
    const { words } = useApp();
    const [isAdding, setAdding] = useState(false);
    const { value } = useMine(me, "/reminders", readReminders);
    const possible = me.favourites.filter(canRemind);
    return html`<section class="card me-reminders" aria-labelledby="me-reminders-title">
        <h2 id="me-reminders-title">${words.t("me.reminders")}</h2>
        ${value?.length === 0 && html`<p>${words.t("me.reminders.none")}</p>`}
        <p class="small">${words.t("me.reminders.rule")}</p>
        <ul class="me-list">${(value ?? []).map((reminder) => html`<${Row} key=${reminder.id} me=${me} reminder=${reminder} />`)}</ul>
        ${possible.length === 0 ? html`<p class="small">${words.t("me.reminders.no_favourite")}</p>`
        : isAdding ? html`<${AddReminder} me=${me} favourites=${possible} onClose=${() => setAdding(false)} />`
        : html`<p><button type="button" id="me-add-reminder" onClick=${() => setAdding(true)}>
            ${words.t("me.reminder.add")}</button></p>`}
    </section>`;
}

/**
 * A trip by bus or train has no roads to search.
 * @param {Favourite} favourite
 */
export const canRemind = ({ target }) => target.kind === "stop" || target.mode !== "transit";

/** @param {{ me: MeSession, reminder: Reminder }} given */
function Row({ me, reminder }) {
    const { words } = useApp();
    const text = sayReminder(words, reminder);
    async function remove() {
        await me.removeReminder(reminder, words.t("me.reminder.removed", { name: reminder.favourite }));
        focusOn("me-undo");
    }
    return html`<li><p>${text} <span class="small">${sayNext(words, reminder)}</span></p>
        ${reminder.problem !== "" && html`<p class="small">${words.t("me.reminder.problem")} <span lang="en">${reminder.problem}</span></p>`}
        <p class="me-buttons"><button type="button" disabled=${me.isWorking}
            onClick=${() => me.setReminder(reminder.id, { on: String(!reminder.isOn) })}>
            ${words.t(reminder.isOn ? "me.reminder.switch_off" : "me.reminder.switch_on")}<span class="unseen">: ${text}</span></button>
            <button type="button" class="is-plain" disabled=${me.isWorking} onClick=${remove}>
            ${words.t("me.remove")}<span class="unseen">: ${text}</span></button></p></li>`;
}

/**
 * What is sent to the service; null while something is missing.
 * @param {ReminderFields} fields
 * @param {boolean} isTrip
 * @returns {Record<string, string> | null}
 */
export function readReminderForm({ favourite, time, days, confidence, walk, lead }, isTrip) {
    const isNumber = (/** @type {string} */ text) => /^\d{1,3}$/.test(text) && Number(text) <= 120;
    if (favourite === "" || !/^\d\d:\d\d$/.test(time) || days.length === 0 || (lead !== null && !isNumber(lead))) return null;
    const common = { favourite, days: daysForm(days), zone: personZone(), ...(lead === null ? {} : { lead_min: lead }) };
    if (isTrip) return { ...common, by: time, confidence };
    return isNumber(walk) ? { ...common, catching: time, walk_min: walk } : null;
}

const shares = ["0.8", "0.9", "0.95", "0.99"];

/** @param {{ me: MeSession, favourites: Favourite[], onClose: () => void }} given */
function AddReminder({ me, favourites, onClose }) {
    const { words } = useApp();
    const [fields, setFields] = useState(/** @type {ReminderFields} */ ({
        favourite: favourites[0].id, time: "", days: ["mon", "tue", "wed", "thu", "fri"], confidence: "0.9", walk: "5", lead: null,
    }));
    const { value: settings } = useMine(me, "/settings", readSettings);
    const ownLead = settings === null ? "" : String(Math.round(settings.lead / 60));
    useEffect(() => focusOn("me-add-reminder-title"), []);
    const set = (/** @type {Partial<ReminderFields>} */ changes) => setFields((before) => ({ ...before, ...changes }));
    const chosen = favourites.find(({ id }) => id === fields.favourite) ?? favourites[0];
    const isTrip = chosen.target.kind === "trip";
    const form = readReminderForm({ ...fields, favourite: chosen.id }, isTrip);
    function close() {
        onClose();
        focusOn("me-add-reminder");
    }
    /** @param {Event} event */
    async function add(event) {
        event.preventDefault();
        if (form && await me.addReminder(form, words.t("me.reminder.added", { name: chosen.name }))) close();
    }
    return html`<div class="me-add" role="group" aria-labelledby="me-add-reminder-title">
        <h3 id="me-add-reminder-title" tabindex="-1">${words.t("me.reminder.add")}</h3>
        <form class="me-fields" onSubmit=${add}>
            <${ChoiceField} id="me-reminder-favourite" label=${words.t("me.favourite")} value=${chosen.id}
                options=${favourites.map(({ id, name }) => [id, name])}
                onChange=${(/** @type {string} */ favourite) => set({ favourite })} />
            <${ClockField} id="me-reminder-time" label=${words.t(isTrip ? "me.reminder.be_there" : "me.reminder.departure")}
                value=${fields.time} isNeeded=${true} onChange=${(/** @type {string} */ time) => set({ time })} />
            ${isTrip ? html`<${ChoiceField} id="me-reminder-sure" label=${words.t("me.reminder.sure")} value=${fields.confidence}
                options=${shares.map((share) => [share, sayPercent(words, Number(share))])}
                onChange=${(/** @type {string} */ confidence) => set({ confidence })} />`
            : html`<${MinutesField} id="me-reminder-walk" label=${words.t("me.reminder.walk")} value=${fields.walk} max=${120}
                onChange=${(/** @type {string} */ walk) => set({ walk })} />`}
            <${MinutesField} id="me-reminder-lead" label=${words.t("me.reminder.lead_minutes")} value=${fields.lead ?? ownLead} max=${120}
                onChange=${(/** @type {string} */ lead) => set({ lead })} />
            <${DayFields} id="me-reminder" days=${fields.days} onChange=${(/** @type {string[]} */ days) => set({ days })} />
            <p class="small me-whole">${words.t("me.zone", { zone: personZone().replaceAll("_", " ") })}</p>
            <p class="me-buttons me-whole"><button type="submit" disabled=${!form || me.isWorking}>${words.t("me.add")}</button>
                <button type="button" class="is-plain" onClick=${close}>${words.t("me.cancel")}</button></p>
        </form>
    </div>`;
}
