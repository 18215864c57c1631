// A picture with its sentence and its table: what everybody gets of it, drawn or not. Used by everything in draw/.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/app.js";

/**
 * @typedef {object} Table
 * @property {string[]} head
 * @property {(string | number)[][]} rows
 */

/**
 * @param {object} given
 * @param {string} given.title in a sentence what the picture shows
 * @param {string} [given.sentence] what is read from it; the name of the picture for a screen reader
 * @param {Table} [given.table] its numbers, one tap away
 * @param {any} [given.legend] what shapes mean, a line under it: text or draw/key.js
 * @param {boolean} [given.isTitleHidden] where the place says it already
 * @param {any} given.children an svg with aria-hidden
 */
export function Picture({ title, sentence, table, legend, isTitleHidden = false, children }) {
    const { words } = useApp();
    return html`<figure class="picture">
        <figcaption class=${isTitleHidden ? "unseen" : "picture-title"}>${title}</figcaption>
        <div role="img" aria-label=${sentence ?? title} class="picture-drawing">${children}</div>
        ${sentence && html`<p class="picture-sentence">${sentence}</p>`}
        ${legend && html`<p class="picture-legend">${legend}</p>`}
        ${table && html`<details class="picture-table">
            <summary>${words.t("picture.table")}<span class="unseen">: ${title}</span></summary>
            <div class="scrolled" tabindex="0" role="region" aria-label=${title}><table>
                <thead><tr>${table.head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
                <tbody>${table.rows.map((row) => html`<tr>${row.map((cell, n) => n === 0
                    ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`)}</tr>`)}</tbody>
            </table></div>
        </details>`}
    </figure>`;
}
