// The button of a departure that asks for a notification shortly before it comes.
import { html, useEffect, useState } from "../vendor/preact.js";
import { useApp, useRedraw } from "../core/hooks.js";
import { feedbackRefusal } from "../core/feedback.js";
import { notificationProblem } from "../core/notify.js";
import { awaitArrival, forgetArrival, isAwaited, noticeMilliseconds, onAwaited } from "./arrival.js";
import { sayRun } from "./words.js";

/** @param {{ departure: import("../data/board.js").Departure, where: import("./arrival.js").Where }} given */
export function ArrivalBell({ departure, where }) {
    const app = useApp();
    const { words, clock } = app;
    const redraw = useRedraw();
    const [refusal, setRefusal] = useState(/** @type {import("../core/feedback.js").FeedbackProblem | null} */ (null));
    useEffect(() => onAwaited(redraw), []);
    const isSet = isAwaited(departure.key);
    const isTooLate = departure.at === null || departure.at - clock.now() < noticeMilliseconds;
    if (notificationProblem() !== null || (isTooLate && !isSet)) return null;

    async function toggle() {
        if (isSet) return forgetArrival(departure.key);
        const problem = await feedbackRefusal();
        setRefusal(problem);
        if (problem === null) awaitArrival(app, departure, where);
    }

    const name = words.t("board.bell", { run: sayRun(words, departure) });
    return html`<div class="board-bell">
        <button type="button" aria-pressed=${isSet ? "true" : "false"} aria-label=${name}
            title=${words.t("board.bell.short")} onClick=${toggle}>
            <svg class="chip-mark" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
                <path d="M3 15H17L15 12V8A5 5 0 0 0 5 8V12ZM9 18H11" /></svg></button>
        ${refusal && html`<p class="small" role="alert">${words.t(`feedback.${refusal}`)}</p>`}</div>`;
}
