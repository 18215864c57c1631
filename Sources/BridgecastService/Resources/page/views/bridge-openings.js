// The last ten openings of a bridge, as known at the shown moment. Part of a bridge's own page.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { useAnswer, useApp, useNow } from "../core/app.js";
import { seattleText } from "../model/seattle.js";
import { NoAnswer } from "../parts/no-answer.js";

/** @typedef {{ opened_at: string, closed_at: string | null }} Opening */
/** @typedef {{ openings: Opening[], total: number }} HistoryDocument */

const mostShown = 10;
// A played clock asks again this often, up to the end of the span; what lies ahead of it is left out here.
const spanMilliseconds = 600_000;
const aheadOpenings = 4;
const redrawMilliseconds = 5_000;
const slowMilliseconds = 700;

/** @param {{ bridge: import("../core/types").Bridge }} given */
export function BridgeOpenings({ bridge }) {
    const { words, clock } = useApp();
    const now = useNow(redrawMilliseconds);
    const isPlayed = clock.isPlayed;
    const until = useSlowed(seattleText(Math.ceil((now + 1) / spanMilliseconds) * spanMilliseconds));
    const path = `history?bridge=${bridge.bridge_id}${isPlayed ? `&to=${encodeURIComponent(until)}` : ""}`;
    const countPath = `${path}&limit=1`;
    const following = isPlayed ? "once" : "board";
    /** @type {import("../data/answers.js").Answer<HistoryDocument>} */
    const count = useAnswer(countPath, following);
    const total = count.value?.total ?? null;
    const limit = mostShown + (isPlayed ? aheadOpenings : 0);
    const lastPath = total === null ? null : `${path}&limit=${limit}&offset=${Math.max(0, total - limit)}`;
    /** @type {import("../data/answers.js").Answer<HistoryDocument>} */
    const last = useAnswer(lastPath, following);
    // While a newer answer is waited for, the one before stands.
    const kept = useRef(/** @type {Opening[] | null} */ (null));
    if (last.value) kept.current = last.value.openings;
    const openings = kept.current?.map((opening) => asOf(opening, now)).filter((opening) => opening.from <= now)
        .slice(-mostShown).reverse();
    return html`<section class="card">
        <h2>${words.t("bridge.last")}</h2>
        ${openings && openings.length > 0 ? html`<${OpeningTable} openings=${openings} now=${now} />`
        : openings ? html`<p>${words.t(total === 0 ? "bridge.no_records" : "bridge.none_before")}</p>`
            : html`<${NoAnswer} answer=${count.trouble ? count : last} path=${lastPath ?? countPath}
                what=${words.t("bridge.last")} />`}
    </section>`;
}

/** @param {{ openings: ReturnType<typeof asOf>[], now: number }} given */
function OpeningTable({ openings, now }) {
    const { words } = useApp();
    return html`<table class="bridge-openings">
        <caption class="unseen">${words.t("bridge.last")}</caption>
        <thead><tr>${["day", "went_up", "stayed_up"].map((name) => html`
            <th scope="col">${words.t(`bridge.${name}`)}</th>`)}</tr></thead>
        <tbody>${openings.map(({ from, to }) => html`<tr key=${from}>
            <th scope="row">${sayDay(words, from, now)}</th>
            <td>${words.time(from)}</td>
            <td>${to === null ? words.t("bridge.not_ended") : words.duration((to - from) / 1000)}</td></tr>`)}</tbody>
    </table>`;
}

/**
 * A day, with its year where that is another one.
 * @param {import("../core/words.js").Words} words @param {number} moment @param {number} now
 */
const sayDay = (words, moment, now) => Math.abs(now - moment) > 180 * 86_400_000 ? words.day(moment)
    : `${words.weekday(moment, "short")} ${words.shortDay(moment)}`;

/**
 * A text that changes often, seldom: a slider that is dragged asks no question for each place it passes.
 * @param {string} text
 */
function useSlowed(text) {
    const latest = useRef(text);
    latest.current = text;
    const [slow, setSlow] = useState(text);
    const isBehind = slow !== text;
    useEffect(() => {
        if (!isBehind) return undefined;
        const timer = setTimeout(() => setSlow(latest.current), slowMilliseconds);
        return () => clearTimeout(timer);
    }, [isBehind, slow]);
    return slow;
}

/**
 * An opening as it is known at a moment: an end that is still to come is not.
 * @param {Opening} opening @param {number} now
 */
function asOf(opening, now) {
    const to = opening.closed_at === null ? null : Date.parse(opening.closed_at);
    return { from: Date.parse(opening.opened_at), to: to !== null && to <= now ? to : null };
}
