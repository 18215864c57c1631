// A new rule: what to be alerted to, on which days, at which hours, and how loudly.
import { html, useEffect, useState } from "../vendor/preact.js";
import { useApp, useSelected } from "../core/hooks.js";
import { priorities, weekdays } from "../data/alert-answers.js";
import { Check, ChoiceField, ClockField, DayFields, daysForm } from "./day-fields.js";
import { focusOn } from "./hooks.js";

/** @typedef {import("./session.js").MeSession} MeSession */
/**
 * @typedef {object} RuleFields as they were chosen
 * @property {string} kind
 * @property {string} bridge
 * @property {string} line
 * @property {boolean} up
 * @property {boolean} likely
 * @property {boolean} stillUp
 * @property {boolean} down
 * @property {string[]} days
 * @property {string} from
 * @property {string} until
 * @property {string} priority
 */

const kinds = ["bridge", "reminders", "line"];
const conditions = /** @type {const} */ (["up", "likely", "stillUp", "down"]);
// What the command alert add takes where nothing is given.
const likelyFrom = "0.5";
const stillUpMinutes = "15,20,30";

/** @type {RuleFields} */
export const blankRule = {
    kind: "bridge", bridge: "", line: "", up: true, likely: false, stillUp: false, down: true, days: [...weekdays], from: "",
    until: "", priority: "normal",
};

/**
 * What is sent to the service; null while something is missing.
 * @param {RuleFields} fields
 * @returns {Record<string, string> | null}
 */
export function readRuleForm(fields) {
    const { kind, days, from, until, priority } = fields;
    const subject = readSubject(fields);
    if (!subject || days.length === 0) return null;
    // The hours of reminders are those of their own.
    const hours = kind === "reminders" ? {} : {
        ...(from === "" ? {} : { from }), ...(until === "" ? {} : { until: until === "00:00" ? "24:00" : until }),
    };
    return { ...subject, days: daysForm(days), ...hours, priority };
}

/** @param {RuleFields} fields @returns {Record<string, string> | null} */
function readSubject({ kind, bridge, line, up, likely, stillUp, down }) {
    if (kind === "reminders") return { reminders: "true" };
    if (kind === "line") return line.trim() === "" ? null : { line: line.trim() };
    if (bridge === "" || !(up || likely || stillUp || down)) return null;
    return {
        bridge, ...(up ? { up: "true" } : {}), ...(down ? { down: "true" } : {}),
        ...(likely ? { likely: likelyFrom } : {}), ...(stillUp ? { still_up: stillUpMinutes } : {}),
    };
}

/** @param {{ me: MeSession, onClose: () => void }} given */
export function AddRule({ me, onClose }) {
    const { words } = useApp();
    const bridges = useSelected((state) => state.board)?.bridges ?? [];
    const [chosen, setFields] = useState(blankRule);
    const set = (/** @type {Partial<RuleFields>} */ changes) => setFields((before) => ({ ...before, ...changes }));
    useEffect(() => focusOn("me-add-rule-title"), []);
    const fields = { ...chosen, bridge: chosen.bridge || bridges[0]?.bridge || "" };
    const form = readRuleForm(fields);
    function close() {
        onClose();
        focusOn("me-add-rule");
    }
    /** @param {Event} event */
    async function add(event) {
        event.preventDefault();
        if (form && await me.addRule(form, words.t("me.rule.added"))) close();
    }
    return html`<div class="me-add" role="group" aria-labelledby="me-add-rule-title">
        <h3 id="me-add-rule-title" tabindex="-1">${words.t("me.rule.add")}</h3>
        <fieldset class="segments"><legend class="unseen">${words.t("me.rule.about")}</legend>
            ${kinds.map((kind) => html`<label key=${kind}><input type="radio" class="unseen" name="me-rule-kind" value=${kind}
                checked=${kind === fields.kind} onChange=${() => set({ kind })} /><span>${words.t(`me.rule.kind.${kind}`)}</span></label>`)}
        </fieldset>
        <form class="me-fields" onSubmit=${add}>
            <${Subject} fields=${fields} bridges=${bridges.map(({ bridge }) => bridge)} onChange=${set} />
            <${DayFields} id="me-rule" days=${fields.days} onChange=${(/** @type {string[]} */ days) => set({ days })} />
            ${fields.kind !== "reminders" && html`<${ClockField} id="me-rule-from" label=${words.t("me.rule.from")} value=${fields.from}
                onChange=${(/** @type {string} */ from) => set({ from })} />
            <${ClockField} id="me-rule-until" label=${words.t("me.rule.until")} value=${fields.until}
                onChange=${(/** @type {string} */ until) => set({ until })} />`}
            <${ChoiceField} id="me-rule-priority" label=${words.t("me.priority")} value=${fields.priority}
                options=${priorities.map((priority) => [priority, words.t(`me.priority.${priority}`)])}
                onChange=${(/** @type {string} */ priority) => set({ priority })} />
            <p class="small me-whole">${words.t("me.rule.clock")}</p>
            <p class="me-buttons me-whole"><button type="submit" disabled=${!form || me.isWorking}>${words.t("me.add")}</button>
                <button type="button" class="is-plain" onClick=${close}>${words.t("me.cancel")}</button></p>
        </form>
    </div>`;
}

/** @param {{ fields: RuleFields, bridges: string[], onChange: (changes: Partial<RuleFields>) => void }} given */
function Subject({ fields, bridges, onChange }) {
    const { words } = useApp();
    if (fields.kind === "reminders") return html`<p class="me-whole">${words.t("me.rule.reminders_help")}</p>`;
    if (fields.kind === "line") {
        return html`<div class="me-field"><label for="me-rule-line">${words.t("me.line_which")}</label>
            <input id="me-rule-line" type="text" maxlength="80" value=${fields.line} placeholder="44"
                onInput=${(/** @type {any} */ event) => onChange({ line: event.currentTarget.value })} /></div>`;
    }
    return html`<${ChoiceField} id="me-rule-bridge" label=${words.t("me.rule.bridge")} value=${fields.bridge}
            options=${bridges.map((bridge) => [bridge, bridge])}
            onChange=${(/** @type {string} */ bridge) => onChange({ bridge })} />
        <fieldset class="me-days me-whole"><legend>${words.t("me.rule.when")}</legend>
            ${conditions.map((name) => html`<${Check} key=${name} id=${`me-rule-${name}`} isOn=${fields[name]}
                onChange=${(/** @type {boolean} */ isOn) => onChange({ [name]: isOn })}>${words.t(`me.rule.condition.${name}`)}</${Check}>`)}
        </fieldset>`;
}
