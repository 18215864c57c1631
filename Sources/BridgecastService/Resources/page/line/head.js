// The head of the poster: the line's number, large, and its name; of several lines one can be seen alone.
import { html, useState } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { plainVehicle } from "../draw/colours.js";
import { longNameOf } from "./layout.js";
import { LineField } from "./picker.js";

/** @typedef {import("../data/line-answers.js").LineMap} LineMap */

/**
 * @param {object} given
 * @param {string[]} given.lines
 * @param {import("../data/line.js").Known<LineMap[]>} given.maps
 * @param {string | null} given.alone
 * @param {(line: string | null) => void} given.onAlone
 * @param {any} given.children
 */
export function LineHead({ lines, maps, alone, onAlone, children }) {
    const first = maps.value?.[0];
    return html`<header class="line-head" style=${{ "--line-own": first?.line.color ?? plainVehicle }}>
        <h1 id="line-title"><span class="line-number">${first?.line.title ?? lines[0]}</span>
            <span class="line-long">${first ? longNameOf(first) : " "}</span></h1>
        ${lines.length > 1 && maps.value && html`<${Chips} maps=${maps.value} alone=${alone} onAlone=${onAlone} />`}
        ${children}
    </header>`;
}

/**
 * Another line, or one more.
 * @param {{ lines: string[], children: any }} given further buttons
 */
export function LineChange({ lines, children }) {
    const { router, words } = useApp();
    const [isOpen, setOpen] = useState(false);
    const add = (/** @type {string} */ line) => router.change({ lines: [...lines.slice(1), line].join() });
    const go = (/** @type {string} */ line) => router.change({ line, lines: null, stop: null });
    return html`<div class="card-buttons">
            <button type="button" aria-expanded=${isOpen ? "true" : "false"} onClick=${() => setOpen(!isOpen)}>
                ${words.t("line.other")}</button>
            ${children}
        </div>
        ${isOpen && html`<div class="line-others">
            <${LineField} id="line-other" label=${words.t("line.go")} onLine=${go} />
            <${LineField} id="line-add" label=${words.t("line.add")} onLine=${add} />
        </div>`}`;
}

/** @param {{ maps: LineMap[], alone: string | null, onAlone: (line: string | null) => void }} given */
function Chips({ maps, alone, onAlone }) {
    const { router, words } = useApp();
    /** @param {string} gone */
    function remove(gone) {
        const [line, ...further] = maps.map(({ line }) => line.id).filter((id) => id !== gone);
        onAlone(null);
        router.change({ line, lines: further.join() });
    }
    return html`<ul class="line-chips" aria-label=${words.t("line.shown")}>${maps.map(({ line }) =>
        html`<li key=${line.id}>
        <button type="button" class="chip" aria-pressed=${alone === line.id ? "true" : "false"}
            onClick=${() => onAlone(alone === line.id ? null : line.id)}>${line.title}
            <span class="unseen"> ${words.t("line.alone")}</span></button>
        <button type="button" class="chip" aria-label=${words.t("line.remove", { line: line.title })}
            onClick=${() => remove(line.id)}>×</button></li>`)}</ul>`;
}
