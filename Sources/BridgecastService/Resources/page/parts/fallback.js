// What stands in for a part of the page that is not there: a view that is still fetched, data that cannot be drawn, an
// answer that is missing.
import { html, useEffect, useErrorBoundary, useState } from "../vendor/preact.js";
import { useApp, useSelected } from "../core/hooks.js";
import { addMessages } from "../core/words.js";
import { sayTrouble } from "../model/notice.js";

/** @type {(() => Promise<unknown>)[]} */
const likely = [];

/**
 * @param {() => Promise<any>} load gives the view's component
 * @param {boolean} isLikely whether most visitors will want it
 * @returns {any} a component in its place
 */
export function later(load, isLikely) {
    /** @type {any} */
    let View = null;
    /** @type {Promise<void> | null} */
    let coming = null;
    const fetchIt = () => {
        coming ??= load().then((component) => { View = component; }, (error) => { coming = null; throw error; });
        return coming;
    };
    if (isLikely) likely.push(fetchIt);

    /** @param {any} properties the view's own */
    return function Later(properties) {
        const { words } = useApp();
        const [step, setStep] = useState({ hasFailed: false });
        useEffect(() => {
            let isWanted = true;
            if (!View && !step.hasFailed) {
                fetchIt().then(() => { if (isWanted) setStep({ hasFailed: false }); },
                    () => { if (isWanted) setStep({ hasFailed: true }); });
            }
            return () => { isWanted = false; };
        }, [step]);
        if (View) return html`<${View} ...${properties} />`;
        if (!step.hasFailed) return html`<div class="skeleton later" aria-busy="true"></div>`;
        return html`<section class="card"><p>${words.t("answer.unloaded")}</p>
            <button type="button" onClick=${() => setStep({ hasFailed: false })}>${words.t("answer.retry")}</button>
        </section>`;
    };
}

/**
 * Styles of a part that is loaded when it is needed.
 * @param {string} address @param {"first" | "last"} order before the page's own, which change some of it, or after them
 * @returns {Promise<void>}
 */
export function addStyles(address, order) {
    return new Promise((done, fail) => {
        document.querySelector(`link[href="${address}"]`)?.remove();
        const link = document.createElement("link");
        link.rel = "stylesheet";
        link.href = address;
        link.onload = () => done();
        link.onerror = () => fail(new Error(address));
        if (order === "first") document.head.prepend(link); else document.head.append(link);
    });
}

/**
 * A view of buses with its styles and the texts of all of them, which the first view is spared.
 * @template T
 * @param {Promise<T>} module @param {string} styles their address
 * @returns {Promise<T>}
 */
export async function withTransit(module, styles) {
    const [loaded] = await Promise.all([module, addStyles(styles, "last"), addMessages("transit")]);
    return loaded;
}

/** Fetches what is likely to be wanted, so that it opens at once and is there without a network. */
export function fetchLater() {
    const go = () => { for (const load of likely) load().catch(() => {}); };
    if ("requestIdleCallback" in window) requestIdleCallback(go, { timeout: 5_000 });
    else setTimeout(go, 2_000);
}

/** @param {{ children: any }} given */
export function Guard({ children }) {
    const { words } = useApp();
    const board = useSelected((state) => state.board);
    const [error, reset] = useErrorBoundary((/** @type {unknown} */ found) => console.error(found));
    useEffect(() => { if (error) reset(); }, [board]);
    if (!error) return children;
    return html`<section class="card"><p>${words.t("answer.undrawn")}</p>
        <button type="button" onClick=${reset}>${words.t("answer.retry")}</button></section>`;
}

/**
 * @param {object} given
 * @param {import("../data/answers.js").Answer<any>} given.answer
 * @param {string} given.path what was asked
 * @param {string} given.what what is missing, as text
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
