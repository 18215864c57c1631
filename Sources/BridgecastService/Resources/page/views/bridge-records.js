// What the records say of a bridge: its last ten openings, and how often and how long it opens by weekday and hour.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { useAnswer, useApp, useNow } from "../core/hooks.js";
import { Heat } from "../draw/week.js";
import { fifth, gridOf, highestCell, nearlyHighest } from "../model/pattern.js";
import { sayHourSpan, sayWeekday, seattleText } from "../model/time.js";
import { NoAnswer } from "../parts/fallback.js";

/** @typedef {{ opened_at: string, closed_at: string | null }} Opening */
/** @typedef {{ openings: Opening[], total: number }} HistoryDocument */

const maxShown = 10;
// A played clock asks again this often, up to the end of the span; what is ahead of it is left out here.
const spanMilliseconds = 600_000;
const aheadOpenings = 4;
const redrawMilliseconds = 5_000;
const slowMilliseconds = 700;

/** @param {{ bridge: import("../core/types").Bridge }} given */
export function BridgeOpenings({ bridge }) {
    const { words } = useApp();
    const now = useNow(redrawMilliseconds);
    const { total, openings, answer, path } = useOpenings(bridge, now);
    return html`<section class="card">
        <h2>${words.t("bridge.last")}</h2>
        ${openings && openings.length > 0 ? html`<${OpeningTable} openings=${openings} now=${now} />`
        : openings ? html`<p>${words.t(total === 0 ? "bridge.no_records" : "bridge.none_before")}</p>`
            : html`<${NoAnswer} answer=${answer} path=${path} what=${words.t("bridge.last")} />`}
    </section>`;
}

/** @param {import("../core/types").Bridge} bridge @param {number} now */
function useOpenings(bridge, now) {
    const { isPlayed } = useApp().clock;
    const until = useSlowed(seattleText(Math.ceil((now + 1) / spanMilliseconds) * spanMilliseconds));
    const path = `history?bridge=${bridge.bridge_id}${isPlayed ? `&to=${encodeURIComponent(until)}` : ""}`;
    const countPath = `${path}&limit=1`;
    const following = isPlayed ? "once" : "board";
    /** @type {import("../data/answers.js").Answer<HistoryDocument>} */
    const count = useAnswer(countPath, following);
    const total = count.value?.total ?? null;
    const limit = maxShown + (isPlayed ? aheadOpenings : 0);
    const lastPath = total === null ? null : `${path}&limit=${limit}&offset=${Math.max(0, total - limit)}`;
    /** @type {import("../data/answers.js").Answer<HistoryDocument>} */
    const last = useAnswer(lastPath, following);
    // While a newer answer is waited for, the one before stays.
    const kept = useRef(/** @type {Opening[] | null} */ (null));
    if (last.value) kept.current = last.value.openings;
    const openings = kept.current?.map((opening) => asOf(opening, now)).filter((opening) => opening.from <= now)
        .slice(-maxShown).reverse();
    return { total, openings, answer: count.trouble ? count : last, path: lastPath ?? countPath };
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
 * @param {import("../core/words.js").Words} words @param {number} time @param {number} now
 */
const sayDay = (words, time, now) => Math.abs(now - time) > 180 * 86_400_000 ? words.day(time)
    : `${words.weekday(time, "short")} ${words.shortDay(time)}`;

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
 * An opening as known at a time: without an end that is still to come.
 * @param {Opening} opening @param {number} now
 */
function asOf(opening, now) {
    const to = opening.closed_at === null ? null : Date.parse(opening.closed_at);
    return { from: Date.parse(opening.opened_at), to: to !== null && to <= now ? to : null };
}

/** @typedef {import("../model/pattern.js").Cell} Cell */

/** @type {Record<string, (cell: Cell) => number | null>} */
const readings = { often: (cell) => cell.perHour, long: (cell) => cell.minutes };

/** @param {{ bridgeId: number }} given */
export function BridgePattern({ bridgeId }) {
    const { words } = useApp();
    const [shown, setShown] = useState("often");
    const path = `bridges/${bridgeId}/pattern`;
    /** @type {import("../data/answers.js").Answer<import("../core/types").PatternDocument>} */
    const answer = useAnswer(path, "once");
    const pattern = answer.value;
    return html`<section class="card">
        <h2>${words.t("bridge.pattern")}</h2>
        ${!pattern ? html`<${NoAnswer} answer=${answer} path=${path} what=${words.t("bridge.pattern")} />`
        : pattern.covered_days > 0 ? html`
            <div class="bridge-toggle" role="group" aria-label=${words.t("bridge.pattern")}>
                ${Object.keys(readings).map((name) => html`<button type="button"
                    aria-pressed=${shown === name ? "true" : "false"} onClick=${() => setShown(name)}>
                    ${words.t(`bridge.${name}`)}</button>`)}</div>
            <${WeekHeat} pattern=${pattern} shown=${shown} />` : html`<p>${words.t("bridge.no_records")}</p>`}
    </section>`;
}

/** @param {{ pattern: import("../core/types").PatternDocument, shown: string }} given */
function WeekHeat({ pattern, shown }) {
    const { words } = useApp();
    const grid = gridOf(pattern);
    const read = readings[shown];
    const marked = highestCell(grid, read);
    const most = marked ? read(marked) ?? 0 : 0;
    const table = {
        head: ["hour", "often_unit", "long_head", "openings"].map((name) => words.t(`bridge.${name}`)),
        rows: grid.flat().map((cell) => [
            `${sayWeekday(words.locale, cell.weekday, "short")} ${sayHourSpan(words.locale, cell.hour)}`,
            cell.perHour === null ? "–" : words.number(cell.perHour, 2),
            cell.minutes === null ? "–" : words.t("unit.minutes", { n: Math.round(cell.minutes) }), cell.openings]),
    };
    return html`<${Heat} grid=${grid} read=${read} step=${fifth(nearlyHighest(grid, read))} marked=${marked}
        title=${sayHighest(words, marked, most, shown)} unit=${words.t(`bridge.${shown}_unit`)}
        none=${words.t(`bridge.none_${shown}`)} sentence=${sayRecords(words, pattern)} table=${table} />`;
}

/**
 * What the pattern rests on, and how long half of the openings last.
 * @param {import("../core/words.js").Words} words
 * @param {import("../core/types").PatternDocument} pattern
 */
function sayRecords(words, pattern) {
    const about = words.t("bridge.pattern_about", {
        n: pattern.openings, days: words.number(pattern.covered_days),
        from: words.day(pattern.from ?? ""), to: words.day(Date.parse(pattern.to ?? "") - 1),
    });
    if (pattern.median_duration_s === null) return about;
    return `${words.t("bridge.half", { duration: words.duration(pattern.median_duration_s) })} ${about}`;
}

/**
 * @param {import("../core/words.js").Words} words
 * @param {Cell | null} marked
 * @param {number} most its value
 * @param {string} shown
 */
function sayHighest(words, marked, most, shown) {
    if (!marked) return words.t("bridge.never_opened");
    const where = { day: sayWeekday(words.locale, marked.weekday), hours: sayHourSpan(words.locale, marked.hour) };
    if (shown === "long") return words.t("bridge.longest", { ...where, n: Math.round(most) });
    return words.t("bridge.busiest", { ...where, n: Math.round(most * 10) / 10, rate: words.number(most, 1) });
}
