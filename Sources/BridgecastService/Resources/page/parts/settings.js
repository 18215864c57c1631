// Language and colours, which the browser keeps. Used in the header, on the phone at the foot of the page.
import { html } from "../vendor/preact.js";
import { useApp, useSelected } from "../core/app.js";
import { languages } from "../core/language.js";

/** @param {{ onLanguage: () => void, isNamed: boolean }} given named: their names are seen, not only heard */
export function Settings({ onLanguage, isNamed }) {
    const { store, words } = useApp();
    const preferences = useSelected((state) => state.preferences);
    const named = isNamed ? "" : "unseen";
    /** @param {Event} event */
    const chooseLanguage = (event) => {
        const language = /** @type {HTMLSelectElement} */ (event.currentTarget).value;
        store.dispatch({ type: "preferences", preferences: { language } });
        onLanguage();
    };
    /** @param {Event} event */
    const chooseTheme = (event) => {
        const { value } = /** @type {HTMLSelectElement} */ (event.currentTarget);
        const theme = value === "light" || value === "dark" ? value : null;
        store.dispatch({ type: "preferences", preferences: { theme } });
    };
    return html`<div class="settings">
        <label><span class=${named}>${words.t("choice.language")}</span>
            <select value=${words.locale.slice(0, 2)} onChange=${chooseLanguage}>
                ${Object.entries(languages).map(([code, name]) =>
                    html`<option value=${code} lang=${code}>${name}</option>`)}
            </select></label>
        <label><span class=${named}>${words.t("choice.theme")}</span>
            <select value=${preferences.theme ?? "auto"} onChange=${chooseTheme}>
                ${["auto", "light", "dark"].map((theme) =>
                    html`<option value=${theme}>${words.t(`theme.${theme}`)}</option>`)}
            </select></label>
    </div>`;
}
