// The answer in a sentence: which way, when to leave, when one is there, how sure. Used by views/trip-results.js.
import { html } from "../vendor/preact.js";
import { useApp, useNow } from "../core/app.js";
import { isAboutSame } from "../model/ties.js";
import { levelName } from "../model/trip.js";
import { nineInTenBy, shortName } from "../model/ways.js";

/** @typedef {import("../model/ways.js").Ways} Ways */

/**
 * @param {import("../core/words.js").Words} words
 * @param {import("../model/trip.js").Trip} trip
 * @param {Ways} ways
 * @param {import("../model/ways.js").Departures | null} departures
 * @param {number} now
 */
export function sayAnswer(words, trip, ways, departures, now) {
    const [first, second] = ways.routes;
    const time = words.time(nineInTenBy(ways, first));
    if (trip.when === "arrive" && trip.moment !== null) {
        const wanted = words.timeOrDay(trip.moment, departures?.leaveBy?.departure ?? now);
        if (departures?.leaveBy) {
            return words.t("trip.answer.arrive", {
                leave: words.timeOrDay(departures.leaveBy.departure, now), time: wanted,
                level: words.t(`trip.level.${levelName(trip.sure)}`),
                route: shortName({ id: departures.leaveBy.best.route_id, name: departures.leaveBy.best.route }),
            });
        }
        return words.t(departures ? "trip.answer.unsure" : "trip.answer.too_late",
            { route: shortName(first), wanted, time });
    }
    const values = {
        route: shortName(first), other: second ? shortName(second) : "", time,
        leave: words.timeOrDay(ways.departure, now),
    };
    if (trip.when === "leave") return words.t("trip.answer.leave_at", values);
    if (!second || !isAboutSame(ways.comparisons, first, second)) return words.t("trip.answer.leave_now", values);
    // What is said of both holds for the slower one too.
    const slower = Math.max(nineInTenBy(ways, first), nineInTenBy(ways, second));
    return words.t("trip.answer.tie", { ...values, time: words.time(slower) });
}

/**
 * How long there is still time.
 * @param {{ leaveBy: number }} given
 */
export function LeaveIn({ leaveBy }) {
    const { words } = useApp();
    const left = leaveBy - useNow(5_000);
    return html`<p class="trip-left">${left < 60_000 ? words.t("trip.leave_now_at_last")
        : words.t("trip.left", { time: words.duration(left / 1000) })}</p>`;
}
