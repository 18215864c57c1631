// All of the journal as a file, and a file into the journal.
import { html, useRef, useState } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { troubleOf } from "../data/api.js";
import { readImport } from "../data/me-answers.js";
import { Refusal } from "./refusal.js";
import { sayMeTrouble } from "./words.js";

// The service refuses larger ones; a browser need not read them.
const maxBytes = 64 * 1024 * 1024;

/** @param {{ me: import("./session.js").MeSession }} given */
export function Transfer({ me }) {
    const { clock, words } = useApp();
    const [note, setNote] = useState(/** @type {{ text: string, english: string | null } | null} */ (null));
    const field = useRef(/** @type {HTMLInputElement | null} */ (null));

    async function save() {
        setNote(null);
        try {
            saveFile(await me.export(), `bridgecast-journal-${new Date(clock.serviceNow()).toISOString().slice(0, 10)}.json`);
        } catch (error) {
            setNote(sayMeTrouble(words, troubleOf(error)));
        }
    }

    async function load() {
        const file = field.current?.files?.[0];
        setNote(null);
        if (!file || !field.current) return;
        if (file.size > maxBytes) return setNote({ text: words.t("me.import.too_large"), english: null });
        const text = await file.text();
        // The same file can be chosen again after it was mended.
        field.current.value = "";
        await me.import(text, (report) => sayImport(words, report));
        document.querySelector(".me-notes")?.scrollIntoView({ block: "nearest" });
    }

    return html`<section class="card me-transfer" aria-labelledby="me-transfer-title">
        <h2 id="me-transfer-title">${words.t("me.transfer")}</h2>
        <p>${words.t("me.export.help")}</p>
        <p><button type="button" onClick=${save}>${words.t("me.export")}</button></p>
        <${Refusal} note=${note} />
        <div class="me-field"><label for="me-import">${words.t("me.import")}</label>
            <input id="me-import" ref=${field} type="file" accept=".json,application/json" disabled=${me.isWorking}
                aria-describedby="me-import-help" onChange=${load} /></div>
        <p id="me-import-help" class="small">${words.t("me.import.help")}</p>
    </section>`;
}

/** @param {string} text @param {string} name */
function saveFile(text, name) {
    const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    const link = document.createElement("a");
    Object.assign(link, { href: address, download: name });
    link.click();
    // The browser has begun to save it by then.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** @param {import("../core/words.js").Words} words @param {any} report */
export function sayImport(words, report) {
    const { added, replaced, dropped, favourites } = readImport(report);
    const parts = [words.t("me.import.added", { n: added }), words.t("me.import.replaced", { n: replaced })];
    if (favourites > 0) parts.push(words.t("me.import.favourites", { n: favourites }));
    if (dropped > 0) parts.push(words.t("me.import.dropped", { n: dropped }));
    return words.t("me.import.done", { parts: words.list(parts) });
}
