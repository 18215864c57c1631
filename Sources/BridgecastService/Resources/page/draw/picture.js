// A picture with its sentence, its table and its key: what every visitor gets of it, drawn or not.
import { html, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";

/**
 * @typedef {object} Numbers
 * @property {string[]} head
 * @property {(string | number)[][]} rows
 */

/**
 * @param {object} given
 * @param {string} given.title in a sentence what the picture shows
 * @param {string} [given.sentence] what is read from it; the name of the picture for a screen reader
 * @param {Numbers} [given.table] its numbers, one tap away
 * @param {any} [given.legend] what shapes mean, a line under it: text or draw/key.js
 * @param {boolean} [given.isTitleHidden] where the context says it already
 * @param {any} given.children an svg with aria-hidden; or what draws one so many pixels wide
 */
export function Picture({ title, sentence, table, legend, isTitleHidden = false, children }) {
    const { words } = useApp();
    const frame = useRef(/** @type {HTMLElement | null} */ (null));
    const width = useWidth(frame);
    const isMeasured = typeof children === "function";
    return html`<figure class="picture">
        <figcaption class=${isTitleHidden ? "unseen" : "picture-title"}>${title}</figcaption>
        <div role="img" aria-label=${sentence ?? title} ref=${frame}
            class=${`picture-drawing${isMeasured ? " is-measured" : ""}`}>${isMeasured ? children(width) : children}</div>
        ${sentence && html`<p class="picture-sentence">${sentence}</p>`}
        ${legend && html`<p class="picture-legend">${legend}</p>`}
        ${table && html`<${Table} title=${title} ...${table} />`}
    </figure>`;
}

// As on a phone, until it is measured.
const phoneWidth = 296;
const minWidth = 220;

/**
 * The width of an element in pixels: what is drawn for it has the same type and lines on every screen.
 * @param {{ current: HTMLElement | null }} element
 */
function useWidth(element) {
    const [width, setWidth] = useState(phoneWidth);
    useLayoutEffect(() => {
        const measure = () => {
            const wide = Math.floor(element.current?.clientWidth ?? 0);
            // What is not shown has none.
            if (wide > 0) setWidth(Math.max(minWidth, wide));
        };
        measure();
        const observer = new ResizeObserver(measure);
        if (element.current) observer.observe(element.current);
        return () => observer.disconnect();
    }, []);
    return width;
}

/**
 * Numbers of pictures, one tap away.
 * @param {Numbers & { title: string }} given
 */
export function Table({ title, head, rows }) {
    const { words } = useApp();
    return html`<details class="picture-table">
        <summary>${words.t("picture.table")}<span class="unseen">: ${title}</span></summary>
        <div class="scrolled" tabindex="0" role="region" aria-label=${title}><table>
            <thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
            <tbody>${rows.map((row) => html`<tr>${row.map((cell, n) => n === 0
                ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`)}</tr>`)}</tbody>
        </table></div>
    </details>`;
}

/**
 * @param {object} given
 * @param {{ shape: "solid" | "hollow" | "dash" | "ring" | "disc" | "square" | "hatch" | "bar" | "strip", words: string,
 *     tone?: string }[]} given.items
 */
export function Key({ items }) {
    return html`<span class="key">${items.map(({ shape, words, tone }) => html`<span class="key-item">
        <svg class="key-shape" viewBox="0 0 20 14" aria-hidden="true" focusable="false">${drawn(shape, tone)}</svg>
        <span>${words}</span></span>`)}</span>`;
}

/** @param {string} shape @param {string} [tone] */
function drawn(shape, tone) {
    switch (shape) {
        case "solid": return html`<rect class="bar-solid" x="5" y="0" width="10" height="14" rx="2" />`;
        case "hollow": return html`<rect class="bar-hollow" x="6" y="1" width="8" height="12" rx="2" />`;
        case "dash": return html`<path class="usual-dash" d="M3 7h4M13 7h4" />`;
        case "ring": return html`<circle class="dot-said" cx="10" cy="7" r="5" />`;
        case "disc": return html`<circle class="dot-happened" cx="10" cy="7" r="5" />`;
        case "strip": return html`<path class="happened" d="M5 7h10" />`;
        case "bar": return html`<path class="interval" d="M2 7h16" />`;
        case "hatch": return html`<rect class="heat-none" x="3" y="0" width="14" height="14" rx="2" />
            <path class="heat-hatch" d="M3 10L13 0M7 14L17 4" />`;
        default: return html`<rect class=${tone} x="3" y="0" width="14" height="14" rx="2" />`;
    }
}
