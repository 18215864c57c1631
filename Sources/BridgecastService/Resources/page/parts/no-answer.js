// Why an answer is not there, and a way to ask again; grey blocks while it is waited for. Used by views with questions.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/app.js";
import { sayTrouble } from "../model/notice.js";

/**
 * @param {object} given
 * @param {import("../data/answers.js").Answer<any>} given.answer
 * @param {string} given.path what was asked
 * @param {string} given.what what is missing, in words
 */
export function NoAnswer({ answer, path, what }) {
    const { words, answers } = useApp();
    const trouble = answer.trouble;
    if (!trouble) {
        return html`<div class="waiting"><p class="small">${words.t("answer.loading", { what })}</p>
            <div class="skeleton"></div></div>`;
    }
    return html`<div class="no-answer">
        <p>${words.t("answer.missing", { what })} ${sayTrouble(words, trouble)}</p>
        ${trouble.detail && html`<p class="small" lang="en">${trouble.detail}</p>`}
        <button type="button" onClick=${() => answers.retry(path)}>${words.t("answer.retry")}</button>
    </div>`;
}
