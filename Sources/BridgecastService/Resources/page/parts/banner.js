// The banner under the header: what is missing, by name, and what the visitor can do about it.
import { html, useRef } from "../vendor/preact.js";
import { useApp, useMedia, useNow, useSelected } from "../core/hooks.js";
import { noticeOf, sayNotice, sayWarnings } from "../model/notice.js";
import { isReplayingService, statusOf } from "../model/status.js";

const tickMilliseconds = 1_000;

export function Banner() {
    const { store, clock, words } = useApp();
    // One object for everything that it is made of: a text that has not changed costs no drawing.
    useSelected((state) => state);
    const now = useNow(tickMilliseconds);
    const { state } = store;
    const status = statusOf(state, now, clock.rate);
    const kind = noticeOf(state, status);
    const isWide = useMedia("(min-width: 1024px)");
    const { view } = state.address;
    // Next to an answer that is dated the day is shown already.
    const isDayShown = view === "now" || view === "bridge" || (isWide && view === "trip");
    return html`
        ${state.refused && html`<${Refused} refused=${state.refused} />`}
        ${kind && html`<${Notice} kind=${kind} text=${sayNotice(words, kind, state, status, now)} />`}
        ${!isDayShown && !state.replay && isReplayingService(state.board) && html`<section class="banner-note"
            aria-label=${words.t("notice.label")}>
            <p>${words.t("notice.replaying_service", { day: words.day(now) })}</p></section>`}`;
}

/** @param {{ kind: import("../model/notice.js").NoticeKind, text: string }} given */
function Notice({ kind, text }) {
    const { words, live, replay } = useApp();
    // On a phone the player at the bottom has the same button.
    const isRoomy = useMedia("(min-width: 720px)");
    return html`<section class=${`banner is-${kind}`} aria-label=${words.t("notice.label")}>
        <${NoticeMark} kind=${kind} />
        <div class="banner-words">
            <p>${text}${kind === "error" && html` <${NextTry} />`}</p>
            ${kind === "replay" && html`<${Warnings} />`}
        </div>
        ${kind === "error" && html`<button type="button" onClick=${() => live.retry()}>
            ${words.t("notice.try_now")}</button>`}
        ${kind === "replay" && isRoomy && html`<button type="button" onClick=${() => replay.stop()}>
            ${words.t("replay.back")}</button>`}
    </section>`;
}

/** What the service warns of in the board that is shown; between two boards that of the last. */
function Warnings() {
    const { words } = useApp();
    const board = useSelected((state) => state.board);
    const replay = useSelected((state) => state.replay);
    const kept = useRef({ date: "", warnings: /** @type {string[]} */ ([]) });
    const date = replay?.date ?? "";
    if (board || kept.current.date !== date) kept.current = { date, warnings: board?.warnings ?? [] };
    // The player shows that the whole day lacks records.
    return sayWarnings(words, kept.current.warnings)
        .filter(({ key }) => key !== "warning.no_records" || replay?.day?.covered !== false)
        .map(({ key, text }) => html`<p class="banner-quiet" lang=${key ? undefined : "en"}>${text}</p>`);
}

/**
 * Why a time that was asked for cannot be shown, and the way out.
 * @param {{ refused: import("../core/types").RefusedReplay }} given
 */
function Refused({ refused }) {
    const { clock, words, replay } = useApp();
    const isPlayed = useSelected((state) => state.replay !== null);
    const value = refused.value.length > 40 ? refused.value.slice(0, 40) + "…" : refused.value;
    return html`<section class="banner is-refused" aria-labelledby="refused">
        <${NoticeMark} kind="error" />
        <p id="refused" role="alert">${words.t(`replay.refused.${refused.code}`,
            { value, today: words.day(clock.serviceNow()) })}</p>
        ${!isPlayed && html`<button type="button" onClick=${() => replay.stop()}>
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

const triangle = "M12 3L22 21H2Z M12 10V14 M12 17.5V18";
const shapes = /** @type {Record<string, string>} */ ({
    replay: "M12 4A8 8 0 1 1 5 8 M5 3V8H10 M12 8V12L15 14",
    offline: "M4 20L20 4 M4 10A11 11 0 0 1 12 7 M8 14A6 6 0 0 1 10 12.5 M15 12.8A6 6 0 0 1 16 14 "
        + "M17 9A11 11 0 0 1 20 10 M12 18V18.5",
    error: triangle, dead: triangle,
    stale: "M12 4A8 8 0 1 1 11.9 4 M12 8V12L15 14",
    silent: "M12 4A8 8 0 1 1 11.9 4 M12 8V13 M12 16V16.5",
});

/** @param {{ kind: string }} given */
function NoticeMark({ kind }) {
    return html`<svg class="notice-mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path d=${shapes[kind] ?? triangle} /></svg>`;
}
