// A view whose modules are fetched when it is first wanted, or when the browser has nothing else to do: what the first
// glance needs comes first. Used by views/app.js.
import { html, useEffect, useState } from "../vendor/preact.js";
import { useApp } from "../core/app.js";

/** @type {(() => Promise<unknown>)[]} */
const likely = [];

/**
 * @param {() => Promise<any>} load gives the view's component
 * @param {boolean} isLikely whether most visitors will want it
 * @returns {any} a component that stands for it
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

/** Fetches what is likely to be wanted, so that it opens at once and is there without a network. */
export function fetchLater() {
    const go = () => { for (const load of likely) load().catch(() => {}); };
    if ("requestIdleCallback" in window) requestIdleCallback(go, { timeout: 5_000 });
    else setTimeout(go, 2_000);
}
