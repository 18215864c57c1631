// The view of a person's private journal: the door, and what is inside it.
import { html, useEffect, useMemo, useState } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { MeAPI } from "../data/me.js";
import { followForgetting, forgetToken, keepToken, keptToken } from "../data/me-token.js";
import { Alerts } from "./alerts.js";
import { Door } from "./door.js";
import { Favourites } from "./favourites.js";
import { focusOn, useMe } from "./hooks.js";
import { Journal } from "./journal.js";
import { Recents } from "./recents.js";
import { Reminders } from "./reminders.js";
import { Consent, Settings } from "./settings.js";
import { MeSession } from "./session.js";
import { Statistics } from "./statistics.js";
import { leavePush } from "./this-browser.js";
import { Transfer } from "./transfer.js";
import { UnderWay } from "./under-way.js";
import { sayMeTrouble } from "./words.js";

/** @typedef {import("../core/types").Trouble} Trouble */
/** @typedef {{ token: string, isOnDevice: boolean, isNew?: boolean }} Kept isNew: entered on this page */

// Another device may have begun or ended a journey.
const freshMilliseconds = 60_000;

export function MeView() {
    const { words } = useApp();
    const [kept, setKept] = useState(() => /** @type {Kept | null} */ (keptToken()));
    const [refusal, setRefusal] = useState(/** @type {Trouble | null} */ (null));
    /** @param {Trouble | null} trouble why, unless the person wants it */
    function forget(trouble) {
        forgetToken();
        setRefusal(trouble);
        setKept(null);
        focusOn("me-token");
    }
    useEffect(() => followForgetting(() => setKept(keptToken())), []);
    const token = kept?.token ?? null;
    const me = useMemo(() => token === null ? null : new MeSession(
        new MeAPI(token), forget, { leave: leavePush, isNew: kept?.isNew }), [token]);
    /** @param {MeSession} me its token is forgotten whether or not the service can be reached */
    function leave(me) {
        me.leaveBrowser();
        forget(null);
    }
    /** @param {string} token @param {boolean} isOnDevice */
    function enter(token, isOnDevice) {
        keepToken(token, isOnDevice);
        setRefusal(null);
        setKept({ token, isOnDevice, isNew: true });
        focusOn("me-title");
    }
    return html`<div class="me">
        <h1 id="me-title" tabindex="-1">${words.t("nav.me")}</h1>
        ${me === null ? html`<${Door} refusal=${refusal} onEnter=${enter} />`
        : html`<${Inside} key=${token} me=${me} isOnDevice=${kept?.isOnDevice} onForget=${() => leave(me)} />`}
    </div>`;
}

/** @param {{ me: MeSession, isOnDevice: boolean, onForget: () => void }} given */
function Inside({ me, isOnDevice, onForget }) {
    const { words } = useApp();
    useMe(me);
    useEffect(() => {
        me.refresh();
        const look = () => { if (!document.hidden) me.refreshAfter(freshMilliseconds); };
        document.addEventListener("visibilitychange", look);
        return () => document.removeEventListener("visibilitychange", look);
    }, [me]);
    const owner = html`<${Owner} me=${me} isOnDevice=${isOnDevice} onForget=${onForget} />`;
    if (!me.person) {
        return html`${me.trouble ? html`<${TroubleNote} me=${me} isAtDoor=${true} />`
            : html`<div class="skeleton later" aria-busy="true"></div>`}${owner}`;
    }
    const has = (/** @type {import("../data/me-answers.js").Feature} */ feature) => me.person?.features.includes(feature);
    if (!has("journal_page")) return html`<p class="card">${words.t("me.not_yet")}</p>${owner}`;
    return html`<${Notes} me=${me} />
        <${Consent} me=${me} />
        ${me.person.underWay && html`<${UnderWay} me=${me} journey=${me.person.underWay} />`}
        <${Favourites} me=${me} />
        <${Reminders} me=${me} />
        <${Alerts} me=${me} />
        <${Recents} me=${me} />
        ${has("statistics") && html`<${Statistics} me=${me} />`}
        <${Journal} me=${me} />
        <${Transfer} me=${me} />
        <${Settings} me=${me} />
        ${owner}
        <p class="unseen" role="status">${me.isWorking ? words.t("me.working") : ""}</p>`;
}

/**
 * What was done, with a way back, or why it was not.
 * @param {{ me: MeSession }} given
 */
function Notes({ me }) {
    const { words } = useApp();
    const { done } = me;
    return html`<div class="me-notes" aria-live="polite">
        ${done && html`<div class="card me-note"><p>${done.text}</p><p>
            ${done.undo && html`<button type="button" id="me-undo" onClick=${done.undo}>${words.t("me.undo")}</button>`}
            <button type="button" class="is-plain" onClick=${() => me.dismiss()}>${words.t("me.dismiss")}</button></p></div>`}
        ${me.trouble && html`<${TroubleNote} me=${me} isAtDoor=${false} />`}
    </div>`;
}

/** @param {{ me: MeSession, isAtDoor: boolean }} given */
function TroubleNote({ me, isAtDoor }) {
    const { words } = useApp();
    if (!me.trouble) return null;
    const { text, english } = sayMeTrouble(words, me.trouble, isAtDoor);
    return html`<div class="card me-note" role="alert">
        <p class="words-red">${text}</p>
        ${english && html`<p class="small" lang="en">${english}</p>`}
        <p><button type="button" onClick=${() => me.refresh()}>${words.t("answer.retry")}</button></p>
    </div>`;
}

/**
 * Whose journal it is, and forgetting the token.
 * @param {{ me: MeSession, isOnDevice: boolean, onForget: () => void }} given
 */
function Owner({ me, isOnDevice, onForget }) {
    const { words } = useApp();
    return html`<section class="me-owner" aria-labelledby="me-owner-title">
        <h2 id="me-owner-title">${words.t("me.owner")}</h2>
        ${me.person && html`<p>${words.t("me.journal_of", { name: me.person.name })} ${
            words.t("me.kept", { n: me.person.journeys, max: me.person.maxJourneys })}</p>`}
        <p class="small">${words.t(isOnDevice ? "me.token.on_device" : "me.token.in_tab")}</p>
        <p><button type="button" onClick=${onForget}>${words.t("me.forget")}</button></p>
    </section>`;
}
