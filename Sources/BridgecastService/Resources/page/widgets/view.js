// Makes a widget: which departures, how large, in what colours; shows it as it will be, and what to copy.
import { html, useEffect, useState } from "../vendor/preact.js";
import { columnsOf } from "../boards/columns.js";
import { StopField } from "../boards/finder.js";
import { sayTowards } from "../boards/words.js";
import { useAnswer, useApp, useSelected } from "../core/hooks.js";
import { readBoard } from "../data/board.js";
import { readLines } from "../data/line-answers.js";
import { LineField } from "../line/picker.js";
import {
    defaultRows, maxRows, readChoices, refreshes, schemes, sizes, themes, widgetAddress, writeChoices,
} from "./address.js";
import { Copies } from "./copies.js";

/** @typedef {import("./address.js").Widget} Widget */
/** @typedef {import("./address.js").Choices} Choices */
/** @typedef {{ title: string, isUnknown: boolean }} Names unknown: the timetable has no such stop */
/** @typedef {{ key: string | number, text: string }} Option */
/** @typedef {{ width: number, height: number }} PictureSize pixels */

export function WidgetView() {
    const { words } = useApp();
    const { values } = useSelected((state) => state.address);
    const { stop = null, line = null } = values;
    const names = useNames(stop, line);
    return html`<div class="widget-view">
        <h1>${words.t("widget.title")}</h1>
        <p>${words.t("widget.start")}</p>
        <${Subject} names=${names} />
        ${stop !== null && !names.isUnknown && html`<${Maker}
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
    const setStop = (/** @type {string} */ stop) => router.change({ stop, direction: null });
    const setLine = (/** @type {string | null} */ line) => router.change({ line, direction: null });
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
    const board = useAnswer(stop === null ? null : directionsPath(stop, null), "once");
    const lines = useAnswer(line === null ? null : `lines?q=${encodeURIComponent(line)}&limit=8`, "once");
    const stopName = (board.value === null ? null : readBoard(board.value)?.stop.name) ?? stop ?? "";
    const own = lines.value === null ? null
        : readLines(lines.value).find(({ id, title }) => id === line || title === line) ?? null;
    const title = line === null ? words.t("widget.board_of", { stop: stopName })
        : words.t("widget.line_at", { line: own?.title ?? line, stop: stopName });
    return { title, isUnknown: board.trouble?.status === 404 };
}

/**
 * A departure of each direction within a day.
 * @param {string} stop @param {string | null} line null for all
 */
function directionsPath(stop, line) {
    const asked = new URLSearchParams({ per_direction: "1", horizon_min: "1440" });
    if (line !== null) asked.set("route_id", line);
    return `stops/${encodeURIComponent(stop)}/board?${asked}`;
}

/**
 * The directions that can be chosen; none where all departures have the same one, unless another is chosen already.
 * @param {string | null} line @param {string} stop @param {Choices["direction"]} chosen
 * @returns {Option[]}
 */
function useDirections(line, stop, chosen) {
    const { words } = useApp();
    const { value } = useAnswer(directionsPath(stop, line), "once");
    const board = value === null ? null : readBoard(value);
    const columns = board === null ? [] : columnsOf(board, 1).filter(({ direction }) => direction !== null);
    if (columns.length < 2 && chosen === null) return [];
    return [
        { key: "", text: words.t("widget.direction.both") },
        ...[0, 1].map((direction) => {
            const name = columns.find((column) => column.direction === direction)?.name ?? null;
            const text = name === null ? words.t("widget.direction.unnamed", { n: direction }) : sayTowards(words, name);
            return { key: direction, text };
        }),
    ];
}

/** @param {{ line: string | null, stop: string, title: string }} given */
function Maker({ line, stop, title }) {
    const { router, words } = useApp();
    const { values } = useSelected((state) => state.address);
    const isBoard = line === null;
    const choices = readChoices(values, isBoard);
    /** @param {Partial<Choices>} changes */
    function change(changes) {
        const after = { ...choices, ...changes };
        // Another size has its own number of rows.
        if (changes.size) after.rows = defaultRows(after.size, isBoard);
        router.change(writeChoices(after, isBoard), { isReplaced: true });
    }
    const widget = { ...choices, line, stop, language: words.locale.slice(0, 2) };
    const picture = usePictureSize(widgetAddress(widget, ".svg"));
    return html`<${ChoiceFields} choices=${choices} isBoard=${isBoard}
            directions=${useDirections(line, stop, choices.direction)} onChange=${change} />
        <${Preview} widget=${widget} picture=${picture} title=${title} />
        ${picture.size && picture.isCurrent && html`<${Copies} widget=${widget} size=${picture.size} title=${title} />`}`;
}

/**
 * How large a picture is; null until that is known, and where it cannot be loaded. The last size stays until there is another.
 * @param {string} address
 * @returns {{ size: PictureSize | null, isCurrent: boolean, hasFailed: boolean, retry: () => void }} current: of this address
 */
function usePictureSize(address) {
    const [{ size, of, hasFailed }, setLoaded] = useState({
        size: /** @type {PictureSize | null} */ (null), of: "", hasFailed: false,
    });
    const [attempt, setAttempt] = useState(0);
    useEffect(() => {
        const picture = new Image();
        picture.onload = () => setLoaded({
            size: { width: picture.naturalWidth, height: picture.naturalHeight }, of: address, hasFailed: false,
        });
        picture.onerror = () => setLoaded({ size: null, of: address, hasFailed: true });
        picture.src = address;
        return () => { picture.onload = picture.onerror = null; };
    }, [address, attempt]);
    const retry = () => {
        setLoaded({ size: null, of: "", hasFailed: false });
        setAttempt(attempt + 1);
    };
    return { size, isCurrent: of === address, hasFailed, retry };
}

/**
 * @param {object} given
 * @param {Choices} given.choices
 * @param {boolean} given.isBoard
 * @param {Option[]} given.directions
 * @param {(changes: Partial<Choices>) => void} given.onChange
 */
function ChoiceFields({ choices, isBoard, directions, onChange }) {
    const { words } = useApp();
    const rows = Array.from({ length: maxRows(choices.size) }, (_, n) => n + 1);
    const texts = (/** @type {readonly string[]} */ keys, /** @type {string} */ area) =>
        keys.map((key) => ({ key, text: words.t(`${area}.${key}`) }));
    return html`<section class="card widget-choices" aria-label=${words.t("widget.choices")}>
        <${Choice} label=${words.t("widget.size")} value=${choices.size} options=${texts(sizes, "widget.size")}
            onChoose=${(/** @type {any} */ size) => onChange({ size })} />
        <${Choice} label=${words.t("choice.theme")} value=${choices.theme} options=${texts(themes, "theme")}
            onChoose=${(/** @type {any} */ theme) => onChange({ theme })} />
        <${Choice} label=${words.t(isBoard ? "board.rows" : "widget.rows")} value=${choices.rows}
            options=${rows.map((n) => ({ key: n, text: words.number(n) }))}
            onChoose=${(/** @type {string} */ n) => onChange({ rows: Number(n) })} />
        ${directions.length > 0 && html`<${Choice} label=${words.t("widget.direction")}
            value=${choices.direction ?? ""} options=${directions}
            onChoose=${(/** @type {any} */ key) => onChange({ direction: key === "" ? null : key === "0" ? 0 : 1 })} />`}
        <${Choice} label=${words.t("widget.refresh")} value=${choices.refresh}
            options=${refreshes.map((n) => ({ key: n, text: words.t("widget.seconds", { n }) }))}
            onChoose=${(/** @type {string} */ n) => onChange({ refresh: Number(n) })} />
        <label class="widget-compact"><input type="checkbox" checked=${choices.isCompact}
            onChange=${(/** @type {any} */ event) => onChange({ isCompact: event.currentTarget.checked })} />
            ${words.t("widget.compact")}</label>
    </section>`;
}

/**
 * @param {object} given
 * @param {string} given.label
 * @param {string | number} given.value
 * @param {Option[]} given.options
 * @param {(key: string) => void} given.onChoose
 */
function Choice({ label, value, options, onChoose }) {
    /** @param {Event} event */
    const choose = (event) => onChoose(/** @type {HTMLSelectElement} */ (event.currentTarget).value);
    return html`<label><span>${label}</span><select value=${value} onChange=${choose}>${options.map(({ key, text }) =>
        html`<option key=${key} value=${key}>${text}</option>`)}</select></label>`;
}

/**
 * @param {object} given
 * @param {Widget} given.widget
 * @param {ReturnType<typeof usePictureSize>} given.picture
 * @param {string} given.title
 */
function Preview({ widget, picture, title }) {
    const { words } = useApp();
    const { size, hasFailed, retry } = picture;
    const address = widgetAddress(widget, "");
    return html`<section class="widget-preview" aria-label=${words.t("widget.preview")}>
        ${hasFailed ? html`<div class="widget-failed"><p role="alert">${words.t("widget.no_picture")}</p>
            <button type="button" onClick=${retry}>${words.t("answer.retry")}</button></div>`
        : size === null ? html`<div class="skeleton widget-skeleton" aria-busy="true"></div>`
        : html`<iframe key=${address} src=${address} title=${title}
            width=${size.width} height=${size.height}
            style=${{ aspectRatio: `${size.width} / ${size.height}`, colorScheme: schemes(widget.theme) }}></iframe>`}
    </section>`;
}
