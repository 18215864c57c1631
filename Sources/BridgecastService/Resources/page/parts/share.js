// A button that shares the address of a view, or copies it.
import { html, useEffect, useState } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";

const saidMilliseconds = 4_000;

/** @param {{ title: string, view: import("../core/types").Address["view"] }} given */
export function ShareButton({ title, view }) {
    const { announcer, words } = useApp();
    const [state, setState] = useState(/** @type {"" | "copied" | "shown"} */ (""));
    useEffect(() => {
        if (state !== "copied") return undefined;
        const timer = setTimeout(() => setState(""), saidMilliseconds);
        return () => clearTimeout(timer);
    }, [state]);

    async function share() {
        const url = new URL(location.href);
        url.searchParams.set("view", view);
        try {
            if (navigator.share) return await navigator.share({ title, url: url.href });
            await navigator.clipboard.writeText(url.href);
            setState("copied");
            announcer.say(words.t("trip.copied"));
        } catch (error) {
            // The visitor changed their mind; anything else leaves the link to be copied by hand.
            if (!(error instanceof DOMException && error.name === "AbortError")) setState("shown");
        }
    }

    const name = words.t(state === "copied" ? "trip.copied" : "trip.share");
    /** @param {Event} event */
    const selectAll = (event) => /** @type {HTMLInputElement} */ (event.currentTarget).select();
    return html`<button type="button" onClick=${share}>${name}</button>
        ${state === "shown" && html`<label class="trip-link">${words.t("trip.link")}
            <input type="text" readonly value=${location.href} onFocus=${selectAll} /></label>`}`;
}
