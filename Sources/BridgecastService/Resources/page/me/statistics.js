// What the journeys say: totals, delays, when they are made, how reliable routes are, and how good the forecasts were.
import { html, useState } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { ranges, readStatistics } from "../data/me-answers.js";
import { sayHour, sayHourSpan, sayWeekday } from "../model/time.js";
import { CountBars } from "./count-bars.js";
import { useMine } from "./hooks.js";
import { Refusal } from "./refusal.js";
import { personZone, sayAccuracy, sayDelay, sayMeTrouble, sayMonth, sayName, sayPercent } from "./words.js";

/** @typedef {import("../data/me-answers.js").Statistics} MyStatistics */
/** @typedef {import("../data/me-answers.js").RouteUse} RouteUse */

/** @param {{ me: import("./session.js").MeSession }} given */
export function Statistics({ me }) {
    const { words } = useApp();
    const [range, setRange] = useState("month");
    const asked = new URLSearchParams({ range, zone: personZone() });
    const { value, trouble } = useMine(me, `/statistics?${asked}`, readStatistics);
    const note = trouble && sayMeTrouble(words, trouble);
    // Figures that may be of another range are not shown under this one.
    return html`<section class="card me-statistics" aria-labelledby="me-statistics-title">
        <h2 id="me-statistics-title">${words.t("me.statistics")}</h2>
        <fieldset class="segments me-ranges"><legend class="unseen">${words.t("me.range")}</legend>
            ${ranges.map((one) => html`<label key=${one}><input type="radio" class="unseen" name="me-range" value=${one}
                checked=${one === range} onChange=${() => setRange(one)} /><span>${words.t(`me.range.${one}`)}</span></label>`)}
        </fieldset>
        <${Refusal} note=${note} />
        ${note ? null : value === null ? html`<div class="skeleton later" aria-busy="true"></div>`
        : value.journeys === 0 ? html`<p>${words.t("me.statistics.none")}</p>` : html`<${Figures} value=${value} />`}
    </section>`;
}

/** @param {{ value: MyStatistics }} given */
function Figures({ value }) {
    const { words } = useApp();
    return html`<${Totals} value=${value} />
        <div class="me-bars">
            <${Hours} hours=${value.hours} /><${Weekdays} weekdays=${value.weekdays} />
            ${value.months.length > 1 && html`<${Months} months=${value.months} />`}
        </div>
        <${Routes} routes=${value.routes} threshold=${value.threshold} />
        <h3>${words.t("me.accuracy")}</h3>
        ${value.forecasts === null ? html`<p>${words.t("me.accuracy.none")}</p>`
        : html`<ul class="me-sentences">${sayAccuracy(words, value.forecasts).map((sentence) => html`<li key=${sentence}>
            ${sentence}</li>`)}</ul>`}`;
}

/** @param {{ value: MyStatistics }} given */
function Totals({ value }) {
    const { words } = useApp();
    const { journeys, arrived, abandoned, meanDelay, medianDelay } = value;
    const rows = [
        ["me.total.journeys", words.number(journeys)], ["me.total.arrived", words.number(arrived)],
        ["me.total.abandoned", words.number(abandoned)],
        ["me.total.mean", meanDelay === null ? "–" : sayDelay(words, meanDelay)],
        ["me.total.median", medianDelay === null ? "–" : sayDelay(words, medianDelay)],
    ];
    return html`<dl class="me-totals">${rows.map(([key, text]) => html`<div key=${key}>
        <dt>${words.t(key)}</dt><dd>${text}</dd></div>`)}</dl>`;
}

/**
 * Where the largest count is, as a sentence; that several have it says nothing of one of them.
 * @param {import("../core/words.js").Words} words @param {readonly number[]} counts
 * @param {(index: number) => string} say for one
 */
export function sayLargest(words, counts, say) {
    const max = Math.max(...counts);
    const isTied = counts.filter((count) => count === max).length > 1;
    return isTied ? words.t("me.busiest_none", { n: max }) : say(counts.indexOf(max));
}

/** @param {{ hours: number[] }} given */
function Hours({ hours }) {
    const { words } = useApp();
    return html`<${CountBars} title=${words.t("me.by_hour")} head=${words.t("me.hour")}
        sentence=${sayLargest(words, hours, (hour) => words.t("me.busiest_hour", {
            hour: sayHourSpan(words.locale, hour), n: hours[hour] }))}
        bars=${hours.map((count, n) => ({
            count, label: n % 6 === 0 ? sayHour(words.locale, n) : "", name: sayHourSpan(words.locale, n) }))} />`;
}

/** @param {{ weekdays: number[] }} given */
function Weekdays({ weekdays }) {
    const { words } = useApp();
    return html`<${CountBars} title=${words.t("me.by_weekday")} head=${words.t("me.weekday")}
        sentence=${sayLargest(words, weekdays, (day) => words.t("me.busiest_day", {
            day: sayWeekday(words.locale, day + 1), n: weekdays[day] }))}
        bars=${weekdays.map((count, n) => ({
            count, label: sayWeekday(words.locale, n + 1, "short"), name: sayWeekday(words.locale, n + 1) }))} />`;
}

/** @param {{ months: MyStatistics["months"] }} given */
function Months({ months }) {
    const { words } = useApp();
    return html`<${CountBars} title=${words.t("me.by_month")} head=${words.t("me.month")}
        sentence=${sayLargest(words, months.map(({ journeys }) => journeys), (n) => words.t("me.busiest_month", {
            month: sayMonth(words, months[n].month, "long"), n: months[n].journeys }))}
        bars=${months.map((one) => ({ count: one.journeys, label: sayMonth(words, one.month, "short"),
            name: sayMonth(words, one.month, "long") }))} />`;
}

/** @param {{ routes: RouteUse[], threshold: number }} given */
function Routes({ routes, threshold }) {
    const { words } = useApp();
    return html`<h3>${words.t("me.routes")}</h3>
        <ul class="me-routes">${routes.map((route) => html`<li key=${route.id}><b>${sayName(route.name)}</b>
            <span>${words.t("me.route.journeys", { n: route.journeys })}, ${words.t(`me.route.${route.frequency}`)}</span>
            <span>${sayReliability(words, route)}${route.delay !== null
                && `; ${words.t("me.route.delay", { delay: sayDelay(words, route.delay) })}`}</span></li>`)}</ul>
        <p class="small">${words.t("me.route.threshold", { age: words.duration(threshold * 60) })}</p>`;
}

/** @param {import("../core/words.js").Words} words @param {RouteUse} route */
export function sayReliability(words, { arrived, onTime, atLeast }) {
    if (arrived === 0 || atLeast === null) return words.t("me.route.never_arrived");
    return words.t("me.route.on_time", { n: arrived, count: onTime, share: sayPercent(words, atLeast) });
}
