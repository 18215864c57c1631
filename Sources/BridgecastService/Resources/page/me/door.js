// Where a person enters their token, once.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { troubleOf } from "../data/api.js";
import { MeAPI, readToken } from "../data/me.js";
import { sayMeTrouble } from "./words.js";

/** @typedef {import("../core/types").Trouble} Trouble */

/**
 * @param {object} given
 * @param {Trouble | null} given.refusal why the token that was kept is not valid any more
 * @param {(token: string, isOnDevice: boolean) => void} given.onEnter with a token that the service has accepted
 */
export function Door({ refusal, onEnter }) {
    const { words } = useApp();
    const [text, setText] = useState("");
    const [isOnDevice, setOnDevice] = useState(false);
    const [isAsking, setAsking] = useState(false);
    const [trouble, setTrouble] = useState(refusal);
    const [isUnreadable, setUnreadable] = useState(false);
    const field = useRef(/** @type {HTMLInputElement | null} */ (null));
    useEffect(() => setTrouble(refusal), [refusal]);

    /** @param {Event} event */
    async function enter(event) {
        event.preventDefault();
        if (isAsking) return;
        const token = readToken(text);
        setTrouble(null);
        setUnreadable(token === null);
        if (token === null) return field.current?.focus();
        setAsking(true);
        const found = await new MeAPI(token).get("").then(() => null, troubleOf);
        setAsking(false);
        if (found === null) return onEnter(token, isOnDevice);
        setTrouble(found);
        field.current?.focus();
    }

    const note = isUnreadable ? { text: words.t("me.trouble.unreadable"), english: null }
        : trouble ? sayMeTrouble(words, trouble, true) : null;
    return html`<p class="me-lead">${words.t("me.door")}</p>
        <form class="card me-door" onSubmit=${enter}>
            <label for="me-token">${words.t("me.token")}</label>
            <input id="me-token" ref=${field} type="password" autocomplete="off" autocapitalize="off" spellcheck=${false}
                value=${text} aria-invalid=${note ? "true" : undefined}
                aria-describedby=${note ? "me-token-trouble me-token-help" : "me-token-help"}
                onInput=${(/** @type {any} */ event) => setText(event.currentTarget.value)} />
            ${note && html`<div id="me-token-trouble" role="alert"><p class="words-red">${note.text}</p>
                ${note.english && html`<p class="small" lang="en">${note.english}</p>`}</div>`}
            <p id="me-token-help" class="small">${words.t("me.token.help")}</p>
            <label class="me-check"><input type="checkbox" checked=${isOnDevice} aria-describedby="me-device-help"
                onChange=${(/** @type {any} */ event) => setOnDevice(event.currentTarget.checked)} />
                <span>${words.t("me.token.keep")}</span></label>
            <p id="me-device-help" class="small">${words.t("me.token.keep_help")}</p>
            <p><button type="submit" disabled=${isAsking}>${words.t(isAsking ? "me.opening" : "me.open")}</button></p>
        </form>`;
}
