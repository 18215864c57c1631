// When to leave, as a curve with a sentence: for a time to be there, or for a time to leave. Used by views/trip.js.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/app.js";
import { OnTimeCurve, TravelCurve } from "../draw/departure-curve.js";
import { levelName } from "../model/trip.js";

const littleSeconds = 60;

/** @typedef {import("../model/trip.js").Trip} Trip */
/** @typedef {import("../model/ways.js").Departures} Departures */

/** @param {{ trip: Trip, departures: Departures, heading: string }} given */
export function TripDeparture({ trip, departures, heading }) {
    const { words } = useApp();
    if (departures.points.length < 2) return null;
    const curve = trip.when === "arrive" && trip.moment !== null
        ? html`<${OnTimeCurve} departures=${departures} deadline=${trip.moment} sure=${trip.sure}
            sentence=${sayLeaveBy(words, trip, departures)} />`
        : html`<${TravelCurve} departures=${departures} sentence=${sayTravel(words, departures)} />`;
    return html`<section class="card trip-departure" aria-labelledby="trip-departure">
        <${heading} id="trip-departure">${words.t("trip.departure")}</${heading}>
        ${curve}
    </section>`;
}

/** @param {import("../core/words.js").Words} words @param {Trip} trip @param {Departures} departures */
function sayLeaveBy(words, trip, { leaveBy }) {
    const time = words.time(Number(trip.moment));
    const level = words.t(`trip.sure.${levelName(trip.sure)}`);
    return leaveBy ? words.t("trip.leave_by", { leave: words.time(leaveBy.departure), time, level })
        : words.t("trip.leave_by_none", { time, level });
}

/** @param {import("../core/words.js").Words} words @param {Departures} departures */
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
