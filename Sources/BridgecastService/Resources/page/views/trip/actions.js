// A reminder to leave.
import { html, useEffect, useState } from "../../vendor/preact.js";
import { useApp, useRedraw } from "../../core/hooks.js";
import { feedbackRefusal } from "../../core/feedback.js";
import { notificationProblem, notify } from "../../core/notify.js";

const checkMilliseconds = 5_000;

/** @typedef {{ question: string, leaveAt: number, title: string, body: string, lang: string }} Reminder */

/** The one reminder that is set: it outlives the view, since the page may show another. */
const reminder = {
    /** @type {Reminder | null} */
    set: null,
    /** @type {any} */
    timer: undefined,
    /** @type {Set<() => void>} */
    listeners: new Set(),
};

/** @param {Reminder | null} next @param {import("../../core/clock.js").Clock} clock */
function setReminder(next, clock) {
    clearInterval(reminder.timer);
    reminder.set = next;
    if (next) {
        reminder.timer = setInterval(() => {
            if (!reminder.set || clock.isPlayed || clock.now() < reminder.set.leaveAt) return;
            const { title, body, lang } = reminder.set;
            notify(title, { body, tag: "trip", lang });
            setReminder(null, clock);
        }, checkMilliseconds);
    }
    for (const listener of [...reminder.listeners]) listener();
}

/**
 * @param {object} given
 * @param {string} given.question the trip that it belongs to
 * @param {number} given.leaveAt when to leave, as the newest forecast says
 * @param {string} given.body the text of the notification
 */
export function RemindButton({ question, leaveAt, body }) {
    const { clock, words } = useApp();
    const redraw = useRedraw();
    const [refusal, setRefusal] = useState(/** @type {import("../../core/feedback.js").FeedbackProblem | null} */ (null));
    useEffect(() => {
        reminder.listeners.add(redraw);
        return () => { reminder.listeners.delete(redraw); };
    }, []);
    const isSet = reminder.set?.question === question;
    // The forecast moves, and the time to leave with it.
    useEffect(() => {
        if (isSet && reminder.set) Object.assign(reminder.set, { leaveAt, body });
    }, [isSet, leaveAt, body]);
    if (clock.isPlayed) return null;
    if (!isSet && leaveAt < clock.now() + 60_000) return null;
    const unavailable = notificationProblem();
    if (unavailable !== null) return html`<p class="small">${words.t(`feedback.${unavailable}`)}</p>`;

    async function toggle() {
        if (isSet) return setReminder(null, clock);
        const problem = await feedbackRefusal();
        setRefusal(problem);
        if (problem === null) {
            setReminder({ question, leaveAt, title: words.t("trip.remind.title"), body, lang: words.locale }, clock);
        }
    }

    return html`<button type="button" aria-pressed=${isSet ? "true" : "false"} onClick=${toggle}>
            ${words.t("trip.remind")}</button>
        ${isSet && html`<p class="small">${words.t("trip.remind.set", { time: words.time(leaveAt) })}</p>`}
        ${refusal && html`<p class="words-red" role="alert">${words.t(`feedback.${refusal}`)}</p>`}`;
}
