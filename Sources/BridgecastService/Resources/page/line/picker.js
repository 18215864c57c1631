// Finding a line: by its number or by a word of its name, and the first of all lines where none is asked for.
import { html, useRef } from "../vendor/preact.js";
import { useAnswer, useApp, useSelected } from "../core/hooks.js";
import { linkTo } from "../core/router.js";
import { readLines } from "../data/line-answers.js";
import { Combobox } from "../parts/combobox.js";
import { NoAnswer } from "../parts/fallback.js";

/** @typedef {import("../data/line-answers.js").LineName} LineName */

const path = "lines?limit=24";
const offered = 8;

/** @param {LineName} line */
const sayLine = ({ title, longName }) => (longName === "" ? title : `${title} ${longName}`);

/**
 * @param {object} given
 * @param {string} given.id
 * @param {string} given.label
 * @param {(line: string) => void} given.onLine
 */
export function LineField({ id, label, onLine }) {
    const { api, words } = useApp();
    const found = useRef(/** @type {LineName[]} */ ([]));
    /** @param {string} text @param {AbortSignal} [signal] */
    async function suggest(text, signal) {
        found.current = readLines(await api.get(`lines?q=${encodeURIComponent(text)}&limit=${offered}`, signal));
        return found.current.map((line) => ({ name: sayLine(line), kind: line.kind }));
    }
    /** @param {string} text */
    async function commit(text) {
        if (text === "") return;
        const known = found.current.find((line) => sayLine(line) === text);
        if (!known) await suggest(text).catch(() => []);
        const line = known ?? found.current[0];
        if (line) onLine(line.id);
    }
    const sayKind = (/** @type {string} */ kind) => (words.has(`line.kind.${kind}`) ? words.t(`line.kind.${kind}`) : kind);
    return html`<${Combobox} id=${id} label=${label} value="" onCommit=${commit} suggest=${suggest} sayKind=${sayKind} />`;
}

/** The view without a line. */
export function LineStart() {
    const { router, words } = useApp();
    const address = useSelected((state) => state.address);
    /** @type {import("../data/answers.js").Answer<any>} */
    const answer = useAnswer(path, "once");
    const lines = readLines(answer.value);
    if (answer.trouble?.code === "noData") return html`<${NoTimetable} />`;
    return html`<section class="line-start">
        <h1>${words.t("line.none_title")}</h1>
        <p>${words.t("line.start")}</p>
        <${LineField} id="line-field" label=${words.t("line.which")} onLine=${(/** @type {string} */ line) => router.change({ line })} />
        ${answer.value === null ? html`<${NoAnswer} answer=${answer} path=${path} what=${words.t("line.lines")} />`
        : html`<ul class="line-tiles">${lines.map((line) => html`<li key=${line.id}>
            <a href=${linkTo(address, "line", { line: line.id })}><b>${line.title}</b> <span>${line.longName}</span></a></li>`)}</ul>`}
    </section>`;
}

/** There is nothing to show, and nothing that a visitor could do. */
export function NoTimetable() {
    const { words } = useApp();
    return html`<section class="line-start"><h1>${words.t("line.none_title")}</h1>
        <p>${words.t("line.no_timetable")}</p></section>`;
}
