// A new favourite: a trip between two places, or a line at a stop.
import { html, useEffect, useState } from "../vendor/preact.js";
import { StopField } from "../boards/finder.js";
import { useApp } from "../core/hooks.js";
import { readBoard } from "../data/board.js";
import { readLines } from "../data/line-answers.js";
import { journeyModes } from "../data/me-answers.js";
import { LineField } from "../line/picker.js";
import { focusOn } from "./hooks.js";
import { PlaceField } from "./place-field.js";

/** @typedef {{ from: string, to: string, mode: string }} TripFields */
/** @typedef {{ line: string, stop: string }} StopFields */

/** @param {{ me: import("./session.js").MeSession, onClose: () => void }} given */
export function AddFavourite({ me, onClose }) {
    const { words } = useApp();
    const [kind, setKind] = useState("trip");
    const [trip, setTrip] = useState({ from: "", to: "", mode: "car" });
    const [at, setAt] = useState({ line: "", stop: "", stopName: "" });
    const [name, setName] = useState("");
    useEffect(() => focusOn("me-add-title"), []);
    const proposed = kind === "trip" ? (trip.from && trip.to ? `${trip.from} → ${trip.to}` : "")
        : (at.line && at.stop ? words.t("me.line_at", { line: at.line, stop: at.stopName }) : "");
    const own = name.trim() || proposed;

    function close() {
        onClose();
        focusOn("me-add-favourite");
    }
    /** @param {Event} event */
    async function add(event) {
        event.preventDefault();
        if (proposed === "") return;
        const target = kind === "trip" ? trip : { line: at.line, stop: at.stop };
        if (await me.addFavourite({ ...target, name: own }, words.t("me.favourite.added", { name: own }))) close();
    }
    return html`<section class="card me-add" aria-labelledby="me-add-title">
        <h3 id="me-add-title" tabindex="-1">${words.t("me.favourite.add")}</h3>
        <${Kinds} chosen=${kind} onChoose=${setKind} />
        ${kind === "trip" ? html`<${TripFieldset} trip=${trip} onChange=${setTrip} />`
        : html`<${StopFieldset} at=${at} onChange=${setAt} />`}
        <form class="me-inline" onSubmit=${add}>
            <label for="me-new-name">${words.t("me.favourite.name")}</label>
            <input id="me-new-name" type="text" maxlength="200" value=${name} placeholder=${proposed}
                onInput=${(/** @type {any} */ event) => setName(event.currentTarget.value)} />
            <button type="submit" disabled=${proposed === "" || me.isWorking}>${words.t("me.add")}</button>
            <button type="button" class="is-plain" onClick=${close}>${words.t("me.cancel")}</button>
        </form>
    </section>`;
}

/** @param {{ chosen: string, onChoose: (kind: string) => void }} given */
function Kinds({ chosen, onChoose }) {
    const { words } = useApp();
    return html`<fieldset class="segments"><legend class="unseen">${words.t("me.kind")}</legend>
        ${["trip", "stop"].map((kind) => html`<label key=${kind}><input type="radio" class="unseen" name="me-kind" value=${kind}
            checked=${kind === chosen} onChange=${() => onChoose(kind)} /><span>${words.t(`me.kind.${kind}`)}</span></label>`)}
    </fieldset>`;
}

/** @param {{ trip: TripFields, onChange: (trip: TripFields) => void }} given */
function TripFieldset({ trip, onChange }) {
    const { words } = useApp();
    return html`<div class="me-fields">
        <${PlaceField} id="me-from" label=${words.t("trip.from")} value=${trip.from}
            onChange=${(/** @type {string} */ from) => onChange({ ...trip, from })} />
        <${PlaceField} id="me-to" label=${words.t("trip.to")} value=${trip.to}
            onChange=${(/** @type {string} */ to) => onChange({ ...trip, to })} />
        <${ModeField} id="me-mode" value=${trip.mode} onChange=${(/** @type {string} */ mode) => onChange({ ...trip, mode })} />
    </div>`;
}

/** @param {{ id: string, value: string, onChange: (mode: string) => void }} given */
export function ModeField({ id, value, onChange }) {
    const { words } = useApp();
    return html`<div class="me-field"><label for=${id}>${words.t("trip.mode")}</label>
        <select id=${id} value=${value} onChange=${(/** @type {any} */ event) => onChange(event.currentTarget.value)}>
            ${journeyModes.map((mode) => html`<option key=${mode} value=${mode}>${words.t(`me.mode.${mode}`)}</option>`)}
        </select></div>`;
}

/**
 * @param {object} given
 * @param {StopFields & { stopName: string }} given.at
 * @param {(at: StopFields & { stopName: string }) => void} given.onChange
 */
function StopFieldset({ at, onChange }) {
    const { api, words } = useApp();
    /** @param {string} stop */
    async function setStop(stop) {
        const board = await api.get(`stops/${encodeURIComponent(stop)}/board?limit=1&horizon_min=60`)
            .then(readBoard, () => null);
        onChange({ ...at, stop, stopName: board?.stop.name ?? stop });
    }
    /**
     * The number on the bus where no other line has it: it says more than an identifier.
     * @param {string} id
     */
    async function setLine(id) {
        const lines = await api.get(`lines?q=${encodeURIComponent(id)}&limit=8`).then(readLines, () => []);
        const title = lines.find((line) => line.id === id)?.title ?? id;
        const same = title === id ? []
            : await api.get(`lines?q=${encodeURIComponent(title)}&limit=24`).then(readLines, () => []);
        onChange({ ...at, line: same.filter((line) => line.title === title).length === 1 ? title : id });
    }
    return html`<div class="me-fields">
        <div>${at.stop !== "" && html`<p class="me-chosen">${at.stopName}</p>`}<${StopField} onStop=${setStop} /></div>
        <div>${at.line !== "" && html`<p class="me-chosen">${words.t("me.line", { line: at.line })}</p>`}
            <${LineField} id="me-line" label=${words.t("me.line_which")} onLine=${setLine} /></div>
    </div>`;
}
