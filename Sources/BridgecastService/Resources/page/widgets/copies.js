// What shows a widget elsewhere, to be copied: for a web page, as a picture, for Home Assistant.
import { html, useEffect, useState } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { snippets } from "./address.js";

/** @typedef {import("./address.js").Widget} Widget */

const shownMilliseconds = 4_000;

/** @param {{ widget: Widget, size: { width: number, height: number }, title: string }} given */
export function Copies({ widget, size, title }) {
    const { words } = useApp();
    const made = snippets(widget, document.baseURI, size, title);
    return html`<section class="widget-copies">
        <${Copy} id="widget-html" name=${words.t("widget.html")} text=${made.html} />
        <${Copy} id="widget-picture" name=${words.t("widget.picture")} text=${made.picture} />
        <${Copy} id="widget-home" name=${words.t("widget.home")} text=${made.homeAssistant} />
    </section>`;
}

/** @param {{ id: string, name: string, text: string }} given id: of the element with the text */
function Copy({ id, name, text }) {
    const { announcer, words } = useApp();
    const [isCopied, setCopied] = useState(false);
    useEffect(() => {
        if (!isCopied) return undefined;
        const timer = setTimeout(() => setCopied(false), shownMilliseconds);
        return () => clearTimeout(timer);
    }, [isCopied]);
    async function copy() {
        try {
            await navigator.clipboard.writeText(text);
            setCopied(true);
            announcer.say(words.t("widget.copied"));
        } catch {
            // Without a secure connection the text is selected to be copied by hand.
            document.getSelection()?.selectAllChildren(/** @type {Node} */ (document.getElementById(id)));
        }
    }
    return html`<div class="card"><h2>${name}</h2><pre id=${id} tabindex="0">${text}</pre>
        <button type="button" onClick=${copy}>${words.t(isCopied ? "widget.copied" : "widget.copy")}
            <span class="unseen"> ${name}</span></button></div>`;
}
