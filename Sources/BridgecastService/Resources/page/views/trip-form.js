// From where, to where, by what and when: changes go to the address at once. Used by views/trip.js.
import { html, useCallback } from "../vendor/preact.js";
import { useApp } from "../core/app.js";
import { modes } from "../model/trip.js";
import { Combobox } from "../parts/combobox.js";
import { Choices } from "../parts/choices.js";
import { HereButton } from "./trip-here.js";
import { TripWhen } from "./trip-when.js";

/** @typedef {(changes: Record<string, string | null>, isReplaced?: boolean) => void} Change */

/**
 * @param {object} given
 * @param {import("../model/trip.js").Trip} given.trip
 * @param {Change} given.onChange
 * @param {import("./trip-trouble.js").SaidTrouble | null} given.trouble what is wrong with what has been asked
 * @param {boolean} given.isOwnDoing whether the visitor has just changed something
 */
export function TripForm({ trip, onChange, trouble, isOwnDoing }) {
    const { api, words } = useApp();
    const suggest = useCallback((/** @type {string} */ text, /** @type {AbortSignal} */ signal) =>
        api.get(`places?q=${encodeURIComponent(text)}&limit=8`, signal).then(namedPlaces), [api]);
    /** @param {string} kind */
    const sayKind = (kind) => (words.has(`trip.kind.${kind}`) ? words.t(`trip.kind.${kind}`) : "");

    /**
     * The button goes away with the trouble; the field keeps the focus.
     * @param {"from" | "to"} end @param {string} name
     */
    function take(end, name) {
        document.getElementById(`trip-${end}`)?.focus();
        onChange({ [end]: name });
    }
    /** @param {"from" | "to"} end @param {any} [more] */
    const field = (end, more) => {
        const own = trouble?.place === end ? trouble : null;
        return html`<div class="trip-end">
            <${Combobox} id=${`trip-${end}`} label=${words.t(`trip.${end}`)} value=${trip[end]} suggest=${suggest}
                sayKind=${sayKind} isInvalid=${own !== null} describedBy=${own ? `trip-${end}-trouble` : null}
                onCommit=${(/** @type {string} */ text) => onChange({ [end]: text })}>${more}</${Combobox}>
            ${own && html`<div id=${`trip-${end}-trouble`} class="trip-trouble"
                role=${isOwnDoing ? "alert" : undefined}>
                <p class="words-red">${own.text}</p>
                ${own.near.length > 0 && html`<ul class="trip-near">${own.near.map((name) => html`<li>
                    <button type="button" onClick=${() => take(end, name)}>${name}</button></li>`)}</ul>`}
                ${own.hint && html`<p class="small">${own.hint}</p>`}
            </div>`}
        </div>`;
    };
    /** @param {Event} event */
    const submit = (event) => event.preventDefault();
    return html`<form class="trip-form" onSubmit=${submit} aria-label=${words.t("trip.form")}>
        <div class="trip-ends">
            ${field("from", html`<${HereButton}
                onPlace=${(/** @type {string} */ place) => onChange({ from: place })} />`)}
            ${field("to")}
            <button type="button" class="trip-swap" disabled=${trip.from === "" && trip.to === ""}
                onClick=${() => onChange({ from: trip.to, to: trip.from })}>
                <span aria-hidden="true">⇅</span><span class="unseen">${words.t("trip.swap")}</span></button>
        </div>
        <${Choices} name="trip-mode" legend=${words.t("trip.mode")} chosen=${trip.mode}
            options=${modes.map((mode) => ({ value: mode, label: words.t(`trip.mode.${mode}`) }))}
            onChoose=${(/** @type {string} */ mode) => onChange({ mode: mode === "car" ? null : mode })} />
        <${TripWhen} trip=${trip} onChange=${onChange}
            trouble=${trouble?.place === "when" ? trouble : null} isOwnDoing=${isOwnDoing} />
    </form>`;
}

/** @param {any} document @returns {import("../core/types").Place[]} */
function namedPlaces(document) {
    const places = Array.isArray(document?.places) ? document.places : [];
    return places.filter((/** @type {any} */ place) => typeof place?.name === "string");
}
