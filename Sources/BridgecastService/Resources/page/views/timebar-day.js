// What happened on a day in words and as a table, and what is missing of it. Used by views/timebar.js.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/app.js";
import { isFinal } from "../data/api.js";
import { sayTrouble } from "../model/notice.js";

/** @param {{ day: import("../core/types").DayDocument | null }} given */
export function DayRecord({ day }) {
    const { words } = useApp();
    const rows = (day?.bridges ?? [])
        .flatMap((entry) => entry.openings.map((opening) => ({ ...opening, bridge: entry.bridge })))
        .sort((one, other) => Date.parse(one.opened_at) - Date.parse(other.opened_at));
    return html`
        ${day && !day.covered && html`<p class="timebar-note">${words.t("replay.uncovered")}</p>`}
        ${day && day.covered && html`<details class="timebar-table">
            <summary>${words.t("replay.openings", { n: rows.length })}</summary>
            <p class="small">${words.t("replay.legend")}</p>
            <div class="scrolled" tabindex="0" role="region" aria-label=${words.t("replay.table")}><table>
                <caption class="unseen">${words.t("replay.table")}</caption>
                <thead><tr>
                    <th scope="col">${words.t("replay.up")}</th>
                    <th scope="col">${words.t("replay.bridge")}</th>
                    <th scope="col">${words.t("replay.down")}</th>
                    <th scope="col">${words.t("replay.long")}</th>
                </tr></thead>
                <tbody>${rows.map((row) => html`<tr>
                    <th scope="row">${words.time(row.opened_at)}</th>
                    <td>${row.bridge}</td>
                    <td>${row.closed_at === null ? words.t("replay.goes_on") : words.time(row.closed_at)}</td>
                    <td>${row.closed_at === null ? "–"
        : words.duration((Date.parse(row.closed_at) - Date.parse(row.opened_at)) / 1000)}</td>
                </tr>`)}</tbody>
            </table></div>
        </details>`}`;
}

/** @param {{ trouble: import("../core/types").Trouble }} given */
export function DayTrouble({ trouble }) {
    const { words, replay } = useApp();
    const more = trouble.kind === "offline" ? ` ${words.t("replay.kept")}` : isFinal(trouble) ? ""
        : ` ${words.t("trouble.again")}`;
    return html`<p class="timebar-note"><span class="words-red">${sayTrouble(words, trouble)}${more}</span>
        ${trouble.detail && html` <span class="small" lang="en">${trouble.detail}.</span>`}
        ${" "}<button type="button" onClick=${() => replay.retry()}>${words.t("notice.try_now")}</button></p>`;
}
