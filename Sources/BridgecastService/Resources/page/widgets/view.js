// Makes a widget: which departures, how large, in what colours; shows it as it will be, and what to copy.
import { html, useEffect, useState } from "../vendor/preact.js";
import { StopField } from "../boards/finder.js";
import { useAnswer, useApp, useSelected } from "../core/hooks.js";
import { readBoard } from "../data/board.js";
import { readLines } from "../data/line-answers.js";
import { LineField } from "../line/picker.js";
import { defaultRows, maxRows, refreshes, schemes, sizes, snippets, themes, widgetAddress } from "./address.js";

/** @typedef {import("./address.js").Widget} Widget */
/** @typedef {{ title: string, isUnknown: boolean }} Names unknown: the timetable has no such stop */

const shownMilliseconds = 4_000;

export function WidgetView() {
    const { words } = useApp();
    const { values } = useSelected((state) => state.address);
    const { stop = null, line = null } = values;
    const names = useNames(stop, line);
    return html`<div class="widget-view">
        <h1>${words.t("widget.title")}</h1>
        <p>${words.t("widget.start")}</p>
        <${Subject} names=${names} />
        ${stop !== null && !names.isUnknown && html`<${Maker} key=${`${line} ${stop}`}
            line=${line} stop=${stop} title=${names.title} />`}
    </div>`;
}

/**
 * The stop, and the line or all lines.
 * @param {{ names: Names }} given
 */
function Subject({ names }) {
    const { router, words } = useApp();
    const { values } = useSelected((state) => state.address);
    const setStop = (/** @type {string} */ stop) => router.change({ stop });
    const setLine = (/** @type {string | null} */ line) => router.change({ line });
    return html`<section class="card widget-subject" aria-label=${words.t("widget.subject")}>
        <${StopField} onStop=${setStop} />
        <${LineField} id="widget-line" label=${words.t("widget.line")} onLine=${setLine} />
        ${values.stop !== undefined && html`<${Chosen} names=${names}
            onAll=${values.line === undefined ? null : () => setLine(null)} />`}
    </section>`;
}

/** @param {{ names: Names, onAll: (() => void) | null }} given all: null where it is of all lines already */
function Chosen({ names: { title, isUnknown }, onAll }) {
    const { words } = useApp();
    if (isUnknown) return html`<p class="widget-chosen words-red" role="alert">${words.t("board.problem.noStation")}</p>`;
    return html`<p class="widget-chosen">${title}
        ${onAll && html`<button type="button" class="chip" onClick=${onAll}>${words.t("widget.all")}</button>`}
    </p>`;
}

/**
 * What stop and line are called; their identifiers until that is known.
 * @param {string | null} stop @param {string | null} line
 * @returns {Names}
 */
function useNames(stop, line) {
    const { words } = useApp();
    const board = useAnswer(stop === null ? null : `stops/${encodeURIComponent(stop)}/board?limit=1`, "once");
    const lines = useAnswer(line === null ? null : `lines?q=${encodeURIComponent(line)}&limit=8`, "once");
    const stopName = (board.value === null ? null : readBoard(board.value)?.stop.name) ?? stop ?? "";
    const own = lines.value === null ? null
        : readLines(lines.value).find(({ id, title }) => id === line || title === line) ?? null;
    const title = line === null ? words.t("widget.board_of", { stop: stopName })
        : words.t("widget.line_at", { line: own?.title ?? line, stop: stopName });
    return { title, isUnknown: board.trouble?.status === 404 };
}

/** @param {{ line: string | null, stop: string, title: string }} given */
function Maker({ line, stop, title }) {
    const { words } = useApp();
    const isBoard = line === null;
    const [choice, setChoice] = useState(() => ({
        size: /** @type {Widget["size"]} */ (isBoard ? "medium" : "small"), theme: /** @type {Widget["theme"]} */ ("auto"),
        rows: defaultRows(isBoard ? "medium" : "small", isBoard), isCompact: false, refresh: 30,
    }));
    /** @param {Partial<typeof choice>} changes */
    const change = (changes) => setChoice((before) => {
        const after = { ...before, ...changes };
        // Another size has its own number of rows.
        const rows = changes.size ? defaultRows(changes.size, isBoard) : after.rows;
        return { ...after, rows: Math.min(rows, maxRows(after.size)) };
    });
    const widget = { ...choice, line, stop, language: words.locale.slice(0, 2) };
    const size = usePictureSize(widgetAddress(widget, ".svg"));
    return html`<${Choices} choice=${choice} isBoard=${isBoard} onChange=${change} />
        <${Preview} widget=${widget} size=${size} title=${title} />
        ${size && html`<${Copies} widget=${widget} size=${size} title=${title} />`}`;
}

/**
 * How large a picture is, pixels; null until that is known.
 * @param {string} address
 */
function usePictureSize(address) {
    const [size, setSize] = useState(/** @type {{ width: number, height: number } | null} */ (null));
    useEffect(() => {
        const picture = new Image();
        picture.onload = () => setSize({ width: picture.naturalWidth, height: picture.naturalHeight });
        picture.src = address;
        return () => { picture.onload = null; };
    }, [address]);
    return size;
}

/**
 * @param {object} given
 * @param {Pick<Widget, "size" | "theme" | "rows" | "isCompact" | "refresh">} given.choice
 * @param {boolean} given.isBoard
 * @param {(changes: Partial<Widget>) => void} given.onChange
 */
function Choices({ choice, isBoard, onChange }) {
    const { words } = useApp();
    const rows = Array.from({ length: maxRows(choice.size) }, (_, n) => n + 1);
    const texts = (/** @type {readonly string[]} */ keys, /** @type {string} */ area) =>
        keys.map((key) => ({ key, text: words.t(`${area}.${key}`) }));
    return html`<section class="card widget-choices" aria-label=${words.t("widget.choices")}>
        <${Choice} label=${words.t("widget.size")} value=${choice.size} options=${texts(sizes, "widget.size")}
            onChoose=${(/** @type {any} */ size) => onChange({ size })} />
        <${Choice} label=${words.t("choice.theme")} value=${choice.theme} options=${texts(themes, "theme")}
            onChoose=${(/** @type {any} */ theme) => onChange({ theme })} />
        <${Choice} label=${words.t(isBoard ? "board.rows" : "widget.rows")} value=${choice.rows}
            options=${rows.map((n) => ({ key: n, text: words.number(n) }))}
            onChoose=${(/** @type {string} */ n) => onChange({ rows: Number(n) })} />
        <${Choice} label=${words.t("widget.refresh")} value=${choice.refresh}
            options=${refreshes.map((n) => ({ key: n, text: words.t("widget.seconds", { n }) }))}
            onChoose=${(/** @type {string} */ n) => onChange({ refresh: Number(n) })} />
        <label class="widget-compact"><input type="checkbox" checked=${choice.isCompact}
            onChange=${(/** @type {any} */ event) => onChange({ isCompact: event.currentTarget.checked })} />
            ${words.t("widget.compact")}</label>
    </section>`;
}

/**
 * @param {object} given
 * @param {string} given.label
 * @param {string | number} given.value
 * @param {{ key: string | number, text: string }[]} given.options
 * @param {(key: string) => void} given.onChoose
 */
function Choice({ label, value, options, onChoose }) {
    /** @param {Event} event */
    const choose = (event) => onChoose(/** @type {HTMLSelectElement} */ (event.currentTarget).value);
    return html`<label><span>${label}</span><select value=${value} onChange=${choose}>${options.map(({ key, text }) =>
        html`<option key=${key} value=${key}>${text}</option>`)}</select></label>`;
}

/** @param {{ widget: Widget, size: { width: number, height: number } | null, title: string }} given */
function Preview({ widget, size, title }) {
    const { words } = useApp();
    return html`<section class="widget-preview" aria-label=${words.t("widget.preview")}>
        ${size === null ? html`<div class="skeleton widget-skeleton" aria-busy="true"></div>`
        : html`<iframe key=${widgetAddress(widget, "")} src=${widgetAddress(widget, "")} title=${title}
            width=${size.width} height=${size.height} style=${{ colorScheme: schemes(widget.theme) }}></iframe>`}
    </section>`;
}

/** @param {{ widget: Widget, size: { width: number, height: number }, title: string }} given */
function Copies({ widget, size, title }) {
    const { words } = useApp();
    const made = snippets(widget, document.baseURI, size, title);
    return html`<section class="widget-copies">
        <${Copy} name=${words.t("widget.html")} text=${made.html} />
        <${Copy} name=${words.t("widget.picture")} text=${made.picture} />
        <${Copy} name=${words.t("widget.home")} text=${made.homeAssistant} />
    </section>`;
}

/** @param {{ name: string, text: string }} given */
function Copy({ name, text }) {
    const { announcer, words } = useApp();
    const [isCopied, setCopied] = useState(false);
    useEffect(() => {
        if (!isCopied) return undefined;
        const timer = setTimeout(() => setCopied(false), shownMilliseconds);
        return () => clearTimeout(timer);
    }, [isCopied]);
    async function copy() {
        try {
            await navigator.clipboard.writeText(text);
            setCopied(true);
            announcer.say(words.t("widget.copied"));
        } catch {
            // Without a secure connection the text is selected to be copied by hand.
            document.getSelection()?.selectAllChildren(/** @type {Node} */ (document.getElementById(id)));
        }
    }
    const id = `widget-${name.toLowerCase().replace(/[^a-z]+/g, "-")}`;
    return html`<div class="card"><h2>${name}</h2><pre id=${id} tabindex="0">${text}</pre>
        <button type="button" onClick=${copy}>${words.t(isCopied ? "widget.copied" : "widget.copy")}
            <span class="unseen"> ${name}</span></button></div>`;
}
