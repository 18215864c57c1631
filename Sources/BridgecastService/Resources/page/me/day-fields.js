// Days of the week and a time of day in forms.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { weekdays } from "../data/alert-answers.js";
import { sayWeekday } from "./alert-words.js";

/**
 * What is sent for some days.
 * @param {readonly string[]} days
 */
export const daysForm = (days) => weekdays.filter((day) => days.includes(day)).join(",");

/** @param {{ id: string, days: readonly string[], onChange: (days: string[]) => void }} given */
export function DayFields({ id, days, onChange }) {
    const { words } = useApp();
    /** @param {string} day @param {boolean} isIn */
    const set = (day, isIn) => onChange(isIn ? [...days, day] : days.filter((other) => other !== day));
    return html`<fieldset class="me-days me-whole"><legend>${words.t("me.days")}</legend>
        ${weekdays.map((day) => html`<${Check} key=${day} id=${`${id}-${day}`} isOn=${days.includes(day)}
            onChange=${(/** @type {boolean} */ isIn) => set(day, isIn)}>${sayWeekday(words, day)}</${Check}>`)}
    </fieldset>`;
}

/** @param {{ id: string, isOn: boolean, onChange: (isOn: boolean) => void, children: any }} given */
export const Check = ({ id, isOn, onChange, children }) => html`<label class="me-check"><input id=${id} type="checkbox"
    checked=${isOn} onChange=${(/** @type {any} */ event) => onChange(event.currentTarget.checked)} />
    <span>${children}</span></label>`;

/** @param {{ id: string, label: string, value: string, isNeeded?: boolean, onChange: (value: string) => void }} given */
export const ClockField = ({ id, label, value, isNeeded = false, onChange }) => html`<div class="me-field">
    <label for=${id}>${label}</label><input id=${id} type="time" required=${isNeeded} value=${value}
        onInput=${(/** @type {any} */ event) => onChange(event.currentTarget.value)} /></div>`;

/**
 * @param {object} given
 * @param {string} given.id
 * @param {string} given.label
 * @param {string} given.value
 * @param {readonly (readonly [string, string])[]} given.options values and their texts
 * @param {(value: string) => void} given.onChange
 */
export const ChoiceField = ({ id, label, value, options, onChange }) => html`<div class="me-field"><label for=${id}>${label}</label>
    <select id=${id} value=${value} onChange=${(/** @type {any} */ event) => onChange(event.currentTarget.value)}>
        ${options.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}
    </select></div>`;

/** @param {{ id: string, label: string, value: string, max: number, onChange: (value: string) => void }} given */
export const MinutesField = ({ id, label, value, max, onChange }) => html`<div class="me-field"><label for=${id}>${label}</label>
    <input id=${id} type="number" min="0" max=${max} step="1" required value=${value}
        onInput=${(/** @type {any} */ event) => onChange(event.currentTarget.value)} /></div>`;
