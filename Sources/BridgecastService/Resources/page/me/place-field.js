// A field for a place of Seattle that completes names.
import { html, useCallback } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { objects, text } from "../data/reading.js";
import { Combobox } from "../parts/combobox.js";

const offered = 8;

/** @param {{ id: string, label: string, value: string, onChange: (place: string) => void }} given */
export function PlaceField({ id, label, value, onChange }) {
    const { api, words } = useApp();
    const suggest = useCallback((/** @type {string} */ typed, /** @type {AbortSignal} */ signal) =>
        api.get(`places?q=${encodeURIComponent(typed)}&limit=${offered}`, signal)
            .then((document) => objects(document?.places).filter(({ name }) => text(name) !== "")), [api]);
    /** @param {string} kind */
    const sayKind = (kind) => (words.has(`trip.kind.${kind}`) ? words.t(`trip.kind.${kind}`) : "");
    return html`<${Combobox} id=${id} label=${label} value=${value} onCommit=${onChange} suggest=${suggest}
        sayKind=${sayKind} />`;
}
