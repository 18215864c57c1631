// Loads the messages of the visitor's language. A third language is one file in text/, named here.
import { chooseLanguage, createWords } from "./words.js";

/** Languages by their own names. */
export const languages = { en: "English", es: "Español" };

/** @type {Map<string, Promise<import("./words.js").Messages>>} */
const loaded = new Map();

/** @param {string} language */
function messages(language) {
    let promise = loaded.get(language);
    if (!promise) {
        promise = fetch(`text/${language}.json`).then((response) => {
            if (!response.ok) throw new Error(`text/${language}.json: ${response.status}`);
            return response.json();
        });
        loaded.set(language, promise);
        // Asked again the next time.
        promise.catch(() => loaded.delete(language));
    }
    return promise;
}

/** @param {string | null} preferred */
export async function loadWords(preferred) {
    const { language, locale } = chooseLanguage(preferred, navigator.languages, Object.keys(languages));
    const english = await messages("en");
    const own = language === "en" ? english : await messages(language).catch(() => english);
    return createWords(own, english, own === english && language !== "en" ? "en-US" : locale);
}
