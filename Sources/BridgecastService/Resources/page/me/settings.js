// A person's settings: what may be kept of them, and the defaults of what they add.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { readSettings, refreshes } from "../data/me-answers.js";
import { useMine } from "./hooks.js";
import { Refusal } from "./refusal.js";
import { sayMeTrouble } from "./words.js";

/** @typedef {import("../core/words.js").Words} Words */
/** @typedef {import("./session.js").MeSession} MeSession */
/** @typedef {import("../data/me-answers.js").Settings} MySettings */

const flags = /** @type {const} */ ([
    ["keepsHistory", "keeps_history"], ["keepsLocation", "keeps_location"], ["tracksJourneys", "tracks_journeys"],
    ["announcesMoves", "announces_moves"]]);
const maxLeadMinutes = 120;

/** @param {{ me: MeSession }} given */
export function Settings({ me }) {
    const { words } = useApp();
    const { value, trouble } = useMine(me, "/settings", readSettings);
    const note = trouble && sayMeTrouble(words, trouble);
    /** @param {any} report */
    const say = (report) => saySettings(words, report);
    return html`<section class="card me-own-settings" aria-labelledby="me-settings-title">
        <h2 id="me-settings-title">${words.t("me.settings")}</h2>
        <${Refusal} note=${note} />
        ${value === null ? !note && html`<div class="skeleton" aria-busy="true"></div>`
        : html`${flags.map(([name, field]) => html`<${Flag} key=${name} me=${me} field=${field} isOn=${value[name]} say=${say} />`)}
            <${Defaults} me=${me} value=${value} say=${say} />
            <p><button type="button" id="me-settings-reset" disabled=${me.isWorking} onClick=${() => me.resetSettings(say)}>
                ${words.t("me.settings.reset")}</button></p>`}
    </section>`;
}

/** @param {{ me: MeSession, field: string, isOn: boolean, say: (report: any) => string }} given */
function Flag({ me, field, isOn, say }) {
    const { words } = useApp();
    const id = `me-${field}`;
    return html`<div><label class="me-check"><input type="checkbox" id=${id} checked=${isOn} disabled=${me.isWorking}
            aria-describedby=${`${id}-help`}
            onChange=${(/** @type {any} */ event) => me.setSettings({ [field]: String(event.currentTarget.checked) }, say)} />
            <span>${words.t(`me.settings.${field}`)}</span></label>
        <p id=${`${id}-help`} class="small">${words.t(`me.settings.${field}.help`)}</p></div>`;
}

/** @param {{ me: MeSession, value: MySettings, say: (report: any) => string }} given */
function Defaults({ me, value, say }) {
    const { words } = useApp();
    return html`<div class="me-fields">
        <div class="me-field"><label for="me-default-refresh">${words.t("me.settings.refresh")}</label>
            <select id="me-default-refresh" value=${String(value.refresh)} disabled=${me.isWorking}
                onChange=${(/** @type {any} */ event) => me.setSettings({ refresh_min: event.currentTarget.value }, say)}>
                ${refreshes.map((minutes) => html`<option key=${minutes} value=${String(minutes)}>${minutes === 0
                    ? words.t("me.favourite.manual") : words.duration(minutes * 60)}</option>`)}
            </select></div>
        <div class="me-field"><label for="me-default-lead">${words.t("me.settings.lead")}</label>
            <input id="me-default-lead" type="number" min="0" max=${maxLeadMinutes} step="1" value=${String(value.lead / 60)}
                disabled=${me.isWorking} onChange=${(/** @type {any} */ event) => {
                    if (event.currentTarget.checkValidity() && event.currentTarget.value !== "") {
                        me.setSettings({ reminder_lead_s: String(Math.round(event.currentTarget.valueAsNumber * 60)) }, say);
                    }
                }} /></div>
    </div>`;
}

/**
 * What is shown before the first journey: a person has to allow that any is kept.
 * @param {{ me: MeSession }} given
 */
export function Consent({ me }) {
    const { words } = useApp();
    const { value } = useMine(me, "/settings", readSettings);
    if (value === null || value.keepsHistory) return null;
    return html`<section class="card me-consent" aria-labelledby="me-consent-title">
        <h2 id="me-consent-title">${words.t("me.consent")}</h2>
        <p>${words.t("me.settings.keeps_history.help")}</p>
        <p><button type="button" id="me-allow" disabled=${me.isWorking}
            onClick=${() => me.setSettings({ keeps_history: "true" }, (report) => saySettings(words, report))}>
            ${words.t("me.consent.allow")}</button></p>
    </section>`;
}

/** @param {Words} words @param {any} report */
export function saySettings(words, report) {
    const removed = [["journeys", report?.removed_journeys], ["favourites", report?.removed_favourites],
        ["reminders", report?.removed_reminders]]
        .filter(([, n]) => Number.isInteger(n) && n > 0).map(([kind, n]) => words.t(`me.settings.removed.${kind}`, { n }));
    return removed.length === 0 ? words.t("me.settings.done")
        : words.t("me.settings.done_removed", { parts: words.list(removed) });
}
