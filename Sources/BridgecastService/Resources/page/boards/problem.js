// What is wrong with a board: a mark, a sentence, and a button that may mend it.
import { html, useState } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { canLocate, locate } from "../data/place.js";
import { ProblemMark } from "./marks.js";
import { remedies } from "./problems.js";

/** @typedef {import("./problems.js").ProblemCode} ProblemCode */

export const searchFieldID = "board-stop";

/**
 * @param {object} given
 * @param {ProblemCode} given.code
 * @param {string | null} [given.detail] the service's own words, English
 * @param {() => void} given.onRetry
 * @param {() => void} given.onPlace a place was found
 */
export function Problem({ code, detail = null, onRetry, onPlace }) {
    const { words } = useApp();
    const remedy = remedies[code];
    const label = words.t(`board.remedy.${code}`);
    const search = () => document.getElementById(searchFieldID)?.focus();
    return html`<section class="card board-problem">
        <${ProblemMark} code=${code} />
        <div>
            <p><strong>${words.t(`board.problem.${code}`)}</strong></p>
            ${detail && html`<p class="small" lang="en">${detail}</p>`}
            ${remedy === "locate" ? html`<${LocateButton} onPlace=${onPlace} label=${label} />`
        : html`<button type="button" onClick=${remedy === "search" ? search : onRetry}>${label}</button>`}
        </div>
    </section>`;
}

/**
 * Finds the visitor's place on a press, and says what is done with it.
 * @param {object} given
 * @param {string} given.label
 * @param {() => void} given.onPlace
 */
export function LocateButton({ label, onPlace }) {
    const { words } = useApp();
    const [said, setSaid] = useState(/** @type {"" | "asking" | "refused" | "unknown"} */ (""));
    if (!canLocate()) return html`<p class="small">${words.t("board.place.impossible")}</p>`;
    async function find() {
        setSaid("asking");
        try {
            await locate();
            setSaid("");
            onPlace();
        } catch (reason) {
            setSaid(reason === "refused" ? "refused" : "unknown");
        }
    }
    return html`<button type="button" onClick=${find} disabled=${said === "asking"}>${label}</button>
        ${said !== "" && html`<p class=${said === "asking" ? "small" : "small words-red"}
            role=${said === "asking" ? undefined : "alert"}>${words.t(`board.place.${said}`)}</p>`}
        <p class="small board-place">${words.t("board.place.kept")}</p>`;
}
