// Alerts of a person: whether this browser and others get them, rules, a pause, a test, and what was sent.
import { html, useEffect, useState } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { readAlerts } from "../data/alert-answers.js";
import { MeEvents } from "../data/me-events.js";
import { AddRule } from "./add-rule.js";
import { sayRule, sayStatus } from "./alert-words.js";
import { focusOn, useFocusAfter, useMine } from "./hooks.js";
import { ThisBrowser } from "./this-browser.js";
import { sayDayAndTime } from "./words.js";

/** @typedef {import("./session.js").MeSession} MeSession */
/** @typedef {import("../data/alert-answers.js").Alerts} Known */

/** @param {{ me: MeSession }} given */
export function Alerts({ me }) {
    const { words } = useApp();
    const { value, trouble } = useMine(me, "/alerts", readAlerts);
    useEvents(me);
    return html`<section class="card me-alerts" aria-labelledby="me-alerts-title">
        <h2 id="me-alerts-title">${words.t("me.alerts")}</h2>
        ${value ? html`<p>${words.t("me.alerts.lead")}</p>
            <${ThisBrowser} me=${me} alerts=${value} />
            <${Rules} me=${me} alerts=${value} />
            <${Pause} me=${me} alerts=${value} />
            <${Sent} sent=${value.sent} />`
        : trouble?.status === 404 ? html`<p>${words.t("me.alerts.none")}</p>`
        : !trouble && html`<div class="skeleton later" aria-busy="true"></div>`}
    </section>`;
}

// The page has an alert before it is known what became of it elsewhere.
const settlingMilliseconds = 3_000;

/**
 * Reads all again with each alert, while the page is seen.
 * @param {MeSession} me
 */
function useEvents(me) {
    useEffect(() => {
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        let timer;
        const events = new MeEvents((lastID, signal) => me.openEvents(lastID, signal), () => {
            me.refreshAfter(0);
            clearTimeout(timer);
            timer = setTimeout(() => me.refreshAfter(0), settlingMilliseconds);
        });
        const look = () => { if (document.hidden) events.stop(); else events.start(); };
        look();
        document.addEventListener("visibilitychange", look);
        return () => {
            document.removeEventListener("visibilitychange", look);
            events.stop();
            clearTimeout(timer);
        };
    }, [me]);
}

/** @param {{ me: MeSession, alerts: Known }} given */
function Rules({ me, alerts }) {
    const { words } = useApp();
    const [isAdding, setAdding] = useState(false);
    /** @param {string} id */
    async function remove(id) {
        await me.removeRule(id, words.t("me.rule.removed"));
        focusOn("me-add-rule", "me-add-rule-title");
    }
    return html`<h3>${words.t("me.rules")}</h3>
        ${alerts.rules.length === 0 && html`<p>${words.t("me.rules.none")}</p>`}
        <ul class="me-list">${alerts.rules.map((rule) => html`<li key=${rule.id}><p>${sayRule(words, rule)}</p>
            <p class="me-buttons"><button type="button" class="is-plain" disabled=${me.isWorking}
                onClick=${() => remove(rule.id)}>
                ${words.t("me.remove")}<span class="unseen">: ${sayRule(words, rule)}</span></button></p></li>`)}</ul>
        ${isAdding ? html`<${AddRule} me=${me} onClose=${() => setAdding(false)} />`
        : html`<p><button type="button" id="me-add-rule" onClick=${() => setAdding(true)}>${words.t("me.rule.add")}</button></p>`}`;
}

const pauses = /** @type {const} */ (["hour", "morning", "week"]);

/** @param {{ me: MeSession, alerts: Known }} given */
function Pause({ me, alerts }) {
    const { words } = useApp();
    const { pausedUntil } = alerts;
    const focusNext = useFocusAfter(pausedUntil === null);
    /** @param {"hour" | "morning" | "week" | "off"} length @param {string} next */
    function pause(length, next) {
        focusNext(next);
        me.pauseAlerts(length);
    }
    return html`<h3>${words.t("me.pause")}</h3>
        ${pausedUntil === null ? html`<p>${words.t("me.pause.help")}</p>
            <p class="me-buttons">${pauses.map((length) => html`<button key=${length} type="button" id=${`me-pause-${length}`}
                disabled=${me.isWorking} onClick=${() => pause(length, "me-pause-off")}>${words.t(`me.pause.${length}`)}</button>`)}</p>`
        : html`<p>${words.t("me.pause.until", { time: sayDayAndTime(words, pausedUntil) })}</p>
            <p class="me-buttons"><button type="button" id="me-pause-off" disabled=${me.isWorking}
                onClick=${() => pause("off", "me-pause-hour")}>${words.t("me.pause.off")}</button></p>`}`;
}

/** @param {{ sent: Known["sent"] }} given */
function Sent({ sent }) {
    const { words } = useApp();
    if (sent.length === 0) return null;
    return html`<details class="me-settings"><summary>${words.t("me.sent")}</summary>
        <ol class="me-list">${sent.map(({ id, title, text, at, status }) => html`<li key=${id}>
            <p><strong lang="en">${title}</strong> <span lang="en">${text}</span></p>
            <p class="small">${at !== null && sayDayAndTime(words, at)} · ${sayStatus(words, status)}</p></li>`)}</ol></details>`;
}
