// "When to leave": a notification at the time to leave, while the page is open in any view. Used by views/trip.js.
import { html, useEffect, useState } from "../vendor/preact.js";
import { useApp } from "../core/app.js";

const checkMilliseconds = 5_000;

/** @typedef {{ question: string, leaveAt: number, title: string, body: string }} Reminder */

/** The one reminder that is set: it outlives the view, since the page may show another. */
const reminder = {
    /** @type {Reminder | null} */
    set: null,
    /** @type {any} */
    timer: undefined,
    /** @type {Set<() => void>} */
    listeners: new Set(),
};

/** @param {Reminder | null} next @param {import("../core/clock.js").Clock} clock */
function setReminder(next, clock) {
    clearInterval(reminder.timer);
    reminder.set = next;
    if (next) {
        reminder.timer = setInterval(() => {
            if (!reminder.set || clock.isPlayed || clock.now() < reminder.set.leaveAt) return;
            notify(reminder.set.title, reminder.set.body).catch(() => undefined);
            setReminder(null, clock);
        }, checkMilliseconds);
    }
    for (const listener of [...reminder.listeners]) listener();
}

/** @param {string} title @param {string} body */
async function notify(title, body) {
    const options = { body, tag: "trip", icon: "icon.svg" };
    // Phones show them only through a service worker.
    const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
    try {
        if (!worker) throw new Error("no worker");
        await worker.showNotification(title, options);
    } catch {
        new Notification(title, options);
    }
}

/**
 * @param {object} given
 * @param {string} given.question the trip that it belongs to
 * @param {number} given.leaveAt when to leave, as the newest forecast says
 * @param {string} given.body what is said then
 */
export function RemindButton({ question, leaveAt, body }) {
    const { clock, words } = useApp();
    const [, redraw] = useState(0);
    const [isRefused, setRefused] = useState(false);
    useEffect(() => {
        const hear = () => redraw((n) => n + 1);
        reminder.listeners.add(hear);
        return () => { reminder.listeners.delete(hear); };
    }, []);
    const isSet = reminder.set?.question === question;
    // The forecast moves, and the time to leave with it.
    useEffect(() => {
        if (isSet && reminder.set) Object.assign(reminder.set, { leaveAt, body });
    }, [isSet, leaveAt, body]);
    if (!isSecureContext || typeof Notification === "undefined" || clock.isPlayed) return null;
    if (!isSet && leaveAt < clock.now() + 60_000) return null;

    async function toggle() {
        if (isSet) return setReminder(null, clock);
        const permission = await Notification.requestPermission();
        setRefused(permission !== "granted");
        if (permission !== "granted") return;
        setReminder({ question, leaveAt, title: words.t("trip.remind.title"), body }, clock);
    }

    return html`<button type="button" aria-pressed=${isSet ? "true" : "false"} onClick=${toggle}>
            ${words.t("trip.remind")}</button>
        ${isSet && html`<p class="small">${words.t("trip.remind.set", { time: words.time(leaveAt) })}</p>`}
        ${isRefused && html`<p class="words-red" role="alert">${words.t("trip.remind.refused")}</p>`}`;
}
