// The banner under the header: what is missing, by name, and the way out of it. Used by views/app.js.
import { html } from "../vendor/preact.js";
import { useApp, useNow, useSelected } from "../core/app.js";
import { isReplayingService } from "../model/sensors.js";
import { noticeOf, sayNotice } from "../model/notice.js";
import { statusOf } from "../model/status.js";
import { NoticeMark } from "./notice-mark.js";

const tickMilliseconds = 1_000;

export function Banner() {
    const { store, clock, words } = useApp();
    // One object for everything that it is made of: a text that has not changed costs no drawing.
    useSelected((state) => state);
    const now = useNow(tickMilliseconds);
    const { state } = store;
    const status = statusOf(state, now, clock.rate);
    const kind = noticeOf(state, status);
    return html`
        ${kind && html`<${Notice} kind=${kind} text=${sayNotice(words, kind, state, status, now)} />`}
        ${!state.replay && isReplayingService(state.board) && html`<section class="banner-note"
            aria-label=${words.t("notice.label")}>
            <p>${words.t("notice.replaying_service", { day: words.day(now) })}</p></section>`}`;
}

/** @param {{ kind: import("../model/notice.js").NoticeKind, text: string }} given */
function Notice({ kind, text }) {
    const { words, live, replay } = useApp();
    return html`<section class=${`banner is-${kind}`} aria-label=${words.t("notice.label")}>
        <${NoticeMark} kind=${kind} />
        <p>${text}${kind === "error" && html` <${NextTry} />`}</p>
        ${kind === "error" && html`<button type="button" onClick=${() => live.retry()}>
            ${words.t("notice.try_now")}</button>`}
        ${kind === "replay" && html`<button type="button" onClick=${() => replay.stop()}>
            ${words.t("replay.back")}</button>`}
    </section>`;
}

/** How long until the page asks again. */
function NextTry() {
    const { words } = useApp();
    const at = useSelected((state) => state.nextTryAt);
    useNow(tickMilliseconds);
    if (at === null) return null;
    const seconds = Math.ceil((at - performance.now()) / 1000);
    return html`<span>${seconds > 0
        ? words.t("notice.next_try", { age: words.duration(seconds) }) : words.t("notice.trying")}</span>`;
}
