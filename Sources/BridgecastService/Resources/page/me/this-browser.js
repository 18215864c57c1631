// Whether this browser gets a person's alerts: switching it on and off, repairing it, a test, and the person's other browsers.
import { html, useEffect, useState } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import * as push from "../data/push.js";
import { useFocusAfter } from "./hooks.js";
import { Refusal } from "./refusal.js";
import { sayDay } from "./words.js";

/** @typedef {import("./session.js").MeSession} MeSession */
/** @typedef {import("../data/alert-answers.js").Alerts} Alerts */

/** @param {{ me: MeSession, alerts: Alerts }} given */
export function ThisBrowser({ me, alerts }) {
    const { words } = useApp();
    const { own, look } = useOwnID();
    const [note, setNote] = useState(/** @type {string | null} */ (null));
    const known = alerts.browsers.map(({ id }) => id);
    useRepair(me, alerts, own, look);
    const isOn = own !== undefined && own !== null && known.includes(own);
    const state = push.pushState();
    const focusNext = useFocusAfter(isOn);

    async function switchOn() {
        setNote(null);
        // The press is what a browser wants before it asks.
        if (await Notification.requestPermission() !== "granted") {
            return setNote(words.t(push.pushState() === "denied" ? "me.browser.denied" : "me.browser.not_allowed"));
        }
        let isSubscribed = false;
        focusNext("me-browser-test");
        await me.setBrowser(async () => {
            try {
                const document = await subscribed(me, alerts, null);
                isSubscribed = true;
                return document;
            } catch {
                setNote(words.t("me.browser.failed"));
                throw new Error("the browser did not subscribe");
            }
        }, words.t("me.browser.on"));
        if (!isSubscribed) me.dismiss();
        look();
    }
    /** @param {string} id */
    async function switchOff(id) {
        setNote(null);
        if (id === own) focusNext("me-browser-on");
        await me.setBrowser(async () => {
            if (id === own) await leavePush();
            return { remove: id };
        }, words.t("me.browser.off"));
        look();
    }
    return html`<h3>${words.t("me.browser")}</h3>
        ${state !== "ready" && !isOn ? html`<p>${words.t(`me.browser.${state}`)}</p>`
        : isOn ? html`<p>${words.t("me.browser.is_on")}</p><p class="me-buttons">
            <button type="button" id="me-browser-test" disabled=${me.isWorking}
                onClick=${() => me.testAlerts(words.t("me.browser.tested"))}>${words.t("me.browser.test")}</button>
            <button type="button" id="me-browser-off" disabled=${me.isWorking} onClick=${() => switchOff(own)}>
                ${words.t("me.browser.switch_off")}</button></p>`
        : html`<p class="me-buttons"><button type="button" id="me-browser-on" disabled=${me.isWorking || alerts.pushKey === null}
            onClick=${switchOn}>${words.t("me.browser.switch_on")}</button></p>`}
        <${Refusal} note=${note === null ? null : { text: note, english: null }} />
        <${Others} me=${me} browsers=${alerts.browsers.filter(({ id }) => id !== own)} onRemove=${switchOff} />`;
}

/** @param {{ me: MeSession, browsers: Alerts["browsers"], onRemove: (id: string) => void }} given */
function Others({ me, browsers, onRemove }) {
    const { words } = useApp();
    if (browsers.length === 0) return null;
    return html`<p>${words.t("me.browser.others", { n: browsers.length })}</p>
        <ul class="me-list">${browsers.map(({ id, host, addedAt }) => html`<li key=${id}>
            <p>${words.t("me.browser.other", { host, day: addedAt === null ? "" : sayDay(words, addedAt) })}</p>
            <p class="me-buttons"><button type="button" class="is-plain" disabled=${me.isWorking} onClick=${() => onRemove(id)}>
                ${words.t("me.browser.switch_off")}<span class="unseen">: ${host}</span></button></p></li>`)}</ul>`;
}

/**
 * The id of this browser's subscription: undefined until that is known, null without one.
 * @returns {{ own: string | null | undefined, look: () => void }}
 */
function useOwnID() {
    const [own, setOwn] = useState(/** @type {string | null | undefined} */ (undefined));
    const look = () => {
        push.currentSubscription().then(async (found) => setOwn(found ? await push.browserID(found.endpoint) : null), () => setOwn(null));
    };
    useEffect(() => {
        look();
        const heard = (/** @type {MessageEvent} */ event) => { if (event.data?.resubscribed) look(); };
        navigator.serviceWorker?.addEventListener("message", heard);
        return () => navigator.serviceWorker?.removeEventListener("message", heard);
    }, []);
    return { own, look };
}

/**
 * Subscribes again where the browser has changed its subscription: only a page has the token to tell the service.
 * @param {MeSession} me @param {Alerts} alerts @param {string | null | undefined} own @param {() => void} look
 */
function useRepair(me, alerts, own, look) {
    const { words } = useApp();
    useEffect(() => {
        const kept = push.keptBrowser();
        const isDue = own !== undefined && push.isRepairDue({
            kept, person: me.person?.name ?? "", current: own, known: alerts.browsers.map(({ id }) => id),
            isAllowed: push.pushState() === "ready" && Notification.permission === "granted",
        });
        if (!isDue || !kept || me.isWorking) return;
        me.setBrowser(() => subscribed(me, alerts, kept.id), words.t("me.browser.repaired")).then(look);
    }, [own, alerts]);
}

/**
 * Subscribes this browser, and keeps under which id; what to send.
 * @param {MeSession} me @param {Alerts} alerts @param {string | null} former
 */
async function subscribed(me, alerts, former) {
    const subscription = await push.subscribe(alerts.pushKey ?? "");
    push.keepBrowser({ id: await push.browserID(subscription.endpoint), person: me.person?.name ?? "" });
    return { document: push.subscriptionDocument(subscription, former) };
}

/**
 * Ends this browser's subscription.
 * @returns {Promise<string | null>} its id
 */
export async function leavePush() {
    const subscription = await push.currentSubscription().catch(() => null);
    push.keepBrowser(null);
    if (!subscription) return null;
    const id = await push.browserID(subscription.endpoint);
    await subscription.unsubscribe().catch(() => false);
    return id;
}
