// Finding a line: by its number or by a word of its name, and the first of all lines where none is asked for.
import { html, useRef, useState } from "../vendor/preact.js";
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
    const [isUnknown, setUnknown] = useState(false);
    const found = useRef(/** @type {LineName[]} */ ([]));
    /** @param {string} text @param {AbortSignal} [signal] */
    async function suggest(text, signal) {
        found.current = readLines(await api.get(`lines?q=${encodeURIComponent(text)}&limit=${offered}`, signal));
        return found.current.map((line) => ({ name: sayLine(line), kind: line.kind }));
    }
    /** @param {string} text */
    async function commit(text) {
        if (text === "") return setUnknown(false);
        if (!found.current.some((line) => sayLine(line) === text)) await suggest(text).catch(() => []);
        const line = meant(found.current, text);
        setUnknown(line === null);
        if (line) onLine(line.id);
    }
    const sayKind = (/** @type {string} */ kind) =>
        (words.has(`line.kind.${kind}`) ? words.t(`line.kind.${kind}`) : kind);
    return html`<div><${Combobox} id=${id} label=${label} value="" onCommit=${commit} suggest=${suggest}
            sayKind=${sayKind} describedBy=${isUnknown ? `${id}-wrong` : null} isInvalid=${isUnknown} />
        ${isUnknown && html`<p id=${`${id}-wrong`} class="words-red" role="alert">${words.t("line.unknown")}</p>`}
    </div>`;
}

/**
 * The line that a text means: the one that was chosen, the only one, or the one of that number.
 * @param {readonly LineName[]} lines @param {string} text
 */
function meant(lines, text) {
    const wanted = text.toLowerCase();
    const own = lines.find((line) => sayLine(line) === text)
        ?? lines.find(({ title }) => title.toLowerCase() === wanted);
    return own ?? (lines.length === 1 ? lines[0] : null);
}

/**
 * The view without a line.
 * @param {{ isUnknown?: boolean }} given whether one was asked for that does not exist
 */
export function LineStart({ isUnknown = false }) {
    const { router, words } = useApp();
    /** @type {import("../data/answers.js").Answer<any>} */
    const answer = useAnswer(path, "once");
    if (answer.trouble?.code === "noData") return html`<${NoTimetable} />`;
    const go = (/** @type {string} */ line) => router.change({ line, lines: null, stop: null });
    return html`<section class="line-start">
        <h1>${words.t("line.none_title")}</h1>
        <p>${words.t(isUnknown ? "line.unknown" : "line.start")}</p>
        <${LineField} id="line-field" label=${words.t("line.which")} onLine=${go} />
        ${answer.value === null ? html`<${NoAnswer} answer=${answer} path=${path} what=${words.t("line.lines")} />`
        : html`<${Tiles} lines=${readLines(answer.value)} />`}
    </section>`;
}

/** @param {{ lines: LineName[] }} given */
function Tiles({ lines }) {
    const address = useSelected((state) => state.address);
    return html`<ul class="line-tiles">${lines.map((line) => html`<li key=${line.id}>
        <a href=${linkTo(address, "line", { line: line.id })}><b>${line.title}</b> <span>${line.longName}</span></a>
    </li>`)}</ul>`;
}

/** There is nothing to show, and nothing that a visitor could do. */
export function NoTimetable() {
    const { words } = useApp();
    return html`<section class="line-start"><h1>${words.t("line.none_title")}</h1>
        <p>${words.t("line.no_timetable")}</p></section>`;
}
