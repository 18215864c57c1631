// When to leave, as a curve with a sentence: for a time to arrive by, or for a time to leave.
import { html, useMemo, useRef } from "../../vendor/preact.js";
import { useAnswer, useApp } from "../../core/hooks.js";
import { Picture } from "../../draw/picture.js";
import { linear, marksOn, roundStep } from "../../draw/scale.js";
import { departPath, levelName } from "./question.js";
import { useInSight } from "../../parts/sight.js";
import { readDepartures } from "./ways.js";

const littleSeconds = 60;

/** @typedef {import("./question.js").Trip} Trip */
/** @typedef {import("./ways.js").Departures} Departures */

/**
 * Departures of a trip without a time to arrive by: searched for when the element is seen, at most once a minute.
 * @param {Trip} trip @param {number} now @param {{ current: HTMLElement | null }} frame
 * @returns {Departures | null}
 */
export function useDepartures(trip, now, frame) {
    const path = trip.when === "arrive" ? null : departPath(trip, now);
    const { value } = useAnswer(path, "minute", useInSight(frame));
    return useMemo(() => readDepartures(value), [value]);
}

/**
 * @param {object} given
 * @param {Trip} given.trip
 * @param {number} given.now
 * @param {Departures | null} given.departures with a time to arrive by, which needs them at once
 * @param {string} given.heading
 */
export function TripDeparture({ trip, now, departures, heading }) {
    const { words } = useApp();
    const frame = useRef(/** @type {HTMLElement | null} */ (null));
    const seen = useDepartures(trip, now, frame);
    const shown = departures ?? seen;
    if (trip.when === "arrive" && !departures || shown && shown.points.length < 2) return null;
    return html`<section class="card trip-departure" aria-labelledby="trip-departure" ref=${frame}>
        <${heading} id="trip-departure">${words.t("trip.departure")}</${heading}>
        ${!shown ? html`<div class="skeleton trip-curve-skeleton" aria-hidden="true"></div>`
        : trip.when === "arrive" && trip.time !== null
            ? html`<${OnTimeCurve} departures=${shown} deadline=${trip.time} sure=${trip.sure}
                sentence=${sayLeaveBy(words, trip, shown)} />`
            : html`<${TravelCurve} departures=${shown} sentence=${sayTravel(words, shown)} />`}
    </section>`;
}

/** @param {import("../../core/words.js").Words} words @param {Trip} trip @param {Departures} departures */
function sayLeaveBy(words, trip, { leaveBy }) {
    const time = words.time(Number(trip.time));
    const level = words.t(`trip.sure.${levelName(trip.sure)}`);
    return leaveBy ? words.t("trip.leave_by", { leave: words.time(leaveBy.departure), time, level })
        : words.t("trip.leave_by_none", { time, level });
}

/** @param {import("../../core/words.js").Words} words @param {Departures} departures */
function sayTravel(words, { points }) {
    const nine = (/** @type {typeof points[0]} */ point) => point.best.p90_s;
    const least = points.reduce((a, b) => (nine(b) < nine(a) ? b : a));
    const most = Math.max(...points.map(nine));
    const values = {
        first: words.time(points[0].departure), n: Math.ceil(nine(points[0]) / 60),
        time: words.time(least.departure), least: Math.ceil(nine(least) / 60),
    };
    if (most - nine(least) < littleSeconds) return words.t("trip.travel_same", values);
    const isFirstBest = nine(points[0]) - nine(least) < littleSeconds;
    return words.t(isFirstBest ? "trip.travel_now_best" : "trip.travel_later_less", values);
}

/** @typedef {{ departure: number, best: import("../../core/types").DepartureRoute }} Point */

const wide = 320;
const left = 58;
const right = 308;
const top = 8;
const base = 138;
const minute = 60_000;

/**
 * How sure it is to be there in time, departure after departure.
 * @param {object} given
 * @param {import("./ways.js").Departures} given.departures
 * @param {number} given.deadline
 * @param {number} given.sure
 * @param {string} given.sentence
 */
function OnTimeCurve({ departures, deadline, sure, sentence }) {
    const { words } = useApp();
    const points = worthDrawing(withMark(departures));
    if (points.length < 2) return null;
    const x = linear(points[0].departure, points[points.length - 1].departure, left, right);
    const y = linear(0, 1, base, top);
    const mark = departures.leaveBy;
    const at = words.time(deadline);
    const rows = points.map(({ departure, best }) =>
        [words.time(departure), words.chance(best.probability_on_time ?? 0), best.route]);
    return html`<${Picture} title=${words.t("trip.curve.on_time_title", { time: at })} sentence=${sentence}
        table=${{ head: [words.t("trip.curve.leave"), words.t("trip.curve.in_time"), words.t("trip.curve.by")], rows }}>
        <svg viewBox=${`0 0 ${wide} ${base + 26}`} aria-hidden="true" focusable="false">
            ${[0, 5, 10].map((times) => html`<path class="trip-grid" d=${`M${left} ${y(times / 10)}H${right}`} />
                <text x=${left - 8} y=${y(times / 10) + 4} text-anchor="end">
                    ${words.t("trip.curve.in_10", { n: times })}</text>`)}
            <path class="trip-level" d=${`M${left} ${y(sure)}H${right}`} />
            <${Hours} from=${points[0].departure} to=${points[points.length - 1].departure} x=${x} />
            <path class="trip-line" d=${line(points, x, (point) => y(point.best.probability_on_time ?? 0))} />
            ${mark && html`<${LeaveMark} departure=${mark.departure} x=${x(mark.departure)}
                y=${y(mark.best.probability_on_time ?? sure)} />`}
        </svg>
    </${Picture}>`;
}

/** @param {{ departure: number, x: number, y: number }} given */
function LeaveMark({ departure, x, y }) {
    const { words } = useApp();
    const isFarLeft = x < left + 80;
    return html`<path class="trip-nine" d=${`M${x} ${y}V${base}`} />
        <circle class="trip-point" cx=${x} cy=${y} r="7" />
        <text class="trip-mark" x=${x + (isFarLeft ? 12 : -12)} y=${base - 12}
            text-anchor=${isFarLeft ? "start" : "end"}>${words.time(departure)}</text>`;
}

/**
 * How long it takes, departure after departure.
 * @param {{ departures: import("./ways.js").Departures, sentence: string }} given
 */
function TravelCurve({ departures, sentence }) {
    const { words } = useApp();
    const { points } = departures;
    if (points.length < 2) return null;
    const { isMedian, half, nine } = minutesOf(points);
    const { low, high, ticks } = minutesAxis(points.map(half), points.map(nine));
    const last = points[points.length - 1];
    const x = linear(points[0].departure, last.departure, left, right - 4);
    const y = linear(low, high, base, top);
    const halfName = words.t(isMedian ? "trip.curve.half" : "trip.curve.mean");
    const nineName = words.t("trip.curve.nine");
    const rows = points.map((point) =>
        [words.time(point.departure), words.number(half(point), 1), words.number(nine(point), 1), point.best.route]);
    return html`<${Picture} title=${words.t("trip.curve.travel_title")} sentence=${sentence}
        table=${{ head: [words.t("trip.curve.leave"), halfName, nineName, words.t("trip.curve.by")], rows }}>
        <svg viewBox=${`0 0 ${wide} ${base + 26}`} aria-hidden="true" focusable="false">
            ${ticks.map((tick) => html`<path class="trip-grid" d=${`M${left} ${y(tick)}H${right}`} />
                <text x=${left - 8} y=${y(tick) + 4} text-anchor="end">${words.t("unit.minutes", { n: tick })}</text>`)}
            <${Hours} from=${points[0].departure} to=${last.departure} x=${x} />
            <path class="trip-line is-nine" d=${line(points, x, (point) => y(nine(point)))} />
            <path class="trip-line" d=${line(points, x, (point) => y(half(point)))} />
            <text class="trip-mark" x=${right - 4} y=${y(nine(last)) - 10} text-anchor="end">${nineName}</text>
            <text class="trip-mark" x=${right - 4} y=${y(half(last)) + 18} text-anchor="end">${halfName}</text>
        </svg>
    </${Picture}>`;
}

/**
 * How to read the minutes that half and nine in ten of the trips take; the mean where a median is missing.
 * @param {Point[]} points
 */
function minutesOf(points) {
    const isMedian = points.every(({ best }) => Number.isFinite(best.p50_s));
    return {
        isMedian,
        half: (/** @type {Point} */ { best }) => (isMedian ? Number(best.p50_s) : best.expected_s) / 60,
        nine: (/** @type {Point} */ { best }) => best.p90_s / 60,
    };
}

/** @param {number[]} halves minutes @param {number[]} nines minutes */
function minutesAxis(halves, nines) {
    const low = Math.max(0, Math.floor((Math.min(...halves) - 4) / 5) * 5);
    const high = Math.max(low + 10, Math.ceil((Math.max(...nines) + 1) / 5) * 5);
    const step = roundStep(high - low, 4);
    const ticks = Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, n) => low + n * step);
    return { low, high, ticks };
}

/** @param {{ from: number, to: number, x: (time: number) => number }} given */
function Hours({ from, to, x }) {
    const { words } = useApp();
    const step = [5, 10, 15, 30, 60, 120].find((minutes) => (to - from) / minute / minutes <= 3.5) ?? 240;
    const marks = marksOn(from, to, step * minute);
    return html`<path class="trip-axis" d=${`M${left} ${base}H${right}`} />
        ${marks.map((at) => html`<path class="trip-tick" d=${`M${x(at)} ${base}v5`} />
            <text x=${x(at)} y=${base + 20} text-anchor=${x(at) > right - 14 ? "end" : "middle"}>
                ${words.time(at)}</text>`)}`;
}

/** @param {Point[]} points @param {(time: number) => number} x @param {(point: Point) => number} y */
const line = (points, x, y) =>
    points.map((point, n) => `${n === 0 ? "M" : "L"}${x(point.departure).toFixed(1)} ${y(point).toFixed(1)}`).join("");

/**
 * Adds the departure of the search, which is between two departures of the curve.
 * @param {import("./ways.js").Departures} departures
 * @returns {Point[]}
 */
function withMark({ points, leaveBy }) {
    const others = points.filter((point) => point.departure !== leaveBy?.departure);
    return (leaveBy ? [...others, leaveBy] : others).sort((a, b) => a.departure - b.departure);
}

/**
 * Hours in which it is sure, and departures after which it is hopeless, say nothing.
 * @param {Point[]} points
 */
function worthDrawing(points) {
    const chance = (/** @type {Point} */ point) => point.best.probability_on_time ?? 0;
    const sureUntil = points.map(chance).reduce((last, value, n) => (value >= 0.99 ? n : last), 0);
    const kept = points.slice(Math.max(0, sureUntil - 2));
    const hopeless = kept.findIndex((point) => chance(point) < 0.01);
    return hopeless < 0 ? kept : kept.slice(0, Math.max(2, hopeless + 1));
}
