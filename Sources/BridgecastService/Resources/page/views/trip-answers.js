// Asks the service when to leave and which way; keeps the last good answer beside a trouble. Used by views/trip.js.
import { useMemo, useRef } from "../vendor/preact.js";
import { useAnswer, useApp } from "../core/app.js";
import { trouble as troubleOf } from "../data/api.js";
import { departPath, isAskable, routesPath } from "../model/trip.js";
import { readDepartures, readWays } from "../model/ways.js";

/** @typedef {import("../model/trip.js").Trip} Trip */
/**
 * @typedef {object} Found
 * @property {Trip} trip what was asked
 * @property {import("../model/ways.js").Ways} ways
 * @property {import("../model/ways.js").Departures | null} departures
 */

/**
 * @param {Trip} trip
 * @param {number} now
 * @param {boolean} isClockSet whether that is the service's time
 */
export function useTripAnswers(trip, now, isClockSet) {
    const { answers } = useApp();
    const departing = isClockSet ? departPath(trip, now) : null;
    const departAnswer = useAnswer(departing);
    const departures = useMemo(() => readDepartures(departAnswer.value), [departAnswer.value]);
    const cannotBeMet = departAnswer.trouble?.parameter === "arrive_by";
    // The ways are those at the time to leave, which has to be known first.
    const isDepartureKnown = trip.when !== "arrive" || departures !== null || cannotBeMet;
    const leaveBy = cannotBeMet ? null : departures?.leaveBy?.departure ?? null;
    const routing = isClockSet && isDepartureKnown ? routesPath(trip, now, leaveBy) : null;
    const routesAnswer = useAnswer(routing);
    const ways = useMemo(() => readWays(routesAnswer.value), [routesAnswer.value]);

    const kept = useRef(/** @type {Found | null} */ (null));
    const isWhole = ways !== null && (departures !== null || departAnswer.trouble !== null);
    if (isAskable(trip) && isWhole && isOf(ways, departAnswer.value)) {
        kept.current = { trip, ways, departures: cannotBeMet ? null : departures };
    }
    if (trip.from === "" || trip.to === "") kept.current = null;
    const isUnreadable = routesAnswer.value !== null && ways === null;
    const trouble = routesAnswer.trouble ?? departAnswer.trouble ?? (isUnreadable ? troubleOf("not_json") : null);
    return {
        found: kept.current,
        trouble: isAskable(trip) ? trouble : null,
        // Departures that cannot be in time are an answer too: the ways are those of leaving now.
        isOld: (isClockSet && !isAskable(trip)) || (trouble !== null && !(cannotBeMet && routesAnswer.trouble === null)),
        // A minute later the time to leave is another, and so is the question; what is shown stays the answer meanwhile.
        isWaiting: trouble === null && !isSame(kept.current?.trip, trip) && (!isClockSet || isAskable(trip)),
        retry() {
            if (departing) answers.retry(departing);
            if (routing) answers.retry(routing);
        },
    };
}

/** @param {Trip | undefined} a @param {Trip} b */
const isSame = (a, b) => a !== undefined && a.from === b.from && a.to === b.to && a.mode === b.mode
    && a.when === b.when && a.moment === b.moment && a.sure === b.sure;

/**
 * Whether both answers are about one trip: the older of two questions may be answered later.
 * @param {import("../model/ways.js").Ways} ways @param {any} document of departures
 */
const isOf = (ways, document) => document === null || (ways.origin === document.origin
    && ways.destination === document.destination && ways.mode === document.mode);
