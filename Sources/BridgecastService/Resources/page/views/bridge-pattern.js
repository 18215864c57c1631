// How often and how long a bridge opens, by weekday and hour, out of its records. Part of a bridge's own page.
import { html, useState } from "../vendor/preact.js";
import { useAnswer, useApp } from "../core/app.js";
import { Heat } from "../draw/heat.js";
import { sayHourSpan, sayWeekday } from "../model/hours.js";
import { fifth, gridOf, highestCell, usualMost } from "../model/pattern.js";
import { NoAnswer } from "../parts/no-answer.js";

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
    const about = words.t("bridge.pattern_about", {
        n: pattern.openings, days: words.number(pattern.covered_days),
        from: words.day(pattern.from), to: words.day(Date.parse(pattern.to) - 1),
    });
    const half = pattern.median_duration_s === null ? ""
        : words.t("bridge.half", { duration: words.duration(pattern.median_duration_s) }) + " ";
    const table = {
        head: ["hour", "often_unit", "long_head", "openings"].map((name) => words.t(`bridge.${name}`)),
        rows: grid.flat().map((cell) => [
            `${sayWeekday(words.locale, cell.weekday, "short")} ${sayHourSpan(words.locale, cell.hour)}`,
            cell.perHour === null ? "–" : words.number(cell.perHour, 2),
            cell.minutes === null ? "–" : words.t("unit.minutes", { n: Math.round(cell.minutes) }), cell.openings]),
    };
    return html`<${Heat} grid=${grid} read=${read} step=${fifth(usualMost(grid, read))} marked=${marked}
        title=${sayHighest(words, marked, most, shown)} unit=${words.t(`bridge.${shown}_unit`)}
        none=${words.t(`bridge.none_${shown}`)} sentence=${half + about} table=${table} />`;
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
